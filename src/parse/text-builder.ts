/** Text out of very many parts. They are joined in batches, so that neither parts nor joins outlive their use. */

const batchSize = 1024;

export class TextBuilder {
  private readonly batches: string[] = [];
  private parts: string[] = [];

  add(part: string): void {
    if (part === '') return;
    if (this.parts.push(part) < batchSize) return;
    this.batches.push(this.parts.join(''));
    this.parts = [];
  }

  toString(): string {
    const rest = this.parts.join('');
    return this.batches.length === 0 ? rest : this.batches.join('') + rest;
  }
}
