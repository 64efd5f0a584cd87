/** The keys that an object had so far. */

/** Most objects have a few, for which a set would cost more than the rest of the reading. */
export class Keys {
  private first: string | undefined;
  private more: Set<string> | undefined;

  has(key: string): boolean {
    return this.first === key || this.more?.has(key) === true;
  }

  add(key: string): void {
    if (this.first === undefined) this.first = key;
    else {
      this.more ??= new Set();
      this.more.add(key);
    }
  }
}
