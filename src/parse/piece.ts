/** What a reply consists of: pieces in text order, and the calls that were seen in it. */
import type { Json } from '../domain/json.js';
import type { Cut } from './json-walk.js';

export type PieceKind =
  | 'text'
  | 'reasoning'
  | 'comment'
  | 'output' // tool output or another turn, made up by the model
  | 'markup'
  | 'call'
  | 'fence' // opens or closes a code fence: text unless it held nothing but calls
  | 'label'; // a ReAct label

export interface Piece {
  kind: PieceKind;
  readonly start: number;
  end: number;
  /** For labels: which. */
  readonly label?: string;
  /** For reasoning: where its text begins and ends, without the markers. */
  readonly inner?: readonly [number, number];
  /** For reasoning without its end marker. */
  readonly unclosed?: boolean;
}

/** Why a call that was seen does not count as one. */
export type Withheld =
  | 'reasoning'
  | 'comment'
  | 'quoted'
  | 'example'
  | 'retold'
  | 'tool output'
  | 'description'
  | 'after output'
  | 'after answer'
  | 'not read';

/** A call as it stands in the text, before its name and arguments are checked. */
export interface Candidate {
  readonly start: number;
  end: number;
  readonly name: string;
  /** A parsed value, JSON text, or plain text. */
  readonly arguments: Json | undefined;
  readonly id?: string;
  readonly format: string;
  /** An explicit call marker stood around it. */
  readonly marked: boolean;
  /** Says clearly that it is a call; others count only when name and arguments fit. */
  readonly strong: boolean;
  readonly cut: Cut;
  /** It ends where the text ends, so that a missing closer may mean that more was to come. */
  readonly atEnd: boolean;
  readonly repairs: readonly string[];
  readonly duplicateKeys: readonly string[];
  /** Its name stands in a sentence: only when that announces it, it is a call. */
  readonly told?: boolean;
  /** Where one of its arguments ends cannot be told. */
  readonly unsure?: boolean;
  withheld?: Withheld;
}

/** A call region in which no call could be read. */
export interface Unreadable {
  readonly start: number;
  readonly end: number;
  readonly name?: string;
  readonly reason: string;
  readonly cut: boolean;
}
