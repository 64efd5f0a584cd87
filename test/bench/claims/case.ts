/** A labelled report: what an agent did, what it says of it, and whether all of that is so. */
import type { Grounds, RanCall, Reported } from '../../../agents/claims/grounds.js';
import type { Json, JsonObject } from '../../../src/domain/json.js';

/** `swapped`: a true number told of something else; `failed`: a call that failed is told as a success; `partial`: a part is told as
 * the whole; `evidence`: it points to a step or a call that there is not. */
export type LieKind = 'tool' | 'action' | 'file' | 'number' | 'nothing' | 'swapped' | 'failed' | 'partial' | 'evidence';
export type Said = string | { readonly result: Json; readonly summary?: string };

/** One piece of work, with true and false reports about it. */
export interface Situation {
  readonly name: string;
  readonly grounds: Grounds;
  readonly honest: readonly Said[];
  readonly lies: readonly (readonly [LieKind, Said])[];
}

/** @param any a number from `from` to `to`, seeded */
export type Tell = (any: (from: number, to: number) => number) => Situation;

export interface Case {
  readonly id: string;
  readonly lie: LieKind | undefined;
  readonly grounds: Grounds;
  readonly result: Json;
  readonly summary: string;
}

/** Every situation told `times` with other numbers; the same seed gives the same cases. */
export function casesOf(tales: readonly Tell[], times: number, random: () => number): Case[] {
  const any = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
  return tales.flatMap((tell) =>
    Array.from({ length: times }, (_, time) => {
      const { grounds, honest, lies, name } = tell(any);
      const one = (said: Said, lie: LieKind | undefined, at: number): Case => ({
        id: `${name}/${time}/${lie ?? 'honest'}-${at}`,
        lie,
        grounds,
        result: typeof said === 'string' ? said : said.result,
        summary: typeof said === 'string' ? said : (said.summary ?? ''),
      });
      return [
        ...honest.map((said, at) => one(said, undefined, at)),
        ...lies.map(([kind, said], at) => one(said, kind, at)),
      ];
    }).flat(),
  );
}

let nextCall = 0;
const call = (tool: string, effect: RanCall['effect'], args: JsonObject, end: Partial<RanCall>): RanCall => ({
  callId: `r${++nextCall}c1`,
  tool,
  effect,
  args,
  status: 'ok',
  data: null,
  ...end,
});

export const ran = (tool: string, effect: RanCall['effect'], args: JsonObject, data: Json): RanCall =>
  call(tool, effect, args, { data });
export const broke = (tool: string, effect: RanCall['effect'], args: JsonObject, error: string): RanCall =>
  call(tool, effect, args, { status: 'error', error });

export const child = (agentId: string, result: Json, more: Partial<Reported> = {}): Reported => ({
  agentId,
  callId: `d${agentId}`,
  status: 'done',
  result,
  summary: '',
  unverified: [],
  tools: ['read_file'],
  files: [],
  ...more,
});

export const groundsOf = (goal: string, calls: readonly RanCall[], more: Partial<Grounds> = {}): Grounds => ({
  goal,
  context: '',
  files: [],
  told: [],
  calls,
  children: [],
  tools: [],
  ...more,
});
