/**
 * Figures that prose states: `total revenue was 1,234.50 USD`, `共 42 个错误`. Looked for from the number outwards, so
 * that text without digits costs nothing.
 */

export interface Figure {
  readonly key: string;
  readonly value: number;
  /** Currency, percent sign or measure, as written. */
  readonly unit?: string;
  readonly confidence: number;
  readonly position: number;
}

const numberPattern =
  /(?<![\w.:/#@-])(?<!\d,)(?:([$€£¥￥])\s?)?(-?(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(?:\.\d{1,8})?)(?![\w]|[.:/,-]\d)/g;
const mostNumbers = 1_000;
const reach = 100;

export function figuresIn(text: string): Figure[] {
  const found: Figure[] = [];
  let looked = 0;
  for (const match of text.matchAll(numberPattern)) {
    if (++looked > mostNumbers) break;
    const end = match.index + match[0].length;
    const figure = figureAt(clauseBefore(text, match.index), text.slice(end, end + 40), match);
    if (figure !== undefined) found.push({ ...figure, position: match.index });
  }
  return found;
}

/** The words before the number, from the beginning of their clause. */
const clauseBefore = (text: string, at: number): string =>
  text
    .slice(Math.max(0, at - reach), at)
    .split(/[.!?;:](?=\s)|[\n,，。；：！？、(（|]/)
    .at(-1) ?? '';

const range = /^\s*(?:-|–|—|~|～|to\b|or\b|through\b|至|到|或)\s*\d/;
const hypothetical =
  /\b(?:if|unless|suppose|assum\w+|imagine|whether|would|could|might|may|should|between|from|not|never|no longer|least|most|than|step|section|chapter|page|figure|line|version|row)\b|n't\b|如果|假如|假设|若|要是|是否|可能|也许|不是|没有|不到|不足|至少|至多|最多|介于|版本|步骤|章节/i;
const hedge = /\b(?:about|around|approximately|roughly|nearly|almost|over|some)\b|~|≈|约|大概|左右|近|超过/i;

function figureAt(before: string, after: string, match: RegExpMatchArray): Omit<Figure, 'position'> | undefined {
  if (range.test(after) || hypothetical.test(before) || asks(after)) return undefined;
  const value = Number((match[2] ?? '').replaceAll(',', ''));
  const measure = measureOf(after, match[1]);
  if (measure === undefined) return undefined;
  const named = subjectOf(before, value, measure.unit) ?? countedOf(before, measure.rest, measure.unit);
  if (named === undefined) return undefined;
  const doubt = hedge.test(before) || hedge.test(after.slice(0, 8)) ? 0.8 : 1;
  return {
    key: named.key,
    // Rounded where the factor leaves dust: 1.1 × 10,000.
    value: Math.round(value * measure.factor * 1e8) / 1e8,
    ...(measure.unit === undefined ? {} : { unit: measure.unit }),
    confidence: Math.round(named.confidence * doubt * 100) / 100,
  };
}

/** The sentence goes on to a question mark. */
const asks = (after: string): boolean => /^[^.!。！\n]*[?？]/.test(after);

interface Measure {
  readonly factor: number;
  readonly unit?: string;
  /** What follows number and unit. */
  readonly rest: string;
}

const factors: Readonly<Record<string, number>> = {
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  千: 1e3,
  万: 1e4,
  百万: 1e6,
  亿: 1e8,
};
const unitPattern =
  /^\s?(%|％|percent\b|(?:USD|EUR|GBP|CNY|RMB|JPY|CHF)\b|dollars?\b|euros?\b|pounds?\b|yuan\b|ms\b|seconds?\b|minutes?\b|hours?\b|days?\b|weeks?\b|months?\b|years?\b|[kmgt]i?b\b|bytes\b|tokens\b|km\b|kg\b|meters?\b|metres?\b|°[CF]|degrees\b|元|美元|欧元|人民币|毫秒|分钟|小时|天|周|公里|千米|米|公斤|千克|吨|度|摄氏度|兆|字节|平方米|岁|倍|秒)/i;
/** Parts of a date or a time of day. */
const calendar =
  /^\s?(?:年|月|日|号|点|时|st\b|nd\b|rd\b|th\b|am\b|pm\b|a\.m|p\.m|o'clock|(?:january|february|march|april|may|june|july|august|september|october|november|december)\b)/i;

function measureOf(after: string, currency: string | undefined): Measure | undefined {
  if (calendar.test(after)) return undefined;
  const magnitude = /^\s?(thousand|million|billion|百万|千(?![米克])|万|亿)/i.exec(after);
  const rest = after.slice(magnitude?.[0].length ?? 0);
  const unit = unitPattern.exec(rest);
  return {
    factor: factors[magnitude?.[1]?.toLowerCase() ?? ''] ?? 1,
    ...(unit?.[1] !== undefined ? { unit: unit[1] } : currency === undefined ? {} : { unit: currency }),
    rest: rest.slice(unit?.[0].length ?? 0),
  };
}

interface Named {
  readonly key: string;
  readonly confidence: number;
}

const englishVerb =
  /^(.*?)\s*(?:\b(?:is|was|are|were|equals|equalled|reached|totals|total+ed|amounts to|amounted to|comes to|came to|stands at|stood at|rose to|fell to|dropped to|grew to|increased to|decreased to|climbed to|hit))\s+(?:(?:now|currently|only|just|exactly|about|around|approximately|roughly|nearly|almost|over|some|~|≈)\s*)*$/i;
const chineseVerb =
  /([\u4e00-\u9fffA-Za-z]{2,14}?)(?:约为|共为|为|是|达到了?|达|共计|等于|增至|升至|降至|增加到|减少到|合计|总计|=)\s*(?:约|大约|仅|共|近|超过)?\s*$/;
const pronouns =
  /^(?:it|this|that|these|those|he|she|they|we|you|i|there|here|which|what|who|one|answer|result|time|date|day|today|now)$/i;

/** `total revenue was 5`, `总收入为 5`. */
function subjectOf(before: string, value: number, unit: string | undefined): Named | undefined {
  // A bare number that may be a year says too little.
  const year = unit === undefined && Number.isInteger(value) && value >= 1900 && value <= 2100;
  if (year && !/(?:数|量|额|count|number|total|rows|items)/i.test(before)) return undefined;
  const english = englishVerb.exec(before);
  if (english !== null) {
    const key = nounPhrase(english[1] ?? '');
    return key === undefined ? undefined : { key, confidence: 0.65 };
  }
  const chinese = chineseVerb
    .exec(before)?.[1]
    ?.replace(/^(?:其中|其|该|本|此|这个|那个|今天的?|目前的?|当前的?|而|且|的|了|在)+/, '');
  if (chinese === undefined || chinese.length < 2 || /^[这那他她它我你谁哪]|的$|结果$|答案$/.test(chinese))
    return undefined;
  return { key: chinese, confidence: 0.65 };
}

const opening =
  /^(?:(?:the|a|an|its|their|our|your|his|her|my|this|that|and|but|so|then|now|also|meanwhile|overall|currently|in total|here)\s+)+/i;

function nounPhrase(words: string): string | undefined {
  const last =
    words.split(/\b(?:that|which|because|says?|shows?|said|means|but|so|while|where|when|and)\b/i).at(-1) ?? '';
  const phrase = last.trim().replace(opening, '').replace(/\*+/g, '').trim();
  const count = phrase.split(/\s+/).length;
  const fine = /^[A-Za-z][\w' /-]*$/.test(phrase) && count <= 6 && !pronouns.test(phrase) && !/\d/.test(phrase);
  return fine ? phrase : undefined;
}

const englishCount =
  /\b(?:there (?:is|are|was|were)|has|have|had|contains?|contained|found|returned|processed|includes?|included|lists?|listed|a total of|total of|got|received|removed|deleted|added|detected|counted|imported|exported|skipped|created|updated|matched|produced|yielded|reports?|reported)\s+(?:(?:now|currently|only|just|exactly|about|around|approximately|roughly|nearly|almost|over|some|a total of)\s+)*$/i;
const englishThing = /^\s+((?:[a-z][a-z-]*\s+){0,2}?[a-z][a-z-]*s)\b(?!\s+(?:ago|old|later|earlier))/i;
const chineseCount =
  /(?:总共|一共|共计|共有|合计|总计|共|有|发现|找到|包含|包括|得到|返回|处理|检测到|剩余|还有|剩下|存在|导入|导出|删除|新增|匹配到?|统计出?|收到|生成)了?\s*(?:约|大约|仅|近)?\s*$/;
const chineseThing =
  /^\s*(?:个|条|件|名|位|台|份|张|家|种|项|笔|处|封|组|套|只|支|本|辆|座|部|款|次|行|列|页|人)?\s*(?:的)?([\u4e00-\u9fffA-Za-z]{1,8}?)(?=[,，。；、！!：:\s)）]|$|中|在|被|需要|没有|和|与|是)/;
const chineseMeasure = /^\s*(次|行|列|页|人|条|项|个)(?=[,，。；、！!\s]|$)/;

/** `found 42 errors`, `共 42 个错误`. */
function countedOf(before: string, rest: string, unit: string | undefined): Named | undefined {
  if (unit !== undefined) return undefined;
  if (englishCount.test(before)) {
    const thing = englishThing.exec(rest)?.[1];
    const cut = thing?.split(/\s+(?:in|of|on|at|from|with|for|and|that|is|was)\s+/)[0];
    if (cut !== undefined && !/\b(?:times|points|this|was|is|has)$/i.test(cut)) return { key: cut, confidence: 0.6 };
    return undefined;
  }
  if (!chineseCount.test(before)) return undefined;
  const key = chineseMeasure.exec(rest)?.[1] ?? chineseThing.exec(rest)?.[1];
  return key === undefined ? undefined : { key, confidence: 0.6 };
}
