/**
 * From samples of an unseen wrapper to an addition to the marker table. Each possible reading of the samples gives a
 * proposal; the first one counts with which every sample is read as its reading says.
 */
import type { JsonObject } from '../../domain/json.js';
import { extendMarkers } from '../extend.js';
import { fitArguments } from '../fit.js';
import { readJsonText } from '../json.js';
import type { MarkerTable } from '../markers.js';
import { parseReply } from '../reply.js';
import type { Rewrite } from '../spellings.js';
import { closerIn, commonPrefix, commonSuffix, isDistinct, openerIn } from './affix.js';
import { keyedProposal } from './keyed.js';
import { type Layout, layoutsOf, MARKER_MAX } from './layout.js';
import type { MarkerAddition, Proposal } from './proposal.js';
import type { Sample } from './sample.js';

/** Samples of one wrapper that a proposal needs. */
export const enoughSamples = 5;

interface Reading {
  readonly sample: Sample;
  readonly layout: Layout;
}

type Of<S extends Layout['shape']> = Extract<Layout, { shape: S }>;

/** The addition, and the ids of the samples that it explains. */
export function proposeMarkers(
  samples: readonly Sample[],
  table: MarkerTable,
): { addition: MarkerAddition; samples: string[] } | undefined {
  for (const readings of groupsOf(samples)) {
    for (const proposal of proposalsFrom(readings)) {
      if (explains(proposal, readings, table))
        return { addition: proposal.addition, samples: readings.map(({ sample }) => sample.id) };
    }
  }
  return undefined;
}

/** Samples that can be read in the same way and are marked alike, the best readings first. */
function groupsOf(samples: readonly Sample[]): Reading[][] {
  const groups = new Map<string, Reading[]>();
  for (const sample of samples) {
    for (const layout of layoutsOf(sample)) {
      const key = JSON.stringify([ORDER.indexOf(layout.shape), ...signature(layout)]);
      groups.set(key, [...(groups.get(key) ?? []), { sample, layout }]);
    }
  }
  return [...groups.entries()]
    .filter(([, readings]) => readings.length >= enoughSamples)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, readings]) => readings.slice(-12));
}

const ORDER: readonly Layout['shape'][] = ['object', 'name and object', 'program', 'keys'];
const SIGNATURE_CHARS = 3;

/** What samples of one wrapper share for certain. */
function signature(layout: Layout): string[] {
  const end = layout.before.trimEnd().slice(-SIGNATURE_CHARS);
  switch (layout.shape) {
    case 'object':
      return [layout.head, layout.mid];
    case 'name and object':
      return [end, layout.mid];
    case 'program':
      return [end, layout.open];
    case 'keys':
      return [end, layout.rest.slice(0, layout.keys[0]?.at ?? 0)];
  }
}

function proposalsFrom(readings: readonly Reading[]): Proposal[] {
  const layouts = readings.map(({ layout }) => layout);
  switch (layouts[0]?.shape) {
    case 'object':
      return objectProposals(layouts as Of<'object'>[]);
    case 'name and object':
      return payloadProposals(layouts as Of<'name and object'>[]);
    case 'program':
      return programProposals(layouts as Of<'program'>[]);
    case 'keys':
      return keyedProposal(layouts as Of<'keys'>[]);
    default:
      return [];
  }
}

const around = (layouts: readonly { before: string; after: string }[]): { open: string; close: string } => ({
  open: openerIn(commonSuffix(layouts.map(({ before }) => before))),
  close: closerIn(commonPrefix(layouts.map(({ after }) => after))),
});

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';

/** Opening and closing text as the common markers, as far as they can be told from prose. */
const wrapping = ({ open, close }: { open: string; close: string }): Rewrite[] => [
  ...(isDistinct(open) ? [{ from: open.trim(), to: OPEN }] : []),
  ...(isDistinct(close) ? [{ from: close.trim(), to: CLOSE }] : []),
];

function objectProposals(layouts: readonly Of<'object'>[]): Proposal[] {
  const wrapper = around(layouts);
  const [{ head, mid, flat } = { head: '', mid: '', flat: false }] = layouts;
  const rewrites: Rewrite[] = [{ from: `${head}$${mid}`, to: flat ? '{"name":"$",' : '{"name":"$","arguments":' }];
  return [
    {
      addition: { rewrites: [...rewrites, ...wrapping(wrapper)] },
      arguments: layouts.map((layout) => layout.arguments),
    },
  ];
}

function payloadProposals(layouts: readonly Of<'name and object'>[]): Proposal[] {
  const { open, close } = around(layouts);
  const [{ mid } = { mid: '' }] = layouts;
  if (!isDistinct(open)) return [];
  const head: Rewrite = mid === '' ? { from: open, to: OPEN } : { from: `${open}$${mid}`, to: `${OPEN}$\n` };
  const tail = isDistinct(close) ? [{ from: close.trim(), to: CLOSE }] : [];
  return [{ addition: { rewrites: [head, ...tail] }, arguments: layouts.map((layout) => layout.arguments) }];
}

function programProposals(layouts: readonly Of<'program'>[]): Proposal[] {
  const { open, close } = around(layouts);
  const [{ open: bracket, close: end } = { open: '(', close: ')' }] = layouts;
  if (!isDistinct(open)) return [];
  const args = layouts.map(({ inner }) => keywordArguments(inner));
  const opening: Rewrite =
    bracket === '(' ? { from: open, to: `${OPEN}\n` } : { from: `${open}$${bracket}`, to: `${OPEN}\n$(` };
  const closing: Rewrite[] = isDistinct(`${end}${close}`) ? [{ from: `${end}${close}`.trim(), to: `)\n${CLOSE}` }] : [];
  return bracket !== '(' && closing.length === 0
    ? []
    : [{ addition: { rewrites: [opening, ...closing] }, arguments: args }];
}

/** `a=1, b="x"` as an object; undefined when it is not that plain. */
function keywordArguments(inner: string): JsonObject | undefined {
  const read = readJsonText(`{${inner}}`);
  return read.ok &&
    read.cut === 'none' &&
    typeof read.value === 'object' &&
    read.value !== null &&
    !Array.isArray(read.value)
    ? (read.value as JsonObject)
    : undefined;
}

/** With the addition, every sample is a call of its tool with the right arguments, and its wrapper is gone from the text. */
function explains(
  { addition, arguments: expected }: Proposal,
  readings: readonly Reading[],
  table: MarkerTable,
): boolean {
  if (
    addition.rewrites.some(({ from }) => from.length > MARKER_MAX || from.startsWith('$') || from.split('$').length > 2)
  )
    return false;
  const extended = extendMarkers(table, addition);
  if (!extended.ok) return false;
  return readings.every(({ sample }, i) => {
    const tool = { ...sample.tool, description: '' };
    const reply = parseReply({ text: sample.text, finishReason: 'stop', tools: [tool], markers: extended.table });
    const [call] = reply.calls;
    if (call === undefined || reply.rejected.length > 0 || reply.incomplete.length > 0) return false;
    const wanted = expected[i];
    if (wanted === undefined) return true;
    const fit = fitArguments(wanted, tool.parameters, false);
    return fit.ok && JSON.stringify(sorted(fit.arguments)) === JSON.stringify(sorted(call.arguments));
  });
}

const sorted = (object: JsonObject): [string, unknown][] => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
