/** Whoever a report says has told or confirmed something: a source that neither the order nor the journal knows. */

import { type Claim, unsupported } from './claim.js';
import { clausesOf, wordsOnly } from './clause.js';
import type { Evidence } from './evidence.js';
import { contentOf } from './known.js';
import type { Passage } from './passage.js';
import { withoutReassurance } from './polarity.js';

const noun =
  "((?:the |our |its |their |two |three |four |five |both |several |various |different |multiple )?[\\p{L}\\d][\\p{L}\\d_.'-]*(?: (?:and )?(?!(?:the|a|an|is|are|was|were|it|its|there|this|that|we|i|you|they|he|she|all|both|to|of|in|on|at|for|with|has|have|had)\\b)[\\p{L}\\d][\\p{L}\\d_.'-]*){0,3})";
/** What comes behind these words has spoken. */
const saidBy = [
  new RegExp(
    `\\b(?:according to|as per|courtesy of|as (?:reported|shown|confirmed|stated|given) by)\\s+${noun}`,
    'giu',
  ),
  new RegExp(`(?:^|[.;,(]\\s*)Per\\s+${noun}`, 'gu'),
  new RegExp(
    `\\b(?:confirmed|verified|validated|corroborated|(?:cross-|double-|re-?)?checked|compared|reconciled|matched|backed(?: up)?)\\s+(?:\\w+\\s){0,3}?(?:by|with|against|in|via|using|on)\\s+${noun}`,
    'giu',
  ),
  new RegExp(
    `(?:^|[,;(]\\s?|\\band\\s)${noun}\\s+(?:both |all |each |also )?(?:confirms?|agrees?|concurs?|corroborates?|passes|passed|is quiet|are quiet|is happy|is clean)\\b`,
    'giu',
  ),
];
/** In Chinese text, a Latin name behind a word of means, or before a word of checking. */
const byHan = [
  /(?:用|经|通过|借助|调用|靠|拿|走|据|根据|来自)(?:了|过)?\s?[`"“「]?([A-Za-z][\w.-]{2,30})/g,
  /([A-Za-z][\w.-]{2,30})[`"”」]?\s?(?:[和与、及]\s?[`"“「]?([A-Za-z][\w.-]{2,30})[`"”」]?\s?)?(?:等)?(?:接口|平台|工具)?(?:检查|核对|核实|复核|确认|校验|验证|测试|显示|返回|扫描)/g,
  /([\u4e00-\u9fff]{2,6})(?:[和与、]([\u4e00-\u9fff]{2,6}))?[一二两三几]?[个家]?(?:接口|平台|数据库|官网|系统)(?:都|均|也)?(?:核对|核实|确认|显示|查过|查证|比对|验证)/g,
];
/** These are the order, the results, or nobody. */
const common =
  /^(?:the |our |its |their )?(?:data|results?|output|figures?|numbers?|tables?|rows?|records?|reports?|files?|logs?|documents?|text|request|instructions?|order|plan|rules?|goal|task|question|tool|tools|call|calls|response|index|list|it|them|this|that|hand|eye|me|you|us|source|sources|sub-?agents?|executors?|children|above|below|first|second|last|one|all|each|both|calculation|arithmetic|formula|totals?|sums?|spec(?:ification)?|requirements?|schema|everything|everyone|nobody|nothing)\b/i;

export function sourceClaims(passages: readonly Passage[], { known }: Evidence): Claim[] {
  return passages.flatMap(({ value }) =>
    typeof value === 'string'
      ? clausesOf(value).flatMap(({ sentence, text }) => {
          if (denied.test(withoutReassurance(wordsOnly(text)))) return [];
          return sourcesIn(text).flatMap((source) => {
            const stems = contentOf(source);
            if (stems.length === 0 || stems.some((stem) => known.all.includes(stem))) return [];
            return [
              unsupported(
                'tool',
                source,
                sentence,
                `nothing that ran and no word of the order has to do with ${source}`,
              ),
            ];
          });
        })
      : [],
  );
}

const denied =
  /\b(?:not|never|cannot|could|would|should|will|if|unable|failed|please)\b|n['’]t\b|[没未无]|不能|无法|应该|建议|可以|请|如果/i;

const sourcesIn = (clause: string): string[] => [
  ...saidBy
    .flatMap((pattern) => [...clause.matchAll(pattern)].map(([, name = '']) => name.trim()))
    .filter((name) => !common.test(name)),
  ...(/[\u4e00-\u9fff]/.test(clause)
    ? byHan.flatMap((pattern) =>
        [...clause.matchAll(pattern)].flatMap(([, ...names]) =>
          names.filter((name): name is string => name !== undefined),
        ),
      )
    : []),
];
