import { describe, expect, test } from 'vitest';
import {
  classifyThought,
  compileThoughtCues,
  correctThought,
  THOUGHT_CUES,
} from '../../../src/parse/reasoning/classify.js';
import { type ThoughtType, thoughtTypes } from '../../../src/parse/reasoning/cues.js';
import { labelled } from './labelled.js';

const classifier = compileThoughtCues();
const typeOf = (text: string): ThoughtType => classifyThought(text, classifier).type;

describe.each(['en', 'zh'] as const)('thoughts in %s', (language) => {
  test.each(['examples', 'held-out'] as const)('at least nine in ten of the %s part are read as labelled', (part) => {
    const rows = labelled(part, language);
    const right = rows.filter(({ text, type }) => typeOf(text) === type).length;
    expect(right / rows.length).toBeGreaterThanOrEqual(0.9);
  });

  test('the set has every type, and no sentence twice', () => {
    const held = labelled('held-out', language);
    const texts = [...held, ...labelled('examples', language)].map(({ text }) => text);
    expect(new Set(held.map(({ type }) => type))).toEqual(new Set(thoughtTypes));
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.length).toBeGreaterThanOrEqual(400);
  });

  test('confidence tells right from wrong', () => {
    const rows = labelled('examples', language).map(({ text }) => classifyThought(text, classifier));
    for (const { confidence } of rows) expect(confidence).toBeGreaterThan(0);
    for (const { confidence } of rows) expect(confidence).toBeLessThanOrEqual(1);
    const doubtful = classifyThought(language === 'en' ? 'Then it works.' : '然后顺利。', classifier);
    const sure = classifyThought(
      language === 'en' ? 'Wait, no, I made a mistake above.' : '等等,不对,我算错了。',
      classifier,
    );
    expect(sure.confidence).toBeGreaterThan(doubtful.confidence);
  });
});

describe('the cue table', () => {
  test('takes list marks, emphasis and typographic quotes', () => {
    expect(typeOf('- **Let’s** open the log')).toBe('planning');
    expect(typeOf('2. I’m not sure about this')).toBe('uncertainty');
  });

  test('judges mixed sentences by both languages', () => {
    expect(typeOf('让我先 check 一下 get_weather 的参数')).toBe('planning');
  });

  test('learns from corrections: the sentence, and others of the same wording', () => {
    const [slang, alike] = ['Yolo it onto the prod box and pray.', 'Yolo the migration onto the prod box.'];
    expect(typeOf(slang)).not.toBe('evaluation');
    const cues = correctThought(THOUGHT_CUES, slang, 'evaluation');
    const taught = compileThoughtCues(cues);
    expect(classifyThought(slang, taught).type).toBe('evaluation');
    expect(classifyThought(alike, taught).type).toBe('evaluation');
    expect(classifyThought('The file has 12 columns.', taught).type).toBe('statement');
    expect(THOUGHT_CUES.learned).toEqual({});
    // Data through and through: it can be stored and shared.
    expect(classifyThought(slang, compileThoughtCues(JSON.parse(JSON.stringify(cues)))).type).toBe('evaluation');
  });

  test('learns Chinese wording and leaves what was right alone', () => {
    const cues = correctThought(THOUGHT_CUES, '咱这就开整数据清洗。', 'planning');
    expect(classifyThought('咱这就开整报表。', compileThoughtCues(cues)).type).toBe('planning');
    expect(correctThought(THOUGHT_CUES, '我不确定。', 'uncertainty')).toBe(THOUGHT_CUES);
  });

  test('corrections do not spoil the labelled sentences', () => {
    let cues = THOUGHT_CUES;
    for (const text of ['Yolo it onto the prod box.', 'Crunch time for the parser.', 'Rows, rows, nothing but rows.'])
      cues = correctThought(cues, text, 'evaluation');
    const taught = compileThoughtCues(cues);
    const rows = labelled('examples', 'en');
    const right = rows.filter(({ text, type }) => classifyThought(text, taught).type === type).length;
    expect(right / rows.length).toBeGreaterThanOrEqual(0.9);
  });

  test('a correction of nothing, or with a hostile phrase, does no harm', () => {
    expect(correctThought(THOUGHT_CUES, '', 'planning')).toBe(THOUGHT_CUES);
    const cues = correctThought(THOUGHT_CUES, '__proto__ constructor', 'planning');
    expect(classifyThought('__proto__ constructor', compileThoughtCues(cues)).type).toBe('planning');
    expect(({} as Record<string, unknown>).planning).toBeUndefined();
  });
});
