/** The tables of placeholders, compiled when they are first asked. */
import { LOOSE_TEMPLATES, SHOWN_FENCES, TEMPLATES, TYPED_NAMES, TYPES } from './placeholders.js';

function lazily(make: () => RegExp): (text: string) => boolean {
  let pattern: RegExp | undefined;
  return (text) => {
    pattern ??= make();
    return pattern.test(text);
  };
}

const whole = (sources: readonly string[], flags: string): (() => RegExp) => {
  return () => new RegExp(`^(?:${sources.join('|')})$`, flags);
};

export const isTemplate = lazily(whole(TEMPLATES, 'u'));
export const isLooseTemplate = lazily(whole(LOOSE_TEMPLATES, 'u'));
export const isType = lazily(whole(TYPES, 'iu'));
export const isTypedName = lazily(whole(TYPED_NAMES, 'iu'));
/** The line behind the marks of a fence. */
export const opensShown = lazily(() => new RegExp(SHOWN_FENCES.join('|'), 'i'));
