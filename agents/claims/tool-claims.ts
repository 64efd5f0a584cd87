/** Tools that a report says have run or given something, and test runs that it says went well. */

import { type Claim, supported, unsupported } from './claim.js';
import { clausesOf, wordsOnly } from './clause.js';
import type { Evidence } from './evidence.js';
import type { Passage } from './passage.js';
import type { Ran } from './ran.js';
import { noDeed } from './wording-en.js';
import { noDeedBefore } from './wording-zh.js';

const tokenPattern = /[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+/g;
/** What is said of a tool that ran. */
const ranWords =
  /\b(?:ran|called|used|invoked|queried|executed|via|with|using|through|by|returned?s?|gave|gives|showed|shows|confirmed|confirms|reported|reports|found|said|says|passed|succeeded|responded|output|result|according)\b|调用|使用|运行|执行|通过|返回|显示|给出|确认|结果|输出|用了|经/i;
/** What makes a name that nobody knows the name of a tool. */
const calledTool =
  /\b(?:called|ran|run|used|using|invoked|via|with|executed)\s(?:the\s|a\s)?[`"']?$|调用(?:了|过)?[`"“「]?\s?$|(?:使用|运行|执行|通过)(?:了|过)?[`"“「]?\s?$/i;
const toolAfter =
  /^[`"'”」]?\s?(?:tool|function|api|command|returned|confirmed|showed|reported|gave|passed|succeeded|responded|ran(?! (?:out|into|over|short|late))|found|says|said|and \w+ both returned|工具|接口|函数|返回|显示|给出|确认)/i;

export function toolClaims(passages: readonly Passage[], evidence: Evidence): Claim[] {
  const known = evidence.known.all;
  const tools = new Set(
    [...evidence.grounds.tools, ...evidence.ran.map(({ call }) => call.tool)].map((name) => name.toLowerCase()),
  );
  const byChildren = new Set(
    evidence.grounds.children.flatMap((child) => child.tools.map((tool) => tool.toLowerCase())),
  );
  return passages.flatMap(({ value }) =>
    typeof value === 'string'
      ? clausesOf(value).flatMap(({ sentence, text }) => [
          ...namedTools(text, { evidence, known, tools, byChildren }),
          ...testClaims(text, sentence, evidence),
        ])
      : [],
  );
}

interface Names {
  readonly evidence: Evidence;
  readonly known: string;
  readonly tools: ReadonlySet<string>;
  readonly byChildren: ReadonlySet<string>;
}

function namedTools(clause: string, { byChildren, evidence, known, tools }: Names): Claim[] {
  const words = [...clause.matchAll(tokenPattern)].map((match) => ({ name: match[0], at: match.index }));
  // Tools of one word are known only by the list.
  for (const name of tools) {
    const at = /[_-]/.test(name) || name.length < 4 ? -1 : clause.indexOf(`\`${name}\``);
    if (at !== -1) words.push({ name, at: at + 1 });
  }
  return words.flatMap(({ at, name }) => {
    const plain = name.toLowerCase();
    const isTool = tools.has(plain) || byChildren.has(plain);
    const before = clause.slice(0, at);
    const after = clause.slice(at + name.length);
    if (deniedAt(before, after)) return [];
    const asTool = calledTool.test(before) || toolAfter.test(after);
    if (!isTool && ((!asTool && !/_/.test(name)) || known.includes(plain))) return [];
    if (isTool && !ranWords.test(clause)) return [];
    const calls = evidence.ran.filter(({ call }) => call.tool.toLowerCase() === plain);
    const worked = calls.filter(({ call }) => call.status === 'ok');
    if (worked.length > 0 || byChildren.has(plain))
      return [
        supported(
          'tool',
          name,
          clause,
          worked.map(({ call }) => call.callId),
        ),
      ];
    // What it says of a call that failed is what the failure said: `it came back with "permission denied"`.
    if (calls.length > 0 && clause.includes('…')) return [];
    return [
      unsupported(
        'tool',
        name,
        clause,
        calls.length === 0 ? `${name} was never called` : `no call of ${name} succeeded`,
      ),
    ];
  });
}

