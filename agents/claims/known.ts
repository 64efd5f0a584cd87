/** All that the order, the calls and the children hold, as one text to look words up in. */
import type { Grounds } from './grounds.js';
import { wordsOfName } from './passage.js';
import { heard, orderText, type Ran } from './ran.js';

export interface Known {
  /** What others said: results, children, context, humans; lower case. */
  readonly heard: string;
  /** What the order hands over; lower case. */
  readonly order: string;
  /** Both, with the arguments, the failures and the names of tools; lower case. */
  readonly all: string;
}

export function knownFrom(grounds: Grounds, ran: readonly Ran[]): Known {
  const told = heard(grounds, ran);
  const order = orderText(grounds);
  let all: string | undefined;
  return {
    heard: told,
    order,
    get all() {
      all ??= [
        order,
        told,
        ...ran.map((one) => `${one.call.tool} ${wordsOfName(one.call.tool)} ${one.text()} ${one.call.error ?? ''}`),
        ...grounds.tools.map((tool) => `${tool} ${wordsOfName(tool)}`),
        ...grounds.children.map(
          (child) => `${child.agentId} ${child.summary} ${child.tools.map(wordsOfName).join(' ')}`,
        ),
      ]
        .join('\n')
        .toLowerCase();
      return all;
    },
  };
}

const stopWords = new Set(
  'that this these those there here with from into onto about over under than then they them their theirs your yours ours have has had been were was will would could should does did doing done being each every some such only just also very much many more most less least other another which what when where while whose after before again once both either neither because since until upon within without across along among between through during please make made sure know known find found tell told give given take taken them back need needs want wants like first last next still already finally well good fine great right left same new old sent send report result results task order orders open used using based total number numbers value values data item items list'.split(
    ' ',
  ),
);

/** Words and pairs of Han characters that carry meaning, in lower case and cut to their stems. */
export function contentOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{Script=Latin}][\p{Script=Latin}\p{N}'-]{2,}/gu) ?? [];
  const latin = words
    .filter(
      (word) =>
        !/ly$/.test(word) &&
        !stopWords.has(word) &&
        (word.length > 3 || /^[a-z]{3}$/.test(word)) &&
        !shortWords.has(word),
    )
    .map(stemOf);
  const han = (text.match(/[\u4e00-\u9fff]+/g) ?? []).flatMap((run) =>
    run
      .split(/[的了是在和与及或也都已把被给将就还要这那有为对从到并我你您他她它们个里上下中后前均]|成功|顺利|完成/)
      .flatMap((piece) => Array.from({ length: Math.max(0, piece.length - 1) }, (_, at) => piece.slice(at, at + 2))),
  );
  return [...new Set([...latin, ...han])];
}

const shortWords = new Set(
  'the and for are its was not you our out all can has had but one two how who why via per any off now yes get got let put set see say may'.split(
    ' ',
  ),
);

/** `invoices`, `invoiced`, `invoicing`: `invoic`. */
export const stemOf = (word: string): string =>
  word
    .replace(/['’]s$/, '')
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?:ing|ed|es|s|e)$/, (end, at: number) => (at >= 3 ? '' : end))
    .slice(0, 8);
