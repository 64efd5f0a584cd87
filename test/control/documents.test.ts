import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { documentText, protocolDocuments } from '../../src/control/documents.js';
import { protocol } from '../../src/control/protocol.js';

const folder = new URL('../../docs/protocol/', import.meta.url);

describe('the published protocol', () => {
  it('is what the contracts say; `npm run protocol` writes it anew', async () => {
    const documents = protocolDocuments();
    const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
    expect(files).toEqual([...documents.keys()].map((name) => `${name}.json`).sort());
    for (const [name, content] of documents) {
      const text = await readFile(new URL(`${name}.json`, folder), 'utf8');
      expect(text, name).toBe(documentText(content));
    }
  });

  it('describes request and answer of every endpoint as an object', () => {
    const documents = protocolDocuments();
    for (const name of Object.keys(protocol)) {
      for (const side of ['request', 'response'])
        expect(documents.get(`${name}.${side}`)).toMatchObject({ type: 'object' });
    }
  });

  it('refuses unknown fields in requests and lets answers grow', () => {
    const documents = protocolDocuments();
    expect(documents.get('task.submit.request')).toMatchObject({ additionalProperties: false, required: ['goal'] });
    expect(JSON.stringify(documents.get('report'))).not.toContain('"additionalProperties":false');
  });
});
