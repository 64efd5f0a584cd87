/** Calls in YAML behind a call marker or in a fence of calls: `name: N` and `arguments:`, or the name and its arguments below. */
import { lineStart } from './line.js';
import { spelt } from './name.js';
import { affords, pushCall, type ScanState, spend } from './scan-state.js';
import { callsIn, type ShapeCall } from './shape.js';
import { readYaml } from './yaml.js';

/** The longest line above a first key that may be the tool's name. */
const NAME_REACH = 200;

/** The fence says that it holds calls. In any other, a name above keys is most often somebody's configuration. */
function holdsCalls({ text, fence }: ScanState): boolean {
  const word = fence === undefined ? '' : text.slice(fence.piece.start, fence.from).replace(/[`\s]/g, '');
  return /^(?:tool|function)_?(?:calls?|code|use)$/i.test(word);
}

/** The colon at `at` stands behind the first key of a region. */
export function stepYaml(state: ScanState, at: number): number | undefined {
  const { text, marked, fence, candidates } = state;
  if (at + 1 < text.length && !' \r\n'.includes(text[at + 1] as string)) return undefined;
  const region =
    marked === undefined && fence?.calls === candidates.length && holdsCalls(state) ? fence.from : marked?.from;
  if (region === undefined || marked?.word === 'label' || (marked?.calls ?? 0) > 0) return undefined;
  if (at - region > NAME_REACH || !affords(state, at)) return undefined;
  const start = Math.max(region, lineStart(text, at, NAME_REACH));
  const above = text.slice(region, start).trim();
  const named = above === '' ? undefined : above;
  if (named !== undefined && spelt(named, state.options.index) === undefined) return undefined;
  const { read, looked } = readYaml(text, start);
  spend(state, looked);
  if (read === undefined) return undefined;
  const found: readonly ShapeCall[] =
    named === undefined
      ? callsIn(read.value, state.options.index, true)
      : [{ name: named, arguments: read.value, path: [], strong: false }];
  const call = found[0];
  if (call === undefined || found.length > 1 || spelt(call.name, state.options.index) === undefined) return undefined;
  const from = marked?.opened ?? region;
  return pushCall(state, from, {
    start: from,
    end: read.end,
    name: call.name,
    arguments: call.arguments,
    ...(call.id === undefined ? {} : { id: call.id }),
    format: 'YAML',
    marked: true,
    strong: call.strong,
    cut: read.cut,
    atEnd: read.atEnd,
    repairs: [],
    duplicateKeys: read.repeated,
    ...(call.describes === true ? { withheld: 'description' as const } : {}),
  });
}
