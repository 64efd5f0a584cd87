/** Names that are open inside each other. Every question is constant time, so that a text of nothing but openers stays linear. */

export interface Nest {
  readonly depth: number;
  open(name: string): void;
  holds(name: string): boolean;
  /** Closes the innermost of that name, and what was opened in it. */
  close(name: string): void;
  /** Something of another name is open around the innermost of that name. */
  within(name: string): boolean;
}

export function createNest(): Nest {
  const open: string[] = [];
  const counts = new Map<string, number>();
  const add = (name: string, by: number): void => void counts.set(name, (counts.get(name) ?? 0) + by);
  return {
    get depth() {
      return open.length;
    },
    open(name) {
      open.push(name);
      add(name, 1);
    },
    holds: (name) => (counts.get(name) ?? 0) > 0,
    close(name) {
      for (let last = open.pop(); last !== undefined; last = open.pop()) {
        add(last, -1);
        if (last === name) return;
      }
    },
    within: (name) => open.lastIndexOf(name) >= (counts.get(name) ?? 0),
  };
}
