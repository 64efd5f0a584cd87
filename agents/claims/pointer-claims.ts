/** Where a report says that its evidence stands: a step, a call, an id. There must be such a one. */
import { type Claim, unsupported } from './claim.js';
import { sentencesOf } from './clause.js';
import type { Evidence } from './evidence.js';
import type { Passage } from './passage.js';

/** `see step 7` may be advice. */
const proof =
  /\b(?:evidence|proof|source|output|result|shown|shows|confirmed|verified|according|based on|ref(?:erence)?|log(?:ged)?)\b|依据|根据|来自|证据|凭据|返回|结果|输出|显示|佐证/i;
const refers = /\b(?:see|cf|per|from|by)\b|见|从/i;
const proofKey =
  /\b(?:evidence|proof|sources?|references?|refs?|based on|citations?|calls?|steps?|trace|provenance)\b|证据|依据|来源|出处|引用/i;
const step =
  /\b(?:step|round|turn|observation)s?\s?#?(\d{1,3})\b|第\s?(\d{1,3}|[一二三四五六七八九十]{1,3})\s?[步轮](?!.{0,4}[:：])/gi;
const call =
  /\b(?:(?:tool |function )?call|invocation)s?\s?(?:no\.?\s?)?#?(\d{1,3})\b|第\s?(\d{1,3}|[一二三四五六七八九十]{1,3})\s?次(?:工具)?(?:调用|查询|请求|执行)|调用\s?#?(\d{1,3})(?!\d|\s?[次个])/gi;
const id = /(?<![\w-])r\d{1,3}c\d{1,3}(?![\w-])/g;
const hanDigits = '零一二三四五六七八九';

export function pointerClaims(passages: readonly Passage[], { grounds }: Evidence): Claim[] {
  const calls = grounds.calls.length + grounds.children.length;
  const ids = new Set([...grounds.calls, ...grounds.children].map(({ callId }) => callId));
  return passages.flatMap(({ key, value }) => {
    if (typeof value === 'number' && /\b(?:evidence )?(?:step|call)\b|步骤|证据/.test(key) && proofKey.test(key))
      return value > calls ? [missing(`${key} ${value}`, `${key}: ${value}`, calls)] : [];
    if (typeof value !== 'string') return [];
    return sentencesOf(value).flatMap((sentence) => [
      ...[...sentence.matchAll(id)].flatMap(([name]) => (ids.has(name) ? [] : [missing(name, sentence, calls)])),
      ...[
        ...(refers.test(sentence) || proof.test(sentence) || proofKey.test(key) ? beyond(sentence, call, calls) : []),
        ...(proof.test(sentence) || proofKey.test(key) ? beyond(sentence, step, calls + 1) : []),
      ].map((name) => missing(name, sentence, calls)),
    ]);
  });
}

const missing = (about: string, said: string, calls: number): Claim =>
  unsupported('tool', about, said, `there is no such step: ${calls} calls were made`);

/** @param most the last that there can be */
const beyond = (sentence: string, pattern: RegExp, most: number): string[] =>
  [...sentence.matchAll(pattern)].flatMap(([name, ...numbers]) => {
    const number = numbers.find((one) => one !== undefined) ?? '';
    return numberIn(number) > most ? [name.trim()] : [];
  });

function numberIn(number: string): number {
  if (/^\d/.test(number)) return Number(number);
  const [tens, ones] = number.includes('十') ? number.split('十') : ['零', number];
  return (tens === '' ? 1 : hanDigits.indexOf(tens ?? '零')) * 10 + Math.max(0, hanDigits.indexOf(ones || '零'));
}
