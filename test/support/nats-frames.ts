/** Cuts a stream of the NATS protocol, of either direction, into whole frames. */

const lineEnd = Buffer.from('\r\n');
/** Frames with a payload, whose last word on the line is its size. */
const withPayload = /^(?:PUB|HPUB|MSG|HMSG) /i;

export class Frames {
  #rest: Buffer = Buffer.alloc(0);

  /** The frames that are whole now; the rest is kept until more comes. */
  push(bytes: Buffer): Buffer[] {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const frames: Buffer[] = [];
    for (let length = this.#next(); length !== undefined; length = this.#next()) {
      frames.push(this.#rest.subarray(0, length));
      this.#rest = this.#rest.subarray(length);
    }
    return frames;
  }

  /** Length of the first frame; undefined while it is not whole. */
  #next(): number | undefined {
    const end = this.#rest.indexOf(lineEnd);
    if (end === -1) return undefined;
    const head = this.#rest.subarray(0, end).toString('latin1');
    const payload = withPayload.test(head) ? Number(head.slice(head.lastIndexOf(' ') + 1)) + lineEnd.length : 0;
    const length = end + lineEnd.length + payload;
    return length <= this.#rest.length ? length : undefined;
  }
}

export const isMessage = (frame: Buffer): boolean => withPayload.test(frame.subarray(0, 5).toString('latin1'));
