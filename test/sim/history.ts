/**
 * What was seen of one schedule from outside the product: by its clients, by the people it asked, by the model and the
 * tools it used, by the server that stored its words. One JSON line for each thing, in the order in which it happened.
 */
import { createHash } from 'node:crypto';
import type { World } from './kernel/world.js';

export interface Line {
  /** ms of virtual time since the schedule began. */
  readonly at: number;
  readonly kind: string;
  readonly [field: string]: unknown;
}

export class History {
  readonly lines: Line[] = [];

  constructor(private readonly world: World) {}

  add(kind: string, fields: Readonly<Record<string, unknown>>): void {
    this.lines.push({ at: Math.round(this.world.time * 1000) / 1000, kind, ...fields });
  }

  text(): string {
    return this.lines.map((line) => JSON.stringify(line)).join('\n');
  }

  /** SHA-256 of all lines, hex. */
  hash(): string {
    return createHash('sha256').update(this.text()).digest('hex');
  }
}
