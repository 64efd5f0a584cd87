/** What a reply comes to, as `parseReply` gives it. */
import type { Json, JsonObject } from '../domain/json.js';
import type { FailureKind } from './judge.js';
import type { Piece } from './piece.js';
import type { ReasoningTree } from './reasoning/tree.js';
import type { StateEntry } from './state.js';

export interface ParsedCall {
  name: string;
  arguments: JsonObject;
  /** 1: exact; lower with every repair. */
  confidence: number;
  repairs: string[];
  /** The id that the model gave; sent back to it unchanged. */
  id?: string;
  /** Ids of equal calls that were left out; each wants the same answer. */
  repeats?: string[];
}

export interface RejectedCall {
  name: string;
  reason: string;
  failure: FailureKind;
  arguments?: JsonObject;
  /** The arguments as they were written, when they did not fit. */
  given?: JsonObject;
  id?: string;
  nearest?: string[];
}

export interface ReplySegment {
  kind: Piece['kind'];
  start: number;
  end: number;
}

export interface Reply {
  /** Ready to run: known tool, arguments fit its schema, whole, not taken back, no repeat. */
  calls: ParsedCall[];
  /** Cut off, or in a call region and unreadable. */
  incomplete: { name?: string; reason: string }[];
  superseded: { name: string; arguments: JsonObject; reason: string }[];
  rejected: RejectedCall[];
  reasoning: string;
  /** The reasoning as thoughts with their relations. Made when it is first looked at. */
  readonly reasoningTree: ReasoningTree;
  content: string;
  /** Made when it is first looked at. */
  readonly state: Readonly<Record<string, StateEntry>>;
  meta: {
    confidence: number;
    repairs: string[];
    segments: ReplySegment[];
    formats: string[];
    /** Identical calls that were left out. */
    repeated: number;
    /** Reasoning parts that must go back to the model unchanged. */
    sealed: Json[];
  };
}

/** What is derived from a reply, and only when somebody looks. */
export interface Derive {
  readonly reasoningTree: () => ReasoningTree;
  readonly state: () => Readonly<Record<string, StateEntry>>;
}

type Read = Omit<Reply, 'reasoningTree' | 'state'>;

/** A class because accessors of an object literal cost three times what reading a small native call costs. */
export class Outcome implements Reply {
  readonly calls: Reply['calls'];
  readonly incomplete: Reply['incomplete'];
  readonly superseded: Reply['superseded'];
  readonly rejected: Reply['rejected'];
  readonly reasoning: string;
  readonly content: string;
  readonly meta: Reply['meta'];
  readonly #derive: Derive;
  #tree: ReasoningTree | undefined;
  #state: Readonly<Record<string, StateEntry>> | undefined;

  constructor(read: Read, derive: Derive) {
    this.calls = read.calls;
    this.incomplete = read.incomplete;
    this.superseded = read.superseded;
    this.rejected = read.rejected;
    this.reasoning = read.reasoning;
    this.content = read.content;
    this.meta = read.meta;
    this.#derive = derive;
  }

  get reasoningTree(): ReasoningTree {
    this.#tree ??= this.#derive.reasoningTree();
    return this.#tree;
  }

  get state(): Readonly<Record<string, StateEntry>> {
    this.#state ??= this.#derive.state();
    return this.#state;
  }

  /** The derived parts belong to what is written out. */
  toJSON(): Reply {
    return { ...this, reasoningTree: this.reasoningTree, state: this.state };
  }
}
