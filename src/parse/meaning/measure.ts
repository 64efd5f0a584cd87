/** Currencies and units in the arguments against the one that the goal names. */
import type { JsonObject } from '../../domain/json.js';
import { isObject, list, properties, resolve, type Schema } from '../schema.js';
import type { Finding, Problem } from './finding.js';

interface Measure {
  /** Spellings of it as an argument. */
  readonly codes: readonly string[];
  /** How a goal names it. */
  readonly words: RegExp;
}

interface Family {
  readonly problem: Problem;
  /** Names of parameters that choose it. */
  readonly parameter: RegExp;
  readonly measures: readonly Measure[];
}

const FAMILIES: readonly Family[] = [
  {
    problem: 'other currency',
    parameter: /^(?:currency|currency_?code|base_?currency|ccy|币种|货币)$/i,
    measures: [
      { codes: ['USD', 'US$', '$', 'dollar', 'dollars', '美元'], words: /\bUSD\b|\bUS dollars?\b|美元|美金/i },
      { codes: ['EUR', '€', 'euro', 'euros', '欧元'], words: /\bEUR\b|\beuros?\b|€|欧元/i },
      {
        codes: ['GBP', '£', 'pound', 'pounds', '英镑'],
        words: /\bGBP\b|\bpounds? sterling\b|\bBritish pounds?\b|£|英镑/i,
      },
      { codes: ['CNY', 'RMB', '人民币', 'yuan'], words: /\bCNY\b|\bRMB\b|\byuan\b|人民币/i },
      { codes: ['JPY', 'yen', '日元'], words: /\bJPY\b|\b(?:Japanese )?yen\b|日元|日圆/i },
      { codes: ['CHF', 'franc', '瑞士法郎'], words: /\bCHF\b|\bSwiss francs?\b|瑞士法郎/i },
    ],
  },
  {
    problem: 'other unit',
    parameter: /^(?:units?|temperature_?units?|temp_?unit|单位|温度单位)$/i,
    measures: [
      { codes: ['celsius', 'c', '°c', '摄氏度', '摄氏'], words: /\bcelsius\b|°C|摄氏/i },
      { codes: ['fahrenheit', 'f', '°f', '华氏度', '华氏'], words: /\bfahrenheit\b|°F|华氏/i },
      { codes: ['kelvin', 'k', '开尔文'], words: /\bkelvin\b|开尔文/i },
      { codes: ['metric', '公制'], words: /\bmetric\b|公制/i },
      { codes: ['imperial', '英制'], words: /\bimperial\b|英制/i },
    ],
  },
];

/** Only when the goal names exactly one of a family, the argument is another of it, and the schema admits the named one. */
export function measureFindings(args: JsonObject, rawSchema: unknown, goal: string, root: Schema): Finding[] {
  const known = properties(resolve(rawSchema, root));
  return Object.keys(args).flatMap((name) => {
    const value = args[name];
    const family = FAMILIES.find(({ parameter }) => parameter.test(name));
    if (family === undefined || typeof value !== 'string' || !Object.hasOwn(known, name)) return [];
    const named = family.measures.filter(({ words }) => words.test(goal));
    const [wanted, more] = named;
    const given = family.measures.find(({ codes }) => spells(codes, value));
    if (wanted === undefined || more !== undefined || given === undefined || given === wanted) return [];
    const schema = resolve(known[name], root);
    const choices = isObject(schema) ? list(schema.enum).map(String) : [];
    const to =
      choices.length > 0
        ? choices.find((choice) => spells(wanted.codes, choice))
        : wanted.codes[given.codes.findIndex((code) => same(code, value))];
    const words = wanted.words.exec(goal)?.[0] ?? '';
    return [
      {
        problem: family.problem,
        path: [name],
        from: value,
        to,
        confidence: to === undefined ? 0.5 : 0.82,
        goal: words,
      },
    ];
  });
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const spells = (codes: readonly string[], value: string): boolean => codes.some((code) => same(code, value));
