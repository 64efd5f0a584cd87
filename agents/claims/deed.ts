/** Finds what a clause says was done: `I sent`, `has been deployed`, `已写入`. Plans, denials and doubts are none. */
import { type Clause, wordsOnly } from './clause.js';
import type { Family } from './family.js';
import * as english from './wording-en.js';
import * as chinese from './wording-zh.js';

/**
 * How plainly it is the agent's own deed. `own`: it says so; `bare`: it begins with the verb; `done`: something has been done; `state`: something is in that
 * state, which may be old news; `told`: somebody else has done it.
 */
export type Strength = 'own' | 'bare' | 'done' | 'state' | 'told';

export interface Deed {
  readonly verb: string;
  /** All forms of the verb. */
  readonly forms: readonly string[];
  readonly families: ReadonlySet<Family>;
  readonly strength: Strength;
  readonly clause: string;
  readonly at: number;
}

export interface Verb {
  readonly forms: readonly string[];
  readonly families: ReadonlySet<Family>;
  /** The form is the one that only stands after `to`. */
  readonly isBase: boolean;
}

const familiesOf = (text: string): ReadonlySet<Family> => new Set(text.split(' ') as Family[]);

const irregular = new Set('wrote written ran built sent paid bought read reset'.split(' '));

/** Forms of two words are written with `_`. */
const englishForms = new Map<string, Verb>(
  english.englishVerbs.flatMap(([families, text]) => {
    const forms = text.split(' ');
    const past = forms.filter((form) => isPast(form));
    return forms.map((form) => [
      form.replace('_', ' '),
      {
        forms: forms.map((one) => one.replace('_', ' ')),
        families: familiesOf(families),
        isBase: past.length > 0 && !isPast(form),
      },
    ]);
  }),
);

/** Irregular ones included; `read`, `reset` and their like are both. */
function isPast(form: string): boolean {
  return /(?:ed|_out|_back|_up|_into|_through)$/.test(form) || irregular.has(form);
}

const chineseForms: readonly { form: string; verb: Verb }[] = chinese.chineseVerbs.flatMap(([families, text]) => {
  const forms = text.split(' ');
  return forms.map((form) => ({ form, verb: { forms, families: familiesOf(families), isBase: false } }));
});
const chinesePattern = new RegExp(
  chineseForms
    .map(({ form }) => form)
    .sort((a, b) => b.length - a.length)
    .join('|'),
  'g',
);
const chineseVerbOf = new Map(chineseForms.map(({ form, verb }) => [form, verb]));

/** The listed verb that a word is a form of. */
export const englishForm = (word: string): Verb | undefined => englishForms.get(word);

/** Listed verbs in a text, in its order. */
export const chineseForm = (text: string): (Verb & { form: string; at: number })[] =>
  [...text.matchAll(chinesePattern)].flatMap(({ 0: form, index }) => {
    const verb = chineseVerbOf.get(form);
    return verb === undefined ? [] : [{ ...verb, form, at: index }];
  });

const standsFor = english.words(english.standsFor);
const between = english.words(english.between);
const auxiliaries = english.words(english.auxiliaries);
const determiners = english.words(english.determiners);

export function deedsIn({ before, isHead, text }: Omit<Clause, 'sentence'>): Deed[] {
  if (isHead && !/\s/.test(text)) return [];
  const plain = wordsOnly(text);
  return [
    ...(english.noDeed.test(plain) ? [] : englishDeeds(text, plain, before)),
    ...chineseDeeds(text, plain, before),
  ];
}

const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu;

/** @param plain the clause without names, in as many characters */
function englishDeeds(clause: string, plain: string, earlier: string): Deed[] {
  if (!/[A-Za-z]{3}/.test(clause)) return [];
  const tokens = [...plain.matchAll(wordPattern)].map((match) => ({
    word: match[0].toLowerCase().replace('’', "'"),
    at: match.index,
  }));
  const words = tokens.map(({ word }) => word);
  let before: Strength | undefined;
  return tokens.flatMap(({ at, word }, index) => {
    const pair = `${word} ${words[index + 1] ?? ''}`;
    const verb = englishForms.get(pair) ?? englishForms.get(word) ?? unknownVerb(word);
    if (verb === undefined || english.headWork.test(clause.slice(at))) return [];
    if (verb.families.has('send') && english.answersQuestions.test(clause)) return [];
    const strength = strengthOf({ before, clause, earlier, index, verb, words });
    if (strength === undefined || (verb.families.size === 0 && strength !== 'own' && strength !== 'done')) return [];
    before = strength;
    const isMade =
      (word === 'opened' && english.madeByOpening.test(clause)) ||
      (word === 'dropped' && /\bdropped\b.{0,40}\b(?:in|into|at|to)\b/i.test(clause));
    const families = isMade ? madeByOpening : verb.families;
    return [{ verb: englishForms.has(pair) ? pair : word, forms: verb.forms, families, strength, clause, at }];
  });
}

