/** What was found in a text and must not be shown. */
export interface Finding {
  /** `email`, `phone`, `id-card`, `bank-card`, `iban`, `api-key`, `token`, `password`, `private-key`, `secret`, `ip`, or another finder's own word. */
  readonly kind: string;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

/** Finds things in time linear in the text. */
export type Finder = (text: string) => Iterable<Finding>;
