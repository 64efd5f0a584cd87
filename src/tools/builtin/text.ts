/** Text out of bytes: which encoding a file has, and its characters chunk by chunk in constant memory. */
import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { toolFailure } from '../tool-failure.js';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030' | 'windows-1252';

const sampleBytes = 262_144;
/** Bytes that are read at a time. */
export const chunkBytes = 262_144;

const signatures: readonly (readonly [string, string])[] = [
  ['1f8b', 'is compressed (gzip); unpack it first'],
  ['504b0304', 'is a ZIP archive or an office document; export it as CSV'],
  ['25504446', 'is a PDF; convert it to text first'],
  ['d0cf11e0', 'is an old office document; export it as CSV'],
  ['89504e47', 'is an image'],
  ['ffd8ff', 'is an image'],
  ['53514c69746520666f726d6174', 'is an SQLite database; export its tables as CSV'],
  ['50415231', 'is a Parquet file; export it as CSV'],
];

/** Decides by byte order marks, by what is valid, and by NUL bytes. Throws for what is no text. */
export async function encodingOf(handle: FileHandle, size: number, shown: string): Promise<Encoding> {
  const head = await sample(handle, 0, Math.min(size, sampleBytes));
  const known = signatures.find(([bytes]) => head.subarray(0, bytes.length / 2).toString('hex') === bytes);
  if (known !== undefined) throw toolFailure({ kind: 'invalid_arguments', message: `${shown} ${known[1]}` });
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head.includes(0)) return withoutMark(head, shown);
  // The end is looked at too: the first non-ASCII character may come late.
  const tail =
    size > head.length ? await sample(handle, Math.max(head.length, size - sampleBytes), size) : Buffer.alloc(0);
  const parts = [whole(head, false), whole(tail, true)];
  if (parts.every((part) => isUtf8(part))) return 'utf-8';
  return parts.every(isGb18030) ? 'gb18030' : 'windows-1252';
}

async function sample(handle: FileHandle, from: number, to: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.subarray(0, bytesRead);
}

/** NUL bytes without a mark: UTF-16 when they are nearly all on one side of the pairs, else binary. */
function withoutMark(head: Buffer, shown: string): Encoding {
  let even = 0;
  let odd = 0;
  for (let i = 0; i < head.length; i += 1) {
    if (head[i] !== 0) continue;
    if (i % 2 === 0) even += 1;
    else odd += 1;
  }
  if (odd > head.length / 8 && even < odd / 20) return 'utf-16le';
  if (even > head.length / 8 && odd < even / 20) return 'utf-16be';
  throw toolFailure({ kind: 'invalid_arguments', message: `${shown} is not a text file (it contains NUL bytes)` });
}

/** A cut piece without the halves of characters at its ends. */
function whole(piece: Buffer, atStart: boolean): Buffer {
  let start = 0;
  let end = piece.length;
  // A piece of the middle may begin within a character: begin after the first line break.
  if (atStart && piece.length > 0) start = piece.indexOf(0x0a) + 1;
  for (let back = 1; back <= 4 && back <= end; back += 1) {
    const byte = piece[end - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      end -= back;
      break;
    }
  }
  return piece.subarray(start, end);
}

function isGb18030(piece: Buffer): boolean {
  try {
    new TextDecoder('gb18030', { fatal: true }).decode(piece, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The characters of a file from its start, without a byte order mark. Stops when the signal aborts. */
export async function* textChunks(
  handle: FileHandle,
  encoding: Encoding,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const decode = decoderOf(encoding);
  const buffer = Buffer.alloc(chunkBytes);
  let position = 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, position);
    const text = bytesRead === 0 ? decode(undefined) : decode(buffer.subarray(0, bytesRead));
    const clean = position === 0 && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
    if (clean !== '') yield clean;
    if (bytesRead === 0) return;
    position += bytesRead;
  }
}

/** Decodes piece by piece; undefined ends the text. */
function decoderOf(encoding: Encoding): (bytes: Buffer | undefined) => string {
  if (encoding === 'utf-8') {
    // Twice as fast as TextDecoder, and plain ASCII stays at one byte a character.
    const decoder = new StringDecoder('utf8');
    return (bytes) => (bytes === undefined ? decoder.end() : decoder.write(bytes));
  }
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return (bytes) => (bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true }));
}
