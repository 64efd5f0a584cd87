import { describe, expect, it } from 'vitest';
import { extendMarkers } from '../../../src/parse/extend.js';
import { proposeMarkers } from '../../../src/parse/learn/propose.js';
import { type RegressionRow, rewriteRegressions } from '../../../src/parse/learn/regression.js';
import { newSample } from '../../../src/parse/learn/sample.js';
import { MARKERS, type MarkerTable } from '../../../src/parse/markers.js';
import { parseReply } from '../../../src/parse/reply.js';
import { corpusFiles, rowsOf, toolSets } from '../../corpus/load.js';
import { learnerOn, memoryStore, mended } from './support.js';
import { shapes, type Wrapper, type WrapperSample, wrapperOf, wrapperTools } from './wrappers.js';

/** All rows, as those of the package. */
const corpus: readonly RegressionRow[] = corpusFiles.flatMap(rowsOf).map((row) => ({
  id: row.id,
  text: row.text,
  finish: row.finish,
  tools: toolSets[row.tools] ?? [],
  calls: row.calls as RegressionRow['calls'],
}));
const isRight = ({ text, call }: WrapperSample, markers: MarkerTable): boolean => {
  const { calls, rejected } = parseReply({ text, finishReason: 'stop', tools: wrapperTools, markers });
  const [only] = calls;
  const same = (a: object, b: object) =>
    JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
  return (
    calls.length === 1 && rejected.length === 0 && only?.name === call.name && same(only.arguments, call.arguments)
  );
};
const samplesOf = (wrapper: Wrapper) => [0, 1, 2, 3, 4].map((n) => wrapper.sample(n));
const toolOf = (name: string) => wrapperTools.find((tool) => tool.name === name) as (typeof wrapperTools)[number];
/** Wrappers that are not read as it is. */
const unseen = (shape: (typeof shapes)[number], most: number): Wrapper[] =>
  Array.from({ length: 40 }, (_, seed) => wrapperOf(shape, seed + 1))
    .filter((wrapper) => !samplesOf(wrapper).some((sample) => isRight(sample, MARKERS)))
    .slice(0, most);

describe.each(shapes)('an unseen wrapper of the shape "%s"', (shape) => {
  it('is read after five samples, and nothing else is read differently', () => {
    const wrappers = unseen(shape, 20);
    expect(wrappers.length).toBe(20);
    const failed = wrappers.filter((wrapper) => {
      const samples = samplesOf(wrapper).flatMap(({ text, call }) => newSample(text, toolOf(call.name), 1) ?? []);
      const proposal = proposeMarkers(samples, MARKERS);
      const extended = extendMarkers(MARKERS, proposal?.addition ?? {});
      if (proposal === undefined || !extended.ok) return true;
      expect(rewriteRegressions(proposal.addition.rewrites, corpus)).toEqual([]);
      return ![10, 11, 12, 13, 14, 15].every((n) => isRight(wrapper.sample(n), extended.table));
    });
    expect(failed.map((wrapper) => wrapper.sample(0).text)).toEqual([]);
  });
});

describe('a discovery', () => {
  const wrapper = wrapperOf('XML parameters', 2);

  it('makes the pattern known to every learner on the store, with the fifth sample', () => {
    const store = memoryStore();
    const [one, other] = [learnerOn(store), learnerOn(store)];
    const found = samplesOf(wrapper).map(({ text, call }) => {
      expect(mended(text, wrapperTools, one)).toMatchObject({ calls: [], unparsed: true });
      return one.unparsed(text, toolOf(call.name), 1).pattern;
    });
    expect(found.map((pattern) => pattern !== undefined)).toEqual([false, false, false, false, true]);
    expect(mended(wrapper.sample(20).text, wrapperTools, other)).toMatchObject({
      calls: [wrapper.sample(20).call],
      unparsed: false,
    });
    expect(store.read().samples).toEqual([]);
  });

  it('alerts once in a row of unparsed replies, and anew after one that was read', () => {
    const learner = learnerOn(memoryStore(), []);
    const alerts = (times: number) =>
      Array.from({ length: times }, (_, i) => learner.unparsed(`?${i}`, toolOf('get_weather'), 1).alert);
    expect(alerts(5)).toEqual([false, false, true, false, false]);
    learner.parsed();
    expect(alerts(3)).toEqual([false, false, true]);
    expect(learner.unparsedCount()).toBe(8);
  });

  it('is not admitted when it would change what is read today', () => {
    const row = { id: 'r', text: wrapper.sample(0).text, finish: 'stop', tools: wrapperTools, calls: [] };
    const learner = learnerOn(memoryStore(), [row]);
    const found = samplesOf(wrapper).map(({ text, call }) => learner.unparsed(text, toolOf(call.name), 1).pattern);
    expect(found.every((pattern) => pattern === undefined)).toBe(true);
    expect(learner.markers()).toBe(MARKERS);
  });

  it('proposes nothing from samples that have nothing in common', () => {
    const mixed = shapes.map((shape, i) => wrapperOf(shape, 50 + i).sample(0));
    const samples = mixed.flatMap(({ text, call }) => newSample(text, toolOf(call.name), 1) ?? []);
    expect(proposeMarkers(samples, MARKERS)).toBeUndefined();
  });

  it('proposes nothing where values would come out with the marks of their layout', () => {
    const texts = ['Paris', 'Lima', 'Oslo', '北京', 'Rome'].map(
      (city, i) => `>>>use:get_weather\n  --city "${city}"\n  --days ${i}\n<<<`,
    );
    const samples = texts.flatMap((text) => newSample(text, toolOf('get_weather'), 1) ?? []);
    expect(proposeMarkers(samples, MARKERS)).toBeUndefined();
  });

  it('keeps a bounded queue', () => {
    const store = memoryStore();
    const learner = learnerOn(store, []);
    for (let i = 0; i < 100; i += 1) learner.unparsed(`odd ${i}`, toolOf('get_weather'), i);
    expect(store.read().samples).toHaveLength(40);
    learner.unparsed('x'.repeat(10_000), toolOf('get_weather'), 1);
    expect(store.read().samples).toHaveLength(40);
  });

  it('takes no plain words for an unread call', () => {
    for (const row of corpus.filter(({ calls }) => calls.length === 0)) {
      const { calls, unparsed } = mended(row.text, row.tools, learnerOn(memoryStore()), row.finish);
      expect({ calls, unparsed }, row.id).toEqual({ calls: [], unparsed: false });
    }
  });
});
