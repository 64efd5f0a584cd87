/** What the rule-based model means to say, before it is brought into some form. */
import type { Fields } from '../../domain/fields.js';

export interface Call {
  readonly name: string;
  readonly arguments: Fields;
}

/** One turn: thoughts, words, calls. Words without calls are the final answer. */
export interface Intent {
  readonly thought: string;
  readonly text: string;
  readonly calls: readonly Call[];
  /** Which turn of which kind of conversation this is; decides what disorder it comes in. */
  readonly scene: Scene;
}

/**
 * - `plan`, `questions`, `retry`, `write`, `end`: of the planner
 * - `profile`: of the executor that profiles; `question`: of those that aggregate, `n` from 1
 * - `plain`: whatever else
 */
export type Scene =
  | { readonly kind: 'plan' | 'questions' | 'retry' | 'write' | 'end' | 'plain' }
  | {
      readonly kind: 'profile' | 'question';
      readonly n: number;
      readonly attempt: number;
      readonly step: 'call' | 'finish';
    };

export const say = (text: string): Intent => ({ thought: '', text, calls: [], scene: { kind: 'plain' } });

/** Ends the task; in words where there is no tool for it. */
export function finishing(
  tools: readonly string[],
  scene: Scene,
  end: { readonly result: unknown; readonly summary: string; readonly status?: 'partial' | 'failed' },
): Intent {
  if (!tools.includes('finish')) {
    const text = typeof end.result === 'string' ? end.result : JSON.stringify(end.result ?? end.summary);
    return { thought: '', text, calls: [], scene };
  }
  return { thought: '', text: '', calls: [{ name: 'finish', arguments: { ...end } }], scene };
}
