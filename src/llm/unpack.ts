/** Unpacks compressed bodies. We never ask for compression; a proxy on the way may compress all the same. */
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Flow } from './response.js';

/** Where the pieces of a body go, in order, with one end. */
export interface Body {
  push(chunk: Uint8Array): void;
  end(): void;
  fail(reason: unknown): void;
}

/** The body itself, or one that unpacks into it. An encoding that we don't know passes as it is and reads as garbage. */
export function unpacked(encoding: string | undefined, body: Body, flow: Flow): Body {
  const unpacker = unpackerOf(encoding);
  if (unpacker === undefined) return body;
  unpacker.on('data', (chunk: Uint8Array) => body.push(chunk));
  unpacker.on('end', () => body.end());
  unpacker.on('error', (error) => {
    body.fail(new TypeError('terminated', { cause: error }));
    flow.abort(error);
  });
  unpacker.on('drain', () => flow.resume());
  return {
    push: (chunk) => {
      if (!unpacker.write(chunk)) flow.pause();
    },
    end: () => unpacker.end(),
    fail: (reason) => {
      body.fail(reason);
      unpacker.destroy();
    },
  };
}

function unpackerOf(encoding: string | undefined) {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}
