/** What was found in a text and must not be shown. */
export const findingKinds = [
  'email',
  'phone',
  'id-card',
  'bank-card',
  'iban',
  'api-key',
  'token',
  'password',
  'private-key',
  'secret',
] as const;
export type FindingKind = (typeof findingKinds)[number];

export interface Finding {
  /** One of `findingKinds`, or what a finder of your own calls it. */
  readonly kind: string;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

/** Finds things in time linear in the text. */
export type Finder = (text: string) => Iterable<Finding>;
