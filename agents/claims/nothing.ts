/** Reports that say that something is done and nothing else. */
import type { Json } from '../../src/domain/json.js';
import { type Claim, unsupported } from './claim.js';
import { demandsOf } from './demand.js';
import type { Evidence } from './evidence.js';
import { stemmed } from './name.js';
import { withoutReassurance } from './polarity.js';
import { familiesIn } from './ran.js';
import type { Statement } from './statement.js';
import { namesIn } from './target.js';
import { textsOf } from './text.js';
import { completion, lookWords, words } from './wording-en.js';
import { chineseCompletion } from './wording-zh.js';

const completionWords = words(completion);
const says =
  /\b(?:done|complete[ds]?|completion|finish(?:ed)?|success(?:ful|fully)?|succeeded|ok(?:ay)?|all set|ready|accomplished|achieved|fulfilled|handled|taken care|wrapped up|executed|performed|carried out|processed|delivered)\b|完成|完毕|搞定|成功|处理|结束|办妥|到位|落实|达成|圆满|就绪|已/i;

/** The goal can only be reached by looking at the world or by changing it. */
const outside =
  /\b(?:database|server|repository|repo|website|web|internet|online|inbox|calendar|log|logs|table|spreadsheet|current|latest|today|search|look up|find out|count|fetch|download|check|read|list|query|measure|monitor|run|deploy|send|e?mail|delete|refund|restart|book|order)\b|查询|查一下|查找|搜索|统计|读取|检查|运行|部署|发送|删除|退款|重启|预订|日志|数据库|文件|最新|当前|今天|核对/i;
const ofTheHead =
  /\b(?:explain|translate|rephrase|rewrite|proofread|describe|define|brainstorm|suggest|recommend|advise|summari[sz]e the following|what (?:is|are|does)|why|how (?:do|does|can|to|would|should|is|are)|difference between|(?:write|compose|draft|tell|create|give|make|invent)(?: me| us)?(?: [\w-]+){0,4} (?:poem|story|joke|haiku|limerick|essay|song|letter|slogan|description|introduction|function|code|speech|outline|plan|paragraph|sentence|names?|ideas|tips|example|examples|recipe|riddle|dialogue|lines|headlines?|titles?|taglines?|mottos?|captions?|verses?|lyrics|toast|greeting|subject lines?|posts?|tweets?|questions|quiz|phrases?|words|arguments?|analogy|metaphor|summary of the plot))\b|翻译|解释|说明|介绍|什么是|为什么|为何|如何|怎么|润色|改写|写(?:一|几)?[首篇个段封则句]|作(?:一|几)?首|举例|起(?:个|一个)?名|编(?:一)?[个段]|想(?:几|一)?个|建议|讲(?:一)?个/i;

/** Whether knowledge and words are all that the goal takes. */
export const needsNoTool = ({ grounds }: Evidence): boolean =>
  ofTheHead.test(grounds.goal) &&
  grounds.files.length === 0 &&
  namesIn(grounds.goal.slice(0, 4_000)).length === 0 &&
  !/\b(?:our|latest|current|today|online|database|logs?)\b|最新|当前|今天|数据库|日志|我们的/i.test(grounds.goal);

export function nothingClaim(
  result: Json,
  summary: string,
  evidence: Evidence,
  statements: readonly Statement[],
): Claim | undefined {
  const { grounds, ran } = evidence;
  const text = [...wordsIn(result), summary].join(' \n ').trim();
  const worked = ran.filter((one) => one.worked);
  const changed = worked.some((one) => one.changes && !one.name.has('delegate'));
  const fruitful = grounds.children.some(({ status }) => status === 'done' || status === 'partial');
  if (text === '') {
    return changed || fruitful
      ? undefined
      : unsupported('nothing', 'empty', '', 'the result is empty, and nothing was changed that could be the result');
  }
  if (isOnlyCompletion(text, evidence)) {
    if (changed && fits(evidence)) return undefined;
    if (fruitful && worked.length === 0) return undefined;
    if (statements.some((one) => one.admits)) return undefined;
    return unsupported(
      'nothing',
      'done',
      text,
      worked.length === 0
        ? 'it only says that it is done, and no tool has run'
        : 'it only says that it is done: no answer is in it, and no call that ran does what was asked',
    );
  }
  const material = grounds.context !== '' || grounds.told.length > 0 || grounds.goal.length > 400;
  if (worked.length > 0 || grounds.children.length > 0 || material || needsNoTool(evidence)) return undefined;
  if (statements.some((one) => one.admits)) return undefined;
  return isAboutWorld(grounds)
    ? unsupported('nothing', 'done', text, 'the goal takes a tool, and none has given a result')
    : undefined;
}

