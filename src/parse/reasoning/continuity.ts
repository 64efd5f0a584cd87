/** Gaps between neighbouring thoughts, and bridges over them that a model may be asked for. */
import { classifyThought, compileThoughtCues } from './classify.js';
import { overlap, wordsOf } from './overlap.js';
import type { ReasoningTree, ThoughtNode } from './tree.js';

export interface Gap {
  readonly before: ThoughtNode;
  readonly after: ThoughtNode;
  /** 0 to 1. */
  readonly similarity: number;
}

export interface BridgeOptions {
  /** Bridges at most. Default 0: off. */
  readonly most?: number;
  /** Asked before each question, so that a tight budget ends it. */
  readonly affordable: () => boolean;
  /** The thought that leads from one to the other; undefined when there is none. Must not throw. */
  readonly ask: (before: string, after: string) => Promise<string | undefined>;
  readonly least?: number;
}

/** Words in common below which two neighbours count as a gap. */
const leastSimilarity = 0.05;

/** Neighbours that share too little, and of which the later does not build on the earlier. */
export function findGaps({ nodes }: ReasoningTree, least: number = leastSimilarity): Gap[] {
  return nodes.slice(1).flatMap((after, index) => {
    const before = nodes[index] as ThoughtNode;
    const similarity = overlap(wordsOf(before.content), wordsOf(after.content));
    return similarity < least && !after.based_on.includes(before.id) ? [{ before, after, similarity }] : [];
  });
}

/** The tree with bridges put in as `auto_filled`; ids of the others stay, places in the sequence move on. */
export async function bridgeGaps(tree: ReasoningTree, options: BridgeOptions): Promise<ReasoningTree> {
  const { most = 0, affordable, ask, least } = options;
  let filled = tree;
  for (const { before, after } of findGaps(tree, least).slice(0, most)) {
    if (!affordable()) break;
    const content = (await ask(before.content, after.content))?.trim();
    if (content !== undefined && content !== '') filled = withBridge(filled, before.id, after.id, content);
  }
  return filled;
}

function withBridge({ nodes, edges }: ReasoningTree, from: string, to: string, content: string): ReasoningTree {
  const before = nodes.find(({ id }) => id === from) as ThoughtNode;
  const { type, confidence } = classifyThought(content, compileThoughtCues());
  const bridge: ThoughtNode = {
    id: `rn_${nodes.length}`,
    type,
    content,
    // Nobody said it.
    confidence: confidence / 2,
    order: 0,
    position: { ...before.position, start: before.position.end },
    based_on: [from],
    led_to: [to],
    superseded: false,
    auto_filled: true,
  };
  const linked = nodes.flatMap((node) => {
    if (node.id === from) return [{ ...node, led_to: [...node.led_to, bridge.id] }, bridge];
    return [node.id === to ? { ...node, based_on: [...node.based_on, bridge.id] } : node];
  });
  const kept = edges.filter((edge) => !(edge.kind === 'next' && edge.from === from && edge.to === to));
  return {
    nodes: linked.map((node, order) => ({ ...node, order })),
    edges: [...kept, { kind: 'next', from, to: bridge.id }, { kind: 'next', from: bridge.id, to }],
  };
}
