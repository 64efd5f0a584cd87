/** Thoughts that claim a result, held against the results that there are. */
import { overlap, wordsOf } from './overlap.js';
import type { ReasoningTree, ThoughtNode } from './tree.js';

/** What a tool gave in a round. */
export interface KnownResult {
  readonly round: number;
  readonly tool: string;
  /** Its text, or the beginning of it. */
  readonly text: string;
}

export interface Claim {
  /** Id of the thought. */
  readonly node: string;
  readonly trusted: boolean;
  /** Index of the result that it refers to. */
  readonly result?: number;
  /** Why not, in words for the model. */
  readonly reason?: string;
}

/** Says that something was run, read, found or shown; what is planned, asked or doubted is no claim. */
const claims =
  /\b(?:tool|search|query|api|call|test|tests|script|command|server|file|log|database|result|results|output|response)s?\b.{0,30}\b(?:returned|returns|showed|shows|found|gave|gives|contains?|said|says|confirmed|confirms|passed|failed|succeeded|reported|listed|is|are)\b|\bi (?:have |already |just )*(?:ran|run|executed|called|checked|verified|tested|searched|read|queried|fetched|looked up|measured|confirmed|found)\b|\baccording to the (?:tool|search|result|output|response|file|log)|(?:工具|搜索|查询|接口|测试|脚本|命令|结果|输出|日志|文件|数据库).{0,12}(?:返回|显示|表明|通过|失败|包含|给出|确认|列出|写着)|我(?:已经?|刚刚?|刚才)?.{0,4}(?:运行|执行|调用|查询|检查|验证|测试|搜索|读取|查到|确认)(?:了|过)/i;
const roundPattern = /\b(?:round|step) (\d{1,3})\b|第 ?(\d{1,3}) ?(?:轮|步)/i;
/** Said as done, whatever the sentence was taken for. */
const done =
  /\b(?:returned|showed|found|gave|confirmed|passed|failed|reported|listed|succeeded)\b|(?:返回|显示|查到|通过|失败|给出|列出|运行|执行)(?:了|过)/i;
const leastOverlap = 0.3;

/** One entry for each claim. A claim that names a round or a tool needs a result of it; another one, a result with its words. */
export function checkEvidence(
  { nodes }: ReasoningTree,
  results: readonly KnownResult[],
  tools: readonly string[],
): Claim[] {
  return nodes.filter((node) => !node.superseded && isClaim(node, tools)).map((node) => judged(node, results, tools));
}

function isClaim({ type, content }: ThoughtNode, tools: readonly string[]): boolean {
  if (type === 'uncertainty' || (type === 'planning' && !done.test(content))) return false;
  return claims.test(content) || (done.test(content) && named(content, tools).length > 0);
}

const named = (content: string, tools: readonly string[]): string[] =>
  tools.filter((tool) => content.toLowerCase().includes(tool.toLowerCase()));

function judged({ id, content }: ThoughtNode, results: readonly KnownResult[], tools: readonly string[]): Claim {
  if (results.length === 0) return { node: id, trusted: false, reason: 'no tool has given a result yet' };
  const round = roundPattern.exec(content);
  const wanted = round === null ? undefined : Number(round[1] ?? round[2]);
  const meant = named(content, tools);
  const fits = results.findLastIndex(
    (result) =>
      (wanted === undefined || result.round === wanted) && (meant.length === 0 || meant.includes(result.tool)),
  );
  if (wanted !== undefined || meant.length > 0) {
    if (fits !== -1) return { node: id, trusted: true, result: fits };
    const what = [...meant, ...(wanted === undefined ? [] : [`round ${wanted}`])].join(', ');
    return { node: id, trusted: false, reason: `there is no result of ${what}` };
  }
  const words = wordsOf(content);
  const alike = results.findLastIndex(
    ({ tool, text }) => overlap(words, wordsOf(`${tool} ${tool.replaceAll(/[_-]/g, ' ')} ${text}`)) >= leastOverlap,
  );
  return alike === -1
    ? { node: id, trusted: false, reason: 'it names no round and no tool, and no result has its words' }
    : { node: id, trusted: true, result: alike };
}