const madeByOpening = familiesOf('change');
const mental = english.words(english.mental);

/** A past form that nobody listed is a deed of some kind. */
const unknownVerb = (word: string): Verb | undefined =>
  /^[a-z]{3,}ed$/.test(word) && !mental.has(word) ? { forms: [word], families: new Set(), isBase: false } : undefined;

interface Place {
  readonly words: readonly string[];
  readonly index: number;
  readonly verb: Verb;
  readonly clause: string;
  /** What of the sentence comes before the clause. */
  readonly earlier: string;
  /** Of the deed before it in the clause. */
  readonly before: Strength | undefined;
}

function strengthOf({ before: last, clause, earlier, index, verb, words }: Place): Strength | undefined {
  if (verb.isBase) return /\b(?:able|managed) to\s/.test(clause) && words[index - 1] === 'to' ? 'own' : undefined;
  let before = index - 1;
  while (before >= 0 && between.has(words[before] ?? '')) before -= 1;
  const skipped = words.slice(before + 1, index);
  const word = words[before];
  if (word === undefined) return carriedFrom(earlier);
  if (standsFor.has(word)) return 'own';
  if (word === 'been' || word === 'being') return word === 'been' ? 'done' : undefined;
  // `the customer has paid`: told of somebody else.
  if (skipped.some((one) => one === 'has' || one === 'have') && !determiners.has(word)) return 'told';
  if (auxiliaries.has(word))
    return isEvent(word, verb) || [...skipped, words[index + 1]].some((one) => one === 'successfully' || one === 'now')
      ? 'done'
      : 'state';
  if (determiners.has(word) || verb.families.size === 0) return undefined;
  if (skipped.includes('and')) return last ?? carriedFrom(`${earlier} ${words.slice(0, before + 1).join(' ')}`);
  return isElliptical(words, index) ? 'done' : undefined;
}

/** `the team was informed` tells an event; `the file was changed` may tell of its history. */
const isEvent = (auxiliary: string, { families }: Verb): boolean =>
  /^(?:was|were)$/.test(auxiliary) && families.has('send') && families.size === 1;

/** `I read the file and deleted it`: the subject, or its absence, is carried on. */
function carriedFrom(earlier: string): Strength | undefined {
  const words = earlier.toLowerCase().match(wordPattern) ?? [];
  const [first] = words.filter((word) => !between.has(word));
  if (words.some((word) => standsFor.has(word.replace('’', "'")))) return 'own';
  return first === undefined || englishForms.has(first) ? 'bare' : undefined;
}

/** `Mail sent`, `Report saved at out/x.md`: a few words, the participle, and then the end or a preposition. */
const isElliptical = (words: readonly string[], index: number): boolean =>
  index <= 4 &&
  (index + 1 === words.length || prepositions.has(words[index + 1] ?? '')) &&
  !words.slice(0, index).some((one) => finite.has(one) || englishForms.has(one));
const prepositions = new Set('to at in as on into successfully and'.split(' '));
const finite = new Set(
  'is are was were be been being do does did has have had that who which it he she they you'.split(' '),
);

function chineseDeeds(clause: string, plain: string, earlier: string): Deed[] {
  if (!/[\u4e00-\u9fff]/.test(clause)) return [];
  return [...plain.matchAll(chinesePattern)].flatMap((match): Deed[] => {
    const [form] = match;
    const verb = chineseVerbOf.get(form);
    const before = plain.slice(0, match.index);
    const after = plain.slice(match.index + form.length);
    if (verb === undefined || chinese.noDeedBefore.test(before) || chinese.noDeedAfter.test(after)) return [];
    // `已签合同、付定金`: the sign of being done is carried on.
    const carried = before.trim() === '' && /已/.test(earlier) && !chinese.noDeedBefore.test(earlier);
    const said =
      carried || chinese.doneBefore.test(before) || chinese.doneAfter.test(after) || /[了入到完好]$/.test(form);
    // `跑了 679 公里`: no program.
    if (/^跑/.test(form) && /^\s?(?:约|近)?[\d.,]+\s?(?:公里|千米|米|里|km|步|圈)/i.test(after)) return [];
    // `退款接口`, `测试用例`: the verb is part of a name.
    if (
      !said ||
      /^(?:也|都|均|已|已经)?(?:建|设|发|写|做|订|安排|生成|创建|准备)(?:好|了|完|成)/.test(after) ||
      /^(?:接口|工具|方式|方法|流程|记录|功能|用例|脚本|策略|规则|失败率|率|单号?|时间|状态|结果|日期|页面)/.test(after)
    )
      return [];
    return [
      {
        verb: form,
        ...verb,
        strength: /我/.test(before) || (before.trim() === '' && !carried) ? 'own' : 'done',
        clause,
        at: match.index,
      },
    ];
  });
}
