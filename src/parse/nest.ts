/** Names that are open inside each other. Every question is constant time, so that a text of nothing but openers stays linear. */

export class Nest {
  private readonly names: string[] = [];
  /** Made when something opens: in most values nothing does. */
  private counts: Map<string, number> | undefined;

  get depth(): number {
    return this.names.length;
  }

  open(name: string): void {
    this.names.push(name);
    this.add(name, 1);
  }

  holds(name: string): boolean {
    return this.count(name) > 0;
  }

  /** Closes the innermost of that name, and what was opened in it. */
  close(name: string): void {
    for (let last = this.names.pop(); last !== undefined; last = this.names.pop()) {
      this.add(last, -1);
      if (last === name) return;
    }
  }

  /** Something of another name is open around the innermost of that name. */
  within(name: string): boolean {
    return this.names.lastIndexOf(name) >= this.count(name);
  }

  private count(name: string): number {
    return this.counts?.get(name) ?? 0;
  }

  private add(name: string, by: number): void {
    this.counts ??= new Map();
    this.counts.set(name, this.count(name) + by);
  }
}
