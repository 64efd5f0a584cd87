import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.js';
import { questionPrompt, useAnswer } from '../../../src/parse/learn/ask.js';
import { learnedSchema, withRules, withUse } from '../../../src/parse/learn/learned.js';
import { confidenceOf, used } from '../../../src/parse/learn/life.js';
import { newRule } from '../../../src/parse/learn/rule.js';
import { readGoal } from '../../../src/parse/meaning/meaning.js';
import type { ParseTool } from '../../../src/parse/reply.js';
import { learnerOn, memoryStore, mended, toolOf } from './support.js';

const text = { type: 'string' };
const weather = toolOf('get_weather', { city: text, days: { type: 'integer' } }, ['city', 'days']);
const ticket = toolOf('open_ticket', { subject: text, priority: { type: 'string', enum: ['low', 'high'] } }, [
  'subject',
  'priority',
]);
const rate = toolOf(
  'rate_between',
  {
    day: { type: 'string', description: 'YYYY-MM-DD' },
    last_day: { type: 'string', description: 'Last of several, YYYY-MM-DD' },
  },
  ['day'],
);
const native = (name: string, args: JsonObject) =>
  `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`;

interface Lesson {
  readonly title: string;
  readonly tool: ParseTool;
  readonly goal?: string;
  readonly first: string;
  /** What the small model answers. */
  readonly answer: JsonObject;
  readonly second: string;
  readonly wanted: JsonObject;
}

const lessons: readonly Lesson[] = [
  {
    title: 'a key of its own invention',
    tool: weather,
    first: native('get_weather', { place: 'Paris', for_how_long: 3 }),
    answer: { city: 'Paris', days: 3 },
    second: native('get_weather', { place: 'Lima', for_how_long: 7 }),
    wanted: { city: 'Lima', days: 7 },
  },
  {
    title: 'a word for a choice',
    tool: ticket,
    first: native('open_ticket', { subject: 'the door', priority: '十万火急' }),
    answer: { subject: 'the door', priority: 'high' },
    second: native('open_ticket', { subject: '窗户', priority: '十万火急' }),
    wanted: { subject: '窗户', priority: 'high' },
  },
  {
    title: 'a layout that no reader knows',
    tool: weather,
    first: 'I will look.\nget_weather ~ city: "Paris" ~ days: 3 ~',
    answer: { city: 'Paris', days: 3 },
    second: '我来查。\nget_weather ~ city: "北京" ~ days: 5 ~\n请稍等。',
    wanted: { city: '北京', days: 5 },
  },
  {
    title: 'a quarter in two parameters of unusual names',
    tool: rate,
    goal: 'Rates of Q3 2025',
    first: native('rate_between', { day: '2025-07-01' }),
    answer: { day: '2025-07-01', last_day: '2025-09-30' },
    second: native('rate_between', { day: '2025-07-01' }),
    wanted: { day: '2025-07-01', last_day: '2025-09-30' },
  },
];

describe.each(lessons)('$title', ({ tool, goal: words, first, answer, second, wanted }) => {
  const goal = words === undefined ? undefined : readGoal(words, '2026-11-30');
  const more = goal === undefined ? {} : { goal };

  function taught(store = memoryStore()) {
    const learner = learnerOn(store);
    const before = mended(first, [tool], learner, 'stop', more);
    if (before.question === undefined) throw new Error('nothing was asked');
    const reply = JSON.stringify({ name: tool.name, arguments: answer });
    const answered = useAnswer(before, before.question, reply, [tool], goal);
    return { learner, before, answered, ids: learner.learn(answered?.lessons ?? [], tool, 'model', 1) };
  }

  it('is a question first, and the answer a guess of low confidence', () => {
    const { before, answered } = taught();
    expect(before.calls.every(({ guess }) => !guess)).toBe(true);
    expect(answered?.mended.calls).toMatchObject([{ name: tool.name, arguments: answer, guess: true }]);
    expect(answered?.mended.calls[0]?.confidence).toBeLessThan(0.5);
  });

  it('is repaired by rule from then on, for other values too, and asks nothing', () => {
    const { ids, learner } = taught();
    expect(ids).toHaveLength(1);
    const after = mended(second, [tool], learner, 'stop', more);
    expect(after.question).toBeUndefined();
    expect(after.calls).toMatchObject([{ name: tool.name, arguments: wanted, rules: ids }]);
    expect(after.calls[0]?.repairs).toContain(`learned rule ${ids[0]}`);
  });

  it('is known to every other learner on the same store', () => {
    const store = memoryStore();
    taught(store);
    expect(mended(second, [tool], learnerOn(store), 'stop', more).calls[0]?.arguments).toEqual(wanted);
  });

  it('is forgotten when it fails, and stays forgotten', () => {
    const { ids, learner } = taught();
    for (let i = 0; i < 2; i += 1) learner.used(ids, false);
    expect(learner.rules()[0]).toMatchObject({ state: 'retired', failures: 2, uses: 2 });
    expect(mended(second, [tool], learner, 'stop', more).question).toBeDefined();
    expect(taught().learner.rules()).toHaveLength(1);
  });
});

