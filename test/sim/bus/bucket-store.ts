/** Key-value buckets at the server, with compare-and-set, watchers, and keys that expire. */
import type { Stored } from '../../../src/bus/contract.js';
import { fail, ok, type Result } from '../../../src/domain/failure.js';
import type { Json } from '../../../src/domain/json.js';
import type { World } from '../kernel/world.js';

interface Entry {
  readonly seq: number;
  readonly text: string;
  readonly putAt: number;
}

type Watcher = (value: Json | undefined, seq: number) => void;

export class BucketStore {
  private readonly entries = new Map<string, Entry>();
  private readonly watchers = new Map<string, Set<Watcher>>();
  private last = 0;

  /** @param lifeMs of a key that is not put again; undefined: for ever */
  constructor(
    private readonly world: World,
    private readonly lifeMs?: number,
  ) {}

  get(key: string): Stored<Json> | undefined {
    const entry = this.present(key);
    return entry && { seq: entry.seq, value: JSON.parse(entry.text) as Json };
  }

  /** With `expected`: only when the key's sequence is that; 0: when there is none. */
  put(key: string, text: string, expected?: number): Result<number> {
    if (expected !== undefined && (this.present(key)?.seq ?? 0) !== expected)
      return fail('conflict', `key ${key} was changed by somebody else`);
    this.last += 1;
    this.entries.set(key, { seq: this.last, text, putAt: this.world.time });
    if (this.watchers.has(key)) this.notify(key, JSON.parse(text) as Json, this.last);
    return ok(this.last);
  }

  delete(key: string, expected?: number): Result<void> {
    const entry = this.present(key);
    if (expected !== undefined && entry?.seq !== expected)
      return fail('conflict', `${key} ${expected} is not there any more`);
    if (entry === undefined) return ok(undefined);
    this.entries.delete(key);
    this.notify(key, undefined, entry.seq);
    return ok(undefined);
  }

  keys(): string[] {
    return [...this.entries.keys()].filter((key) => this.present(key) !== undefined);
  }

  /** As when the server lost its memory. */
  empty(): void {
    this.entries.clear();
  }

  watch(key: string, watcher: Watcher): () => void {
    const watchers = this.watchers.get(key) ?? new Set();
    watchers.add(watcher);
    this.watchers.set(key, watchers);
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0 && this.watchers.get(key) === watchers) this.watchers.delete(key);
    };
  }

  private notify(key: string, value: Json | undefined, seq: number): void {
    for (const watcher of this.watchers.get(key) ?? []) watcher(value, seq);
  }

  private present(key: string): Entry | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined || this.lifeMs === undefined || this.world.time - entry.putAt < this.lifeMs) return entry;
    this.entries.delete(key);
    return undefined;
  }
}
