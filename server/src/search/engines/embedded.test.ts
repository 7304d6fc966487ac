import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Document } from '@catalog/engine';
import { expect, onTestFinished, test } from 'vitest';
import { itemsSchema } from '../documents/index.ts';
import { embeddedReader, embeddedWriter } from './embedded.ts';

function temporaryIndex(): string {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'catalog-embedded-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  return path.join(parent, 'items');
}

async function* pagesOf(...documents: Document[]): AsyncGenerator<Document[]> {
  yield documents;
}

test('a reader that could not be opened for whatever reason is opened by the next call', async () => {
  const directory = temporaryIndex();
  // Neither damage nor a failure of the disk, so nothing reports it or builds the index again.
  const obstacle = path.join(directory, 'manifest.json');
  mkdirSync(obstacle, { recursive: true });
  const reader = embeddedReader(directory);
  onTestFinished(() => reader.close());
  await expect(reader.stats()).rejects.toThrow('EISDIR');
  rmSync(obstacle, { recursive: true });
  await embeddedWriter(directory, itemsSchema).rebuild(pagesOf());
  expect(await reader.stats()).toMatchObject({ documents: 0 });
});

test.each(['missing', 'damaged'])('an index that was %s is never seen empty while it is replaced', async (state) => {
  const directory = temporaryIndex();
  const manifest = path.join(directory, 'manifest.json');
  if (state === 'damaged') {
    mkdirSync(directory);
    writeFileSync(manifest, 'garbage');
  }
  const writer = embeddedWriter(directory, itemsSchema);
  const rebuilt = writer.rebuild(pagesOf({ id: '01a1dd25-f4f0-73a1-bb93-7c6aea54485d', fingerprint: '1' }));
  let replaced = false;
  void rebuilt.finally(() => {
    replaced = true;
  });
  const seen = new Set<string>();
  for (let last = false; !last; ) {
    last = replaced;
    const text = await readFile(manifest, 'utf8').catch(() => '');
    if (text.startsWith('{')) seen.add(`${JSON.parse(text.split('\n')[0]!).segments.length} segments`);
  }
  expect(await rebuilt).toEqual({ documents: 1 });
  expect([...seen]).toEqual(['1 segments']);
  expect(await writer.unusable()).toBeNull();
  expect(readdirSync(path.dirname(directory))).toEqual(['items']);
  await writer.close();
});
