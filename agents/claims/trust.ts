/** What of the reports of children may be a ground for their parent. */
import type { Grounds, Reported } from './grounds.js';

/** Their reports without the numbers that their own journals do not support. */
export const trustedChildren = ({ children }: Grounds): Reported[] =>
  children.map((child) => {
    const doubted = child.unverified.filter(({ kind }) => kind === 'number').map(({ about }) => about);
    const clean = (text: string): string => doubted.reduce((now, about) => now.replaceAll(about, '…'), text);
    const cleaned = (value: unknown): unknown => {
      if (typeof value === 'string') return clean(value);
      if (typeof value === 'number') return doubted.includes(String(value)) ? null : value;
      if (Array.isArray(value)) return value.map(cleaned);
      if (value === null || typeof value !== 'object') return value;
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleaned(item)]));
    };
    if (doubted.length === 0) return child;
    return { ...child, result: cleaned(child.result) as typeof child.result, summary: clean(child.summary) };
  });
