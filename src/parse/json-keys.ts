/** The keys of objects: what JSON text stands for which, and which an object had so far. */

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

/** The key that the JSON text of a string stands for. */
export function keyOf(json: string): string {
  if (!json.includes('\\')) return json.slice(1, -1);
  try {
    return String(JSON.parse(json));
  } catch {
    return json.slice(1, -1);
  }
}
