/** One thing that a report says, and what speaks for it. */
import type { ClaimKind } from '../../src/domain/report.js';

export interface Claim {
  readonly kind: ClaimKind;
  /** The thing itself: a number as written, a path, a tool, a deed. */
  readonly about: string;
  /** The words in which it is claimed. */
  readonly claim: string;
  readonly supported: boolean;
  /** Why not, for a model; empty when it is supported. */
  readonly reason: string;
  /** Ids of the calls that support it, at most a few; none when the order does. */
  readonly evidence: readonly string[];
}

const claimChars = 200;
const mostEvidence = 5;

export const shown = (text: string): string => (text.length > claimChars ? `${text.slice(0, claimChars)}…` : text);

export const supported = (kind: ClaimKind, about: string, claim: string, evidence: readonly string[]): Claim => ({
  kind,
  about,
  claim: shown(claim),
  supported: true,
  reason: '',
  evidence: [...new Set(evidence)].slice(0, mostEvidence),
});

export const unsupported = (kind: ClaimKind, about: string, claim: string, reason: string): Claim => ({
  kind,
  about,
  claim: shown(claim),
  supported: false,
  reason,
  evidence: [],
});
