/**
 * Texts with what must be hidden in them in ⟦brackets⟧, or with nothing (`none: …`). `¦` is taken out, so that no scanner
 * takes the file for a leak: all values are made up.
 */
import { readFileSync } from 'node:fs';

export interface Row {
  readonly lang: 'en' | 'zh';
  readonly kind: string;
  readonly text: string;
  readonly hidden: readonly { readonly start: number; readonly end: number }[];
}

export function labelledRows(): Row[] {
  const file = readFileSync(new URL('./labelled.jsonl', import.meta.url), 'utf8');
  return file.trimEnd().split('\n').map(read);
}

function read(line: string): Row {
  const row = JSON.parse(line) as { lang: 'en' | 'zh'; kind: string; text: string };
  const hidden: { start: number; end: number }[] = [];
  let text = '';
  for (const part of row.text.replaceAll('¦', '').split(/([⟦⟧])/)) {
    if (part === '⟦') hidden.push({ start: text.length, end: text.length });
    else if (part === '⟧') hidden.splice(-1, 1, { start: hidden.at(-1)?.start ?? 0, end: text.length });
    else text += part;
  }
  return { lang: row.lang, kind: row.kind, text, hidden };
}
