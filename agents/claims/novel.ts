/** Events that a report tells and that have to do with nothing in the order, the calls or their results. */

import { type Claim, unsupported } from './claim.js';
import { clausesOf, wordsOnly } from './clause.js';
import { deedsIn } from './deed.js';
import type { Evidence } from './evidence.js';
import { contentOf, stemOf } from './known.js';
import type { Passage } from './passage.js';
import { asserts } from './polarity.js';
import { completion, doubtfulPast, irregularPast, mental, words } from './wording-en.js';

const pasts = words(irregularPast);
const doubtful = words(doubtfulPast);
const ofTheMind = words(mental);
/** What any report is made of: steps, tasks, results. */
const ofCompletion = new Set([...words(completion)].map(stemOf));
const mindStems = new Set([...ofTheMind].map(stemOf));
const han = /[\u4e00-\u9fff]/g;

export function novelClaims(passages: readonly Passage[], { known }: Evidence): Claim[] {
  const goalIsChinese = isChinese(known.order);
  // A source in another language is retold in words that it does not have.
  if (known.heard.length > 400 && isChinese(known.heard) !== goalIsChinese) return [];
  return passages.flatMap(({ key, value }) => {
    if (typeof value !== 'string' || key !== '') return [];
    return clausesOf(value).flatMap(({ sentence, text }) => {
      if (isChinese(text) !== goalIsChinese || !asserts(text)) return [];
      // In English, what one clause denies or plans, the next goes on with.
      if (!goalIsChinese && !asserts(sentence)) return [];
      // Deeds of known kinds are held against the calls.
      if (deedsIn({ text, before: '', isHead: false }).length > 0) return [];
      const event = goalIsChinese ? chineseEvent(text, known.all) : englishEvent(text, known.all);
      return event === undefined
        ? []
        : [unsupported('action', event, text, 'it has to do with nothing in the order, the calls or their results')];
    });
  });
}

const isChinese = (text: string): boolean => (text.match(han)?.length ?? 0) * 4 > text.length;

/** Nothing but the words `but` is known. @param all what is known, in lower case. @param least words there must be */
export const isNovel = (clause: string, but: readonly string[], all: string, least = 2): boolean => {
  const content = contentOf(clause).filter(
    (stem) => !ofCompletion.has(stem) && !but.some((word) => word.startsWith(stem)),
  );
  return content.length >= least && content.every((stem) => !all.includes(stem));
};

function englishEvent(clause: string, all: string): string | undefined {
  const tokens =
    wordsOnly(clause)
      .toLowerCase()
      .match(/[a-z][a-z'-]*/g) ?? [];
  if (/\bgot (?:through|to|as far|only|about)\b/i.test(clause)) return undefined;
  if (tokens.some((word) => ofTheMind.has(word) || mindStems.has(stemOf(word)))) return undefined;
  const verb = tokens.find(
    (word, at) =>
      (/ing$/.test(word) && /^(?:after|by|having|upon|through)$/.test(tokens[at - 1] ?? '')) ||
      (doubtful.has(word) && /^(?:i|we)$/.test(tokens[at - 1] ?? '')) ||
      ((pasts.has(word) || /^[a-z]{3,}ed$/.test(word)) && !attributive.test(tokens[at - 1] ?? '')),
  );
  return verb !== undefined && isNovel(clause, [verb], all) ? verb : undefined;
}
const attributive = /^(?:the|an?|this|these|those|of|with|by|any|some|all|its|their|our|your)$/;

/** Signs of what has come about: 了, 过, 已. */
const perfect = /[\u4e00-\u9fff]了|过了?$|已|完毕|妥当?$/;
const headWork = /算|汇总|返回|得出|整理|总结|归纳|比较|舍|取整|估|考虑|采用|参考|列|说明|分析|理解/;
const stop =
  /[的了是在和与及或也都已把被给将就还要这那有为对从到并我你您他她它们个里上下中后前过着得地之其于而以可能会来去说一二三四五六七八九十两几全部所有次项条份名经并且其余另外同时均再又完成好]/g;

function chineseEvent(clause: string, all: string): string | undefined {
  if (!perfect.test(clause) || headWork.test(clause)) return undefined;
  const letters = [...new Set(clause.match(han)?.join('').replace(stop, '') ?? '')];
  const unseen = letters.filter((letter) => !all.includes(letter));
  if (unseen.length < 4 || unseen.length * 4 < letters.length * 3) return undefined;
  return clause.slice(0, 12);
}
