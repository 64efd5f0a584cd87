/** Kinds of deeds, and how verbs are listed by them. */

/** `look` changes nothing; `call` is about tools themselves. */
export type Family = 'change' | 'send' | 'remove' | 'deploy' | 'run' | 'pay' | 'move' | 'look' | 'call';

/** Families, separated by spaces, and the forms of the verb. */
export type VerbRow = readonly [families: string, forms: string];
