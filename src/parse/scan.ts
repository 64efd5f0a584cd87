/**
 * The one walk over a reply's text. It stops only at characters that can begin something, decides by what stands
 * there, and leaves pieces and candidate calls behind. Work is limited to a multiple of the text's length.
 */
import { reasoningEnd } from './reasoning-end.js';
import { flushText, pushReasoning, type Scan, type ScanOptions, type ScanState, type Step } from './scan-state.js';
import { stepBacktick, stepFenceEnd } from './step-fence.js';
import { stepJson } from './step-json.js';
import { stepLabel } from './step-label.js';
import { stepAngle, stepBracketToken } from './step-markup.js';
import { stepList, stepParen } from './step-python.js';
import { stepYaml } from './step-yaml.js';
import { createAhead } from './xml-value.js';

const STEPS: Readonly<Record<string, Step>> = {
  '<': stepAngle,
  '[': (state, at) => stepBracketToken(state, at) ?? stepList(state, at) ?? stepJson(state, at),
  '{': stepJson,
  '｛': stepJson,
  '［': stepJson,
  '◁': stepAngle,
  '`': stepBacktick,
  '(': stepParen,
  ':': (state, at) => stepYaml(state, at) ?? stepLabel(state, at),
  '：': stepLabel,
};

/** The same by code, for the characters that nearly every text is made of. */
const ASCII_STEPS: readonly (Step | undefined)[] = Array.from(
  { length: 128 },
  (_, code) => STEPS[String.fromCharCode(code)],
);

function stepOf(text: string, at: number): Step | undefined {
  const code = text.charCodeAt(at);
  if (code < 128) return ASCII_STEPS[code];
  const wide = code === 0xff5b || code === 0xff3b || code === 0x25c1 || code === 0xff1a;
  return wide ? STEPS[text[at] as string] : undefined;
}

/** A reply has a few calls and markers. Text with more is made to be slow, and what it means cannot be told. */
const MAX_CALLS = 2_000;
const MAX_PIECES = 20_000;

export function scan(text: string, options: ScanOptions): Scan {
  const state: ScanState = {
    text,
    options,
    pieces: [],
    candidates: [],
    unreadable: [],
    islands: [],
    textFrom: 0,
    marked: undefined,
    fence: undefined,
    budget: 2 * text.length + (options.withheld === undefined ? 10_000 : 1_000),
    starvedAt: undefined,
    tools: undefined,
    ahead: createAhead(text.length),
    observed: false,
    told: false,
    answered: false,
    reasoned: false,
    families: undefined,
    fenceLines: undefined,
    scan,
  };
  const mostPieces = MAX_PIECES + text.length / 256;
  let at = options.reasoningOpen ? openedReasoning(state) : announcedReasoning(state);
  while (at < text.length) {
    const step = stepOf(text, at);
    if (step === undefined) {
      at++;
      continue;
    }
    at = step(state, at) ?? at + 1;
    if (state.candidates.length + state.unreadable.length > MAX_CALLS || state.pieces.length > mostPieces) {
      stopReading(state, at, `more than ${MAX_CALLS} calls or ${MAX_PIECES} markers; the rest was not read`);
      break;
    }
  }
  flushText(state, text.length);
  stepFenceEnd(state, text.length);
  if (missedCalls(state))
    stopReading(state, state.starvedAt as number, 'so much looks like calls that the rest was not read');
  return state;
}

/** The rest stays text. Since it may change what the calls before it mean, none of them runs. */
function stopReading(state: ScanState, at: number, reason: string): void {
  for (const candidate of state.candidates) candidate.withheld ??= 'not read';
  state.unreadable.push({ start: at, end: state.text.length, reason, cut: false });
}

/** Behind the place where the work was used up, a tool is named. */
function missedCalls({ starvedAt, options, text }: ScanState): boolean {
  if (starvedAt === undefined || options.withheld !== undefined) return false;
  return options.index.tools.some(({ name }) => text.includes(name, starvedAt - name.length));
}

/** The text begins inside reasoning that the prompt opened: up to its first end, or all of it. */
function openedReasoning(state: ScanState): number {
  if (/^\s*<(?:\w+:)?(?:think|thinking|reasoning)>/i.test(state.text)) return 0;
  const close = reasoningEnd(state, 0);
  const turn = NEXT_TURN.exec(state.text);
  if (turn !== null && (close === undefined || turn.index < close.start))
    return pushReasoning(state, 0, turn.index, [0, turn.index], false);
  const end = close?.start ?? state.text.length;
  return pushReasoning(state, 0, close?.end ?? end, [0, end], close === undefined);
}

/** The next message begins, which ends the thoughts of a channel. */
const NEXT_TURN = /<\|end\|>\s*<\|start\|>|<\|start\|>\s*assistant/;

/** Reasoning that begins with a sentence of the table and ends with another. */
function announcedReasoning(state: ScanState): number {
  const { text, options } = state;
  const start = text.length - text.trimStart().length;
  const sentence = options.table.sentences.find(({ open }) => text.startsWith(open, start));
  if (sentence === undefined || options.withheld !== undefined) return 0;
  const from = start + sentence.open.length;
  const close = text.indexOf(sentence.close, from);
  if (close < 0 && sentence.both === true) return 0;
  const end = close < 0 ? text.length : close;
  return pushReasoning(state, 0, close < 0 ? end : close + sentence.close.length, [from, end], close < 0);
}
