/** What an order asks to be changed in the world: the effects without which it is not met. */
import { sentencesOf, wordsOnly } from './clause.js';
import { chineseForm, englishForm } from './deed.js';
import type { Family } from './family.js';
import { contentOf } from './known.js';
import { namesIn } from './target.js';

export interface Demand {
  /** The words of the order. */
  readonly text: string;
  readonly verb: string;
  readonly forms: readonly string[];
  /** Empty: some effect, whichever. */
  readonly families: ReadonlySet<Family>;
  /** It may rightly not have been done: `if …`. */
  readonly conditional: boolean;
  /** Stems of what it is about. */
  readonly about: readonly string[];
}

const mostGoal = 4_000;

export function demandsOf(goal: string): Demand[] {
  return sentencesOf(goal.slice(0, mostGoal)).flatMap((sentence) => {
    if (/^["“「]/.test(sentence)) return [];
    const held = conditional.test(sentence);
    return clausesOf(sentence).flatMap((clause) => demandIn(clause).map((one) => ({ ...one, conditional: held })));
  });
}

/** It may rightly not have been done. */
export const conditional =
  /\b(?:if|unless|in case|when(?:ever)?|where (?:necessary|needed|possible)|as needed|otherwise|optionally|should (?:it|they|there|any))\b|如果|如有|若|假如|倘|一旦|必要时|需要时|视情况|的话|(?:超过|少于|低于|高于|大于|小于|不足|不到|达到|够)[^，。]{0,16}[，]?(?:就|则|时)|可选/i;
const forbidden = /\b(?:not|never|without|don['’]t|no|avoid|instead of)\b|不[要得能许用必]|别|勿|禁止|无需/i;
const clausesOf = (sentence: string): string[] =>
  sentence
    .split(
      /[,，、;；]|[:：]\s|\s[-–—]\s|\b(?:and|then|but|or|afterwards)\b(?![-_])|(?:然后|随后|接着|最后|并且?|同时|再(?!次|生|见)|后(?=[把将发写通]))/i,
    )
    .map((clause) => clause.trim())
    .filter(Boolean);

function demandIn(clause: string): Demand[] {
  if (forbidden.test(clause)) return [];
  return english(clause) ?? chinese(clause) ?? [];
}

const lead =
  /^(?:please|kindly|also|finally|now|next|first|second|lastly|so|too|hereby|just|(?:can|could|would|will) you(?: please)?|you (?:should|must|have to|are to|need to)|we (?:need|want|have) (?:you )?to|i(?:['’]d| would)? (?:want|need|like) (?:you )?to|make sure (?:to|that you|you)|be sure to|(?:do not|don['’]t) forget to|remember to|your (?:task|job|goal) is to|go (?:and|ahead and)|to|help me(?: to)?|help us(?: to)?)\s+/i;

function english(clause: string): Demand[] | undefined {
  let text = clause;
  for (let last = ''; last !== text; ) {
    last = text;
    text = text.replace(lead, '');
  }
  const [, first = '', second = ''] = /^([A-Za-z][\w'-]*)(?:\s+([\w#@'-]+))?/.exec(text) ?? [];
  if (first === '') return undefined;
  const verb = first.toLowerCase();
  const families = verbFamilies(verb, second.toLowerCase(), text);
  if (families === undefined || (isTelling(verb) && !leavesTheReport(text))) return [];
  const form = englishForm(verb);
  return [demand(clause, verb, form?.forms ?? [verb], families, text.slice(first.length))];
}

/** Verbs of orders that no past form lists. */
const ordered: Readonly<Record<string, string>> = {
  tell: 'send',
  let: 'send',
  warn: 'send',
  brief: 'send',
  nudge: 'send',
  chase: 'send',
  ask: 'send',
  hand: 'send move',
  give: 'send change pay',
  put: 'change move',
  enter: 'change',
  mark: 'change',
  fill: 'change',
  fix: 'change',
  tidy: 'change remove',
  clean: 'remove change',
  kill: 'remove deploy',
  kick: 'run deploy',
  bring: 'move deploy change',
  turn: 'change deploy',
  settle: 'pay',
};
const toTheAsker = /^(?:me|us)$/;

function verbFamilies(verb: string, next: string, text: string): ReadonlySet<Family> | undefined {
  if (toTheAsker.test(next) || /\bto (?:me|us)\b/.test(text)) return undefined;
  const form = englishForm(verb);
  if (form?.isBase === true && [...form.families].every((family) => family !== 'look' && family !== 'call'))
    return form.families;
  const listed = ordered[verb];
  return listed === undefined ? undefined : new Set(listed.split(' ') as Family[]);
}

/** What these verbs ask for may be the report itself: a summary that is written, a list that is created. */
const telling = new Set(
  'write create generate draft record format convert replace correct edit add answer reply share announce submit deliver report log label tag file assign order scale clear forward resolve import export insert close run execute compile print give ask tell let put mark fill arrange process reset place build test plan start stop pause'.split(
    ' ',
  ),
);
const isTelling = (verb: string): boolean => telling.has(verb);
const system =
  /\b(?:database|db|tickets?|calendar|repo(?:sitory)?|spreadsheet|folder|directory|wiki|crm|erp|issues?|entr(?:y|ies)|accounts?|channel|inbox|mailbox|server|cluster|queue|job|pipeline|suite|tests|scripts?|migration|bills?|invoices?|customers?|clients?|team|board|manager|owner|on-call|branch|merge request|pull request|pr|mr|file|backup|service|container|instance|node|cache|index|table|label|slot|room|desk|record|order|bug|case|meeting|event|appointment)\b/i;
const person =
  /^(?:tell|ask|let|give|warn)\s+(?!me\b|us\b|it\b|what\b|which\b|how\b|whether\b|the (?:total|answer|result|sum|number|count)|a \w+ (?:of|for)\b|an? )/i;

/** `give Ana access`, `give the customer a refund`; `give the units sold` asks for words. */
const given =
  /^give\s+(?:him|her|them|everyone|everybody|@?[A-Z][a-z]+\b|(?:the|our|each|every|all|both) (?:\w+ ){0,2}?(?:customers?|clients?|team|users?|staff|owner|manager|guests?|patients?|tenants?|students?|parents?|colleagues?)\b)/;

const leavesTheReport = (text: string): boolean =>
  (/^give\b/i.test(text) ? given.test(text) : person.test(text)) ||
  (!/^(?:scale|convert|resolve|order|process)\b/i.test(text) && namesAPlace(text)) ||
  system.test(text);

/** A file, a mail address, a channel. What is scaled or converted may be what a file says. */
const namesAPlace = (text: string): boolean =>
  namesIn(text).some(({ kind }) => kind === 'file' || kind === 'mail') || /(?:^|\s)[#@]\w/.test(text);

const inChinese = (clause: string): string => wordsOnly(clause);
const nominal =
  /^(?:接口|工具|方式|方法|流程|记录|功能|用例|脚本|策略|规则|率|单|时间|状态|结果|日期|页面|情况|数量?|人数|金额|次数|额|量|的)/;
const disposal = /(?:把|将)([^，。；]{1,40})$/;

function chinese(clause: string): Demand[] | undefined {
  if (!/[\u4e00-\u9fff]/.test(clause)) return undefined;
  const plain = inChinese(clause);
  const found = chineseForm(plain).filter(
    ({ at, form, families }) =>
      !families.has('look') &&
      !families.has('call') &&
      !nominal.test(plain.slice(at + form.length)) &&
      !/[的已]$/.test(plain.slice(0, at)),
  );
  const [one] = found;
  if (one !== undefined) {
    if (isWordsOnly.test(one.form) && !leavesInChinese(clause)) return [];
    return [demand(clause, one.form, one.forms, one.families, plain.replace(one.form, ' '))];
  }
  const tell = /(?:告诉|通知|告知|提醒|催|联系|转告|知会)(?!我|一下我)/.exec(plain);
  if (tell !== null)
    return [demand(clause, tell[0], [tell[0]], new Set<Family>(['send']), plain.slice(tell.index + tell[0].length))];
  return disposal.test(plain) && !/(?:翻译|改写|总结|概括|列|算|整理|说明|解释|介绍)/.test(plain)
    ? [demand(clause, '把', ['把'], new Set(), plain)]
    : [];
}

const isWordsOnly =
  /^(?:写|撰写|编写|生成|创建|建立|记录|输出到|修改|修正|转换|处理|添加|新增|加入|替换|调整|归类|标记|安排|解决|运行|执行|设置)/;
const leavesInChinese = (clause: string): boolean =>
  namesIn(clause).some(({ kind }) => kind === 'file' || kind === 'mail') ||
  /[#@]\w|数据库|工单|日历|表格|文件|目录|系统|频道|仓库|服务|服务器|节点|测试|脚本|任务|客户|经理|店长|老师|家长|主管|同事|账户|账号|订单|会议|日程|发票|合同|分支|流水线/.test(
    clause,
  );

const demand = (
  text: string,
  verb: string,
  forms: readonly string[],
  families: ReadonlySet<Family>,
  object: string,
): Demand => ({
  text,
  verb,
  forms,
  families,
  conditional: false,
  about: contentOf(object),
});