describe('the answer of a small model', () => {
  const broken = native('get_weather', { place: 'Paris', for_how_long: 3 });
  const answered = (answer: string) => {
    const before = mended(broken, [weather], learnerOn(memoryStore()));
    return before.question === undefined ? undefined : useAnswer(before, before.question, answer, [weather], undefined);
  };

  it.each([
    ['no call', '{}'],
    ['another tool', '{"name": "delete_all", "arguments": {}}'],
    ['a value that nobody wrote', '{"name": "get_weather", "arguments": {"city": "London", "days": 3}}'],
    ['a missing parameter', '{"name": "get_weather", "arguments": {"city": "Paris"}}'],
    ['nothing', ''],
    ['cut', '{"name": "get_weather", "arguments": {"city": "Paris", "da'],
    [
      'two calls',
      '[{"name":"get_weather","arguments":{"city":"Paris","days":3}},{"name":"get_weather","arguments":{"city":"Paris","days":3}},{"name":"get_weather","arguments":{"city":"3","days":3}}]',
    ],
  ])('is not used when it is %s', (_, answer) => {
    expect(answered(answer)).toBeUndefined();
  });

  it('is asked for with the schema and what is wrong', () => {
    const { question } = mended(broken, [weather], learnerOn(memoryStore()));
    if (question === undefined) throw new Error('nothing was asked');
    const prompt = JSON.stringify(questionPrompt(question, [weather], undefined));
    expect(prompt).toContain('city is required');
    expect(prompt).toContain('integer');
  });
});

describe('a text that speaks of tools', () => {
  const layout = newRule(
    { on: 'text', tool: 'get_weather', literals: ['get_weather ~ city: ', ' ~ days: ', ' ~'], read: ['city', 'days'] },
    'human',
    1,
  );
  const learner = () => {
    const store = memoryStore();
    store.change((now) => withRules(now, [layout]));
    return learnerOn(store);
  };
  const call = 'get_weather ~ city: Paris ~ days: 3 ~';

  it.each([
    ['plain words', 'I used get_weather for the city Paris and 3 days: it was sunny.'],
    ['中文', '我用 get_weather 查了 Paris 三天的天气，一切正常。'],
    ['reasoning', `<think>\n${call}\n</think>\nIt will be sunny.`],
    ['an unclosed thought', `<think>\n${call}`],
    ['a comment', `<!--\n${call}\n-->\nDone.`],
    ['an example', `For example, one could write:\n${call}`],
    ['例子', `例如，可以这样写：\n${call}`],
    ['a past call', `Earlier I already called:\n${call}`],
    ['a middle of a line', `It says that ${call} is a call`],
  ])('is no call: %s', (_, said) => {
    const { calls, question } = mended(said, [weather], learner());
    expect(calls).toEqual([]);
    expect(question).toBeUndefined();
  });

  it('is no call when it is cut', () => {
    expect(mended('get_weather ~ city: Paris ~ days: 3', [weather], learner()).calls).toEqual([]);
    expect(mended(call, [weather], learner(), 'length').calls).toEqual([]);
    expect(mended(call, [weather], learner()).calls).toHaveLength(1);
  });
});

describe('a rule', () => {
  const rule = newRule({ on: 'keys', tool: 'get_weather', rename: { place: 'city' } }, 'model', 1);

  it('gains weight with every success and never reaches certainty', () => {
    let now = rule;
    for (let i = 0; i < 30; i += 1) now = used(now, true);
    expect(now).toMatchObject({ uses: 30, failures: 0, state: 'admitted' });
    expect(now.weight).toBeGreaterThan(rule.weight);
    expect(confidenceOf(now)).toBeLessThan(0.9);
    expect(confidenceOf(used(now, false))).toBeLessThan(confidenceOf(now));
  });

  it('is not admitted when it contradicts its schema or takes prose for a call', () => {
    const learner = learnerOn(memoryStore());
    expect(learner.learn([{ on: 'keys', tool: 'get_weather', rename: { city: 'days' } }], weather, 'model', 1)).toEqual(
      [],
    );
    expect(
      learner.learn([{ on: 'keys', tool: 'get_weather', rename: { place: 'nowhere' } }], weather, 'model', 1),
    ).toEqual([]);
    const greedy = { on: 'text' as const, tool: 'get_weather', literals: ['', ' '], read: ['city'] };
    const loose = { ...greedy, literals: ['get_weather', ''] };
    const lone = toolOf('get_weather', { city: text }, ['city']);
    expect(learner.learn([greedy, loose], lone, 'model', 1)).toEqual([]);
  });

  it('is the same wherever it is learned, and survives storage', () => {
    const again = newRule({ on: 'keys', tool: 'get_weather', rename: { place: 'city' } }, 'human', 9);
    expect(again.id).toBe(rule.id);
    const learned = withUse(withRules({ v: 1, rules: [], patterns: [], samples: [] }, [rule, again]), [rule.id], true);
    expect(learned.rules).toHaveLength(1);
    expect(learnedSchema.parse(JSON.parse(JSON.stringify(learned)))).toEqual(learned);
  });

  it('is one of a bounded number', () => {
    const many = Array.from({ length: 500 }, (_, i) =>
      newRule({ on: 'value', tool: 't', parameter: 'p', from: `w${i}`, to: i }, 'model', i),
    );
    expect(withRules({ v: 1, rules: [], patterns: [], samples: [] }, many).rules).toHaveLength(200);
  });
});
