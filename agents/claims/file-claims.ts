/** Files and links that a report names: written ones need the call that wrote them, others anything that knows of them. */

import { type Claim, supported, unsupported } from './claim.js';
import { clausesOf, wordsOnly } from './clause.js';
import type { Evidence } from './evidence.js';
import type { Passage } from './passage.js';
import { admits } from './polarity.js';
import type { Ran } from './ran.js';
import { mentions, type Named, namesIn, plainPath, shortCodes } from './target.js';
import { noDeed } from './wording-en.js';

/** Nothing is said to be there. */
const absent =
  /\b(?:not|no|never|cannot|unable|without|missing|fail\w*|lacks?|absent|neither|would|could|should|will|needs?|denied|refused|unreadable|empty|does ?n[o']t|there is no)\b|n't\b|未|没|无|不|失败|缺|将|应|需|拒绝|建议|可以/i;
const writtenKey =
  /\b(?:written|saved|output|outputs|created|artifacts?|exported|generated|report|destination|target|attachments?|produced)\b|输出|已写|产物|附件/;

export function fileClaims(passages: readonly Passage[], evidence: Evidence): Claim[] {
  const judge = judgeOver(evidence);
  const claims = passages.flatMap(({ key, value }) => {
    if (typeof value !== 'string') return [];
    const names = clausesOf(value).flatMap(({ sentence, text }) =>
      namesIn(text).map((named) => ({ named, clause: text, sentence })),
    );
    return [
      ...names.flatMap((one) => judge(one.named, one.clause, one.sentence, key)),
      ...unknownCodes(value, evidence.known.all),
    ];
  });
  return [...new Map(claims.map((claim) => [`${claim.about} ${claim.supported}`, claim])).values()];
}

/** `S27` where the results have S01 to S24. */
function unknownCodes(text: string, all: string): Claim[] {
  return [...new Set(shortCodes(text))].flatMap((code) => {
    const plain = code.toLowerCase();
    if (new RegExp(`(?<![a-z\\d])${plain}(?!\\d)`).test(all)) return [];
    const letters = plain.replace(/\d+$/, '');
    const kin = new Set(
      all.match(new RegExp(`(?<![a-z\\d])${letters}\\d{${plain.length - letters.length}}(?!\\d)`, 'g')),
    );
    return kin.size < fewestKin
      ? []
      : [unsupported('number', code, text, 'the results and the order know others of its kind, and not this one')];
  });
}
const fewestKin = 2;

interface Known {
  readonly grounds: Evidence['grounds'];
  readonly worked: readonly Ran[];
  readonly failed: readonly Ran[];
  /** What others said, and what the order says; lower case. */
  readonly heard: string;
  readonly order: string;
  readonly all: string;
  /** Files and texts that came with the order. */
  readonly given: string;
}

function judgeOver({ grounds, known: { all, heard, order }, ran }: Evidence) {
  const known: Known = {
    grounds,
    worked: ran.filter((one) => one.worked),
    failed: ran.filter((one) => !one.worked),
    heard,
    order,
    all,
    given: [grounds.context, ...grounds.files, ...grounds.told].join('\n').toLowerCase(),
  };
  return (named: Named, clause: string, sentence: string, key: string): Claim[] => {
    switch (named.kind) {
      case 'file':
        return fileClaim(named, clause, sentence, key, known);
      case 'reference':
        return referenceClaim(named.text, sentence, known);
      case 'link':
      case 'mail':
        return addressClaim(named, sentence, known);
    }
  };
}

function fileClaim(named: Named, clause: string, sentence: string, key: string, known: Known): Claim[] {
  const { failed, grounds, worked } = known;
  const { text } = named;
  const failure = failedOn(text, failed);
  // `c.txt — not found`: of a call that failed, any word of it in the sentence will do.
  const denies =
    absent.test(wordsOnly(clause)) || noDeed.test(wordsOnly(clause)) || (failure !== undefined && admits(sentence));
  const writer = worked.find((one) => one.changes && mentions(one.text(), text));
  const child = grounds.children.find(({ files }) => files.some((path) => mentions(plainPath(path), text)));
  if (writer !== undefined || child !== undefined)
    return [supported('file', text, sentence, [writer?.call.callId ?? '', child?.callId ?? ''].filter(Boolean))];
  const doubt = (reason: string): Claim[] => [unsupported('file', text, sentence, failure ?? reason)];
  const seen = worked.find((one) => mentions(one.text(), text));
  const isMade = (writtenKey.test(key) && seen === undefined) || (key === '' && madeIn(clause, named));
  if (isMade && !denies) return doubt('no call that succeeded wrote this file');
  if (seen !== undefined) return [supported('file', text, sentence, [seen.call.callId])];
  if (mentions(known.heard, text)) return [supported('file', text, sentence, [])];
  if (denies) return [];
  if (!mentions(known.order, text)) return doubt('no tool result and no word of the order knows this file');
  // Whoever read or wrote it has called something with its path.
  return mentions(known.given, text)
    ? [supported('file', text, sentence, [])]
    : doubt('only the order names this file: no call that succeeded read or wrote it');
}

function failedOn(path: string, failed: readonly Ran[]): string | undefined {
  const call = failed.find((one) => mentions(one.text(), path))?.call;
  if (call === undefined) return undefined;
  return call.status === 'unknown'
    ? `it is not known whether ${call.tool} took effect`
    : `the call of ${call.tool} for it failed`;
}

function referenceClaim(text: string, sentence: string, { all, failed, heard: told, order, worked }: Known): Claim[] {
  const plain = text.toLowerCase();
  const from =
    worked.find((one) => one.text().includes(plain)) ??
    failed.find((one) => one.text().includes(plain) || one.call.error?.toLowerCase().includes(plain));
  if (from !== undefined || told.includes(plain) || order.includes(plain))
    return [supported('number', text, sentence, from === undefined ? [] : [from.call.callId])];
  // `#482` is known where 482 is.
  const bare = /^[#!](\d+)$/.exec(text)?.[1];
  if (bare !== undefined && new RegExp(`(?<!\\d)${bare}(?!\\d)`).test(all)) return [];
  return [unsupported('number', text, sentence, 'no tool result and no word of the order holds this reference')];
}

function addressClaim({ kind, text }: Named, sentence: string, { failed, heard: told, order, worked }: Known): Claim[] {
  const plain = text.toLowerCase().replace(/\/+$/, '');
  const call = [...worked, ...failed].find((one) => one.text().includes(plain))?.call;
  if (call === undefined && !told.includes(plain) && !order.includes(plain))
    return [unsupported('file', text, sentence, 'no tool result and no word of the order holds this address')];
  return kind === 'mail' ? [] : [supported('file', text, sentence, call === undefined ? [] : [call.callId])];
}

/** The verb of writing belongs to this very file: `saved to x`, `已导出到 x`, `x has been written`. */
function madeIn(clause: string, { at, text }: Named): boolean {
  const before = clause.slice(Math.max(0, at - 60), at);
  const after = clause.slice(at + text.length, at + text.length + 40);
  return (
    /\b(?:wrote|written|saved|stored|created|generated|exported|produced|appended|attached|uploaded|rendered|dumped)\b/i.test(
      before,
    ) ||
    /^\W{0,3}\s?(?:has been|have been|was|were|is|are|is now)? ?(?:now )?(?:written|saved|created|generated|exported|produced|attached|ready|filled)\b/i.test(
      after,
    ) ||
    /(?:写入|写到|保存(?:到|在|至|为)?|存(?:入|到|为)|创建了?|生成了?|导出(?:到|至|为)?|附(?:上|在)|上传了?)[^，。]{0,16}$/.test(
      before,
    ) ||
    /^[^，。]{0,3}(?:已|也)(?:经|被)?(?:写|保存|创建|生成|导出|附|上传)/.test(after)
  );
}
