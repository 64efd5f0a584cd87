/** Turns the text behind `Thought:` labels into reasoning, when the reply is of that kind throughout. */
import type { Piece } from './piece.js';

export function thoughtsToReasoning(pieces: readonly Piece[], hasCall: boolean): Piece[] {
  const reacts = hasCall || pieces.some((piece) => piece.kind === 'label' && piece.label === 'final');
  let thinking = false;
  return pieces.map((piece) => {
    if (piece.kind === 'label') {
      thinking = piece.label === 'thought';
      return reacts ? { ...piece, kind: 'markup' } : { ...piece, kind: 'text' };
    }
    if (piece.kind === 'call' || piece.kind === 'output') thinking = false;
    if (!(thinking && reacts && piece.kind === 'text')) return piece;
    return { ...piece, kind: 'reasoning', inner: [piece.start, piece.end] };
  });
}
