/** Which registered tool a name in a model's output means. Undoes spelling only; never picks another tool by likeness. */
import type { ToolDeclaration } from '../domain/tool.js';
import { similarity } from './similar.js';

export type ParseTool = Pick<ToolDeclaration, 'name' | 'description' | 'parameters'> &
  Partial<Pick<ToolDeclaration, 'effect'>>;

export type NameMatch =
  | { readonly kind: 'exact' | 'variant' | 'similar'; readonly tool: ParseTool; readonly repair?: string }
  | { readonly kind: 'unknown'; readonly nearest: readonly string[] };

export interface NameIndex {
  readonly tools: readonly ParseTool[];
  readonly exact: ReadonlyMap<string, ParseTool>;
  /** The only tool with this normal form. */
  readonly variant: (normal: string) => ParseTool | undefined;
  /** Names that were looked up before, with what they mean: a reply repeats the few names it has. */
  readonly seen: Map<string, NameMatch | undefined>;
}

/** Similarity from which another tool may be meant, and its lead over the next best. */
const LIKE = 0.82;
const LEAD = 0.12;
const NAME_MAX = 256;
const SEEN_MAX = 1000;

/** Letters and digits in lower case: what remains of a name when spelling habits are taken off. */
export function normalName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\-.:/\\'"`]+/g, '');
}

export function indexNames(tools: readonly ParseTool[]): NameIndex {
  const exact = new Map<string, ParseTool>();
  const usable = tools.filter((tool) => typeof tool?.name === 'string' && tool.name !== '');
  for (const tool of usable) if (!exact.has(tool.name)) exact.set(tool.name, tool);
  let variants: ReadonlyMap<string, ParseTool | undefined> | undefined;
  return {
    tools: usable,
    exact,
    seen: new Map(),
    variant(normal) {
      variants ??= variantsOf(usable);
      return variants.get(normal);
    },
  };
}

/** Normal form → tool; undefined when two tools share it. */
function variantsOf(tools: readonly ParseTool[]): ReadonlyMap<string, ParseTool | undefined> {
  const variants = new Map<string, ParseTool | undefined>();
  for (const tool of tools) {
    const normal = normalName(tool.name);
    const known = variants.get(normal);
    variants.set(normal, variants.has(normal) && known?.name !== tool.name ? undefined : tool);
  }
  return variants;
}

/** Removes what formats glue to a name: special tokens, call numbers, quotes. */
export function bareName(name: string): string {
  return name
    .slice(0, NAME_MAX)
    .replace(/<[|｜/][^<>]{0,60}>[\s\S]*$/, '')
    .replace(/^[\s"'`*([{<>=:]+|[\s"'`*)\]}>,;:(]+$/g, '')
    .replace(/^(functions?|tools?)[.:]([\w.-]+):\d+$/, '$2')
    .trim();
}

/** The tool that is spelt so, if any: exact, or a variant in case, separators or prefix that only one tool has. */
export function spelt(raw: string, index: NameIndex): NameMatch | undefined {
  const plain = index.exact.get(raw);
  if (plain !== undefined) return { kind: 'exact', tool: plain };
  const key = raw.slice(0, NAME_MAX);
  if (index.seen.has(key)) return index.seen.get(key);
  const match = variantOf(key, index);
  if (index.seen.size < SEEN_MAX) index.seen.set(key, match);
  return match;
}

function variantOf(raw: string, index: NameIndex): NameMatch | undefined {
  const name = bareName(raw);
  if (name === '') return undefined;
  const exact = index.exact.get(name);
  if (exact !== undefined) return { kind: 'exact', tool: exact };
  for (const form of forms(name)) {
    const tool = index.exact.get(form) ?? index.variant(normalName(form));
    if (tool !== undefined) return { kind: 'variant', tool, repair: `name "${name}" read as "${tool.name}"` };
  }
  return undefined;
}

/** Leading parts that turn a call into something else. */
const UNDOING =
  /^(?:dry[_-]?run|not?|undo|revert|simulated?|mock(?:ed)?|disabled|fake|untrusted\w*|https?)(?:\.|::|:|\/|__)/i;

/** The name itself, then without each leading part: `functions.x`, `default_api.x`, `ns::x`, `mcp__server__x`. */
function* forms(name: string): Generator<string> {
  yield name;
  let rest = name;
  for (let i = 0; i < 4; i++) {
    const cut = /^[\w-]{0,40}?(?:\.|::|:|\/|__)(.+)$/.exec(rest);
    if (cut === null || UNDOING.test(rest)) break;
    rest = cut[1] as string;
    yield rest;
  }
  const worded = /^(?:functions?|tools?|call|api)[_\s-](.+)$/i.exec(name);
  if (worded) yield worded[1] as string;
  const numbered = /^(.+?)(?::\d+|\(\)|\.(?:call|invoke|run))$/.exec(name);
  if (numbered) yield numbered[1] as string;
}

/** Full resolution. `similar` only reaches tools that change nothing, by a clear lead (ARCHITECTURE section 6). */
export function resolveName(raw: string, index: NameIndex): NameMatch {
  const known = spelt(raw, index);
  if (known !== undefined) return known;
  const name = bareName(raw);
  const ranked = index.tools
    .map((tool) => ({ tool, score: similarity(normalName(name), normalName(tool.name)) }))
    .sort((a, b) => b.score - a.score);
  const [first, second] = ranked;
  const harmless = first?.tool.effect === 'pure' || first?.tool.effect === 'read';
  if (first && harmless && first.score >= LIKE && first.score - (second?.score ?? 0) >= LEAD && !changes(name)) {
    return {
      kind: 'similar',
      tool: first.tool,
      repair: `no tool "${name}"; "${first.tool.name}" is the only close one and changes nothing`,
    };
  }
  return { kind: 'unknown', nearest: ranked.slice(0, 5).map((entry) => entry.tool.name) };
}

const CHANGING =
  /(?:delete|remove|drop|send|write|create|update|set|pay|transfer|cancel|post|book|buy|order|kill|clear|reset)/i;

/** The asked-for name speaks of changing something: then nothing else may stand in for it. */
const changes = (name: string): boolean => CHANGING.test(name);