/** Nobody can meet the goal by thinking: it is about something that must be looked at or changed, or a deed of no known kind. */
function isAboutWorld({ files, goal }: Evidence['grounds']): boolean {
  if (files.length > 0 || demandsOf(goal).length > 0) return true;
  if (outside.test(goal) && (namesIn(goal).length > 0 || asksForChange(goal))) return true;
  if (ofTheHead.test(goal)) return false;
  if (/[\u4e00-\u9fff]/.test(goal) && outside.test(goal) && !material.test(goal)) return true;
  return !knowledge.test(goal) && !(sought.test(goal) && material.test(goal));
}

/** It asks, or it orders what a head can do. */
/** It may stand in the goal itself: `find x: 2x = 6`, `count the words in "a b"`. */
const sought = /^\W*(?:please )?(?:find|count|extract|determine|evaluate|analy[sz]e|check|show)\b/i;
const material = /[:：="“「]|\d\s*[-+*/×÷^]\s*\d|\b(?:of|for|that) \d/;
const knowledge =
  /[?？吗呢]|^\W*(?:please |kindly |now )*(?:who|what|which|when|where|why|how|is|are|does|do|did|can|list|name|give|tell|say|calculate|compute|convert|sort|compare|classify|outline|summari[sz]e|solve|add|sum|multiply|divide|estimate|rank|prove|derive|show|define|identify|pick|choose|decide|guess|think|imagine|answer|rewrite|correct|complete|continue|discuss|reverse|spell|draft|write|compose|plan|design)\b|什么|多少|几|哪|谁|怎|为何|是否|^[^\u4e00-\u9fff]*(?:请你?|帮我|麻烦你?)?(?:列出|列举|计算|换算|排序|比较|总结|概括|求|算|回答|判断|写|说|讲|编|想|给出|给我|评价|讨论|证明|推导|介绍|设计|补全|续写|解)/i;

const asksForChange = (goal: string): boolean => {
  const families = familiesIn(new Set(goal.toLowerCase().split(/[^\p{L}]+/u)));
  return (
    families.size > 0 ||
    /写入|保存|发送|删除|部署|运行|退款|支付|重启|创建|更新|上传|预订|下单|通知|修改|修复/.test(goal)
  );
};

/** Some changing call is of the kind that the goal asks for, as far as names tell. */
function fits({ grounds, ran }: Evidence): boolean {
  const asked = familiesIn(new Set(grounds.goal.toLowerCase().split(/[^\p{L}]+/u)));
  const changing = ran.filter((one) => one.worked && one.changes);
  return (
    asked.size === 0 ||
    changing.some(({ families }) => families.size === 0 || [...families].some((family) => asked.has(family)))
  );
}

/** Texts and figures; `true`, `"ok"` and their like are words of completion. Keys count as words. */
function wordsIn(result: Json): string[] {
  if (result === null) return [];
  if (typeof result === 'number') return [String(result)];
  if (result === true) return ['done'];
  if (typeof result !== 'object') return textsOf(result);
  if (Array.isArray(result)) return (result as readonly Json[]).flatMap(wordsIn);
  return Object.entries(result).flatMap(([key, value]) =>
    value === true ? [key.replaceAll(/[_-]/g, ' ')] : wordsIn(value),
  );
}

/** `The explanation has been provided.` */
const inTheEnd = /\b(?:has|have|is|are|was|were)\b(?: now| all| been){0,2} \w+(?:ed|en|ne)\b/i;

function isOnlyCompletion(text: string, { grounds: { goal }, ran }: Evidence): boolean {
  if (text.length > 400 || !(says.test(text) || inTheEnd.test(text) || marked.test(text))) return false;
  const asked = new Set(goal.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  const askedStems = [...asked].filter((word) => word.length > 2).map((word) => stemmed(word).slice(0, 5));
  // What it did is said by the names of its tools.
  const tools = new Set(ran.flatMap(({ name }) => [...name]));
  const left = withoutReassurance(text)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(
      (word) =>
        word !== '' &&
        !completionWords.has(word) &&
        !asked.has(word) &&
        !tools.has(word) &&
        !lookings.has(word) &&
        !askedStems.some((stem) => stem.length > 2 && word.startsWith(stem)) &&
        !/^[a-z]{3,}ed$/.test(word),
    )
    .join(' ')
    .replace(allOfThem, ' ')
    .replace(chineseCompletion, '')
    .replace(chineseLooking, '')
    .split('')
    .filter((c) => !/[\u4e00-\u9fff]/.test(c) || !goal.includes(c))
    .join('');
  return left.trim() === '';
}

const marked = /\b[a-z]{3,}ed\b|[✓✔✅☑👍🎉💯]/iu;
const lookings = words(`${lookWords} against by at on from about between via through over as computation calculation`);
/** `All three are done` counts what was ordered. */
const allOfThem = /\b(?:both|all(?: (?:two|three|four|five|six|seven|eight|nine|ten))?)\b/g;
const chineseLooking =
  /统计|查询|查看|检查|核对|汇总|分析|计算|整理|读取|审阅|搜索|扫描|处理|调查|收集|比较|对比|总结|逐[个一份条项]|报告/g;
