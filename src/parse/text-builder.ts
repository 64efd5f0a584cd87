/** Text out of very many parts. They are joined in batches, so that neither parts nor joins outlive their use. */

const batchSize = 1024;

export class TextBuilder {
  private batches: string[] = [];
  private parts: string[] = [];

  add(part: string): void {
    if (part === '') return;
    if (this.parts.push(part) < batchSize) return;
    this.batches.push(this.parts.join(''));
    this.parts = [];
  }

  /** The text so far, which is kept in place of its parts. */
  toString(): string {
    const text = this.batches.join('') + this.parts.join('');
    this.batches = [text];
    this.parts = [];
    return text;
  }
}
