/** Runs random replies through the pipeline and says what is wrong with the outcome. */
import { type ParseTool, parseReply, type Reply } from '../../src/parse/reply.js';
import { createReplyStream } from '../../src/parse/stream.js';
import { writtenOut } from './cuts.js';
import { fuzzInput } from './fuzz-text.js';
import { unfounded } from './provenance.js';
import { Chance } from './random.js';

export interface FuzzReport {
  readonly inputs: number;
  readonly calls: number;
  /** Calls that stood open in replies of known content, and how many of them were ready to run. */
  readonly open: readonly [run: number, all: number];
  readonly slowestMs: number;
  readonly faults: readonly { readonly fault: string; readonly seed: number; readonly text: string }[];
}

/** A reply of a few thousand characters that takes longer twice hangs; once, the machine was busy. */
const mostMs = 2_000;
/** The outcome without what it derives on demand, written out, against the text. Short texts have fixed parts. */
const mostGrowth = 4;
const fixedChars = 4_000;
const mostFaults = 20;

const prototypes = [Object.prototype, Array.prototype, String.prototype, Function.prototype];
const prototypeKeys = (): string => prototypes.map((p) => Reflect.ownKeys(p).length).join();

const finishes = ['stop', 'tool_calls', 'length', undefined];

/** @param seed of the first input; input number i has seed + i, so each can be repeated alone */
export function fuzz(seed: number, count: number, texts: readonly string[], tools: readonly ParseTool[]): FuzzReport {
  const names = tools.flatMap((tool): [string, string][] => {
    const properties = Object.entries((tool.parameters as { properties?: object }).properties ?? {});
    const required = (tool.parameters as { required?: readonly string[] }).required ?? [];
    const texty = properties.find(([, shape]) => shape.type === 'string' && !shape.enum && !shape.format);
    return texty && required.every((key) => key === texty[0]) ? [[tool.name, texty[0]]] : [];
  });
  const faults: { fault: string; seed: number; text: string }[] = [];
  const before = prototypeKeys();
  let calls = 0;
  let run = 0;
  let open = 0;
  let slowestMs = 0;
  let inputs = 0;
  for (; inputs < count && faults.length < mostFaults; inputs++) {
    const i = inputs;
    const chance = new Chance(seed + i);
    const input = fuzzInput(chance, texts, names);
    const finish = input.open.length > 0 ? 'stop' : chance.one(finishes);
    const given = { tools, ...(finish === undefined ? {} : { finishReason: finish }) };
    try {
      const { reply, ms } = timed(() => parseReply({ text: input.text, ...given }));
      slowestMs = Math.max(slowestMs, ms);
      calls += reply.calls.length;
      const written = writtenOut(reply);
      open += input.open.length;
      run += input.open.filter((value) =>
        reply.calls.some((call) => JSON.stringify(call.arguments).includes(value)),
      ).length;
      const found = faultsOf(input.text, input.hidden, reply, tools);
      if (ms > mostMs && timed(() => parseReply({ text: input.text, ...given })).ms > mostMs)
        found.push(`took ${ms.toFixed(0)} ms`);
      if (written.length > mostGrowth * input.text.length + fixedChars)
        found.push('outcome larger than 4 times the text');
      if (i % 16 === 0 && inPieces(chance, input.text, given) !== written) found.push('differs when cut');
      if (prototypeKeys() !== before) found.push('a prototype was touched');
      for (const fault of found) faults.push({ fault, seed: seed + i, text: input.text });
    } catch (error) {
      faults.push({ fault: `thrown: ${String(error)}`, seed: seed + i, text: input.text });
    }
  }
  return { inputs, calls, open: [run, open], slowestMs, faults };
}

function timed(read: () => Reply): { readonly reply: Reply; readonly ms: number } {
  const started = performance.now();
  const reply = read();
  return { reply, ms: performance.now() - started };
}

function faultsOf(text: string, hidden: readonly string[], reply: Reply, tools: readonly ParseTool[]): string[] {
  const found: string[] = [];
  for (const call of reply.calls) {
    if (!tools.some((tool) => tool.name === call.name)) found.push(`no tool ${call.name}`);
    const args = JSON.stringify(call.arguments);
    if (args.includes('"__proto__"')) found.push('__proto__ among the arguments');
    for (const value of hidden) if (args.includes(value)) found.push(`ran a call that must not run: ${value}`);
  }
  for (const word of unfounded(text, reply)) found.push(`stands nowhere in the reply: ${word}`);
  return found;
}

function inPieces(
  chance: Chance,
  text: string,
  given: { readonly tools: readonly ParseTool[]; finishReason?: string },
): string {
  const stream = createReplyStream({ tools: given.tools });
  for (let at = 0; at < text.length; ) {
    const next = at + 1 + chance.below(40);
    stream.push(text.slice(at, next));
    at = next;
  }
  return writtenOut(stream.end(given.finishReason));
}