/** `weather_api was not called`; `weather_api sees no storm` denies something else. */
const deniedAt = (before: string, after: string): boolean =>
  noDeed.test(wordsOnly(before)) ||
  noDeedBefore.test(before) ||
  /^[`"'”」]?\s?(?:(?:is|was|were|has|have|had|did|does|do|could|can|would|should|will)\b[^,]{0,12}?(?:not|n['’]t|never|be|help)\b|(?:not|never|failed|fails|unavailable|refused|timed)\b|[\u4e00-\u9fff]{0,3}[未没无不失])/.test(
    after,
  );

const denied = (clause: string): boolean => noDeed.test(wordsOnly(clause)) || noDeedBefore.test(clause);

/** `All tests pass`, `the build is green`, `测试全部通过`. */
const green =
  /\b(?:all|every|both|the|unit|integration|smoke|regression|\d+)\b[^.]{0,40}\b(?:tests?|specs?|checks|suites?|builds?|test suite)\b[^.]{0,40}\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|clean)\b|\btests? (?:pass|passed|are passing|are green|is green)\b|\ball\b[^.]{0,20}\b(?:of them )?passed\b|\b(?:suite|build) is (?:now )?green\b/i;
const greenChinese =
  /(?:测试|用例|检查|构建|校验)[^，。]{0,12}?(?:全部|均|都|全)?[已均都]{0,2}(?:通过|全绿|成功)|全部通过/;
const counted = /\d+ (?:unit |integration )?(?:tests?|specs?|checks?) pass(?:ed)?$|通过率?\s?\d|\d+\s?个?通过/i;
/** Testing is told by these words in the name of a tool or in what it was told. */
const testing = /test|spec|jest|mocha|tox|make check|cargo|gradle|mvn|\bci\b|suite|测试/i;
const checking = /check|lint|build|compil|verif|valid|health|检查|构建|校验/i;

function testClaims(clause: string, sentence: string, { grounds, ran }: Evidence): Claim[] {
  const isGreen = green.test(clause) || greenChinese.test(clause);
  if (!isGreen || (counted.test(clause) && !/\ball\b|全部/.test(clause)) || denied(clause) || /未|没|不/.test(clause))
    return [];
  const wanted = /test|spec|suite|测试|用例/i.test(sentence) ? testing : checking;
  const runs = ran.filter(
    ({ call, name }) => wanted.test([...name].join(' ')) || wanted.test(JSON.stringify(call.args)),
  );
  const last = runs.at(-1);
  if (last === undefined) {
    const child = grounds.children.find(({ tools }) => tools.some((tool) => wanted.test(tool)));
    if (child !== undefined) return [supported('tool', 'tests', sentence, [child.callId])];
    return [unsupported('tool', 'tests', sentence, 'no test has run')];
  }
  const red = redIn(last);
  return red === undefined
    ? [supported('tool', 'tests', sentence, [last.call.callId])]
    : [unsupported('tool', 'tests', sentence, `the last run (${last.call.tool}) says otherwise: ${red}`)];
}

const redText =
  /\b[1-9]\d* (?:tests? |specs? )?(?:failed|failing|failures?|errors?)\b|\bFAIL(?:ED|URE)?\b|(?:失败|未通过)\s?[:：]?\s?[1-9]\d*|[1-9]\d*\s?个?(?:测试|用例)?(?:失败|未通过)/;

/** What in the result of a run speaks of failures. */
function redIn({ call, worked }: Ran): string | undefined {
  if (!worked) return call.status === 'ok' ? 'it failed' : `it ended with status ${call.status}`;
  return redData(call.data, '');
}

function redData(data: unknown, key: string): string | undefined {
  const bad = /fail|error|broken|red\b/i.test(key);
  if (typeof data === 'number') return bad && data > 0 ? `${key} is ${data}` : undefined;
  if (typeof data === 'string') return redText.exec(data)?.[0];
  if (data === null || typeof data !== 'object') return undefined;
  if (Array.isArray(data) && bad && data.length > 0) return `${key} holds ${data.length}`;
  for (const [name, item] of Object.entries(data)) {
    const found = redData(item, Array.isArray(data) ? key : name);
    if (found !== undefined) return found;
  }
  return undefined;
}
