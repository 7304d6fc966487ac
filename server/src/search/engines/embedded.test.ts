import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { itemsSchema } from '../documents/index.ts';
import { embeddedReader, embeddedWriter } from './embedded.ts';

test('a reader that could not be opened for whatever reason is opened by the next call', async () => {
  const directory = path.join(mkdtempSync(path.join(os.tmpdir(), 'catalog-embedded-')), 'items');
  onTestFinished(() => rmSync(path.dirname(directory), { recursive: true }));
  // Neither damage nor a failure of the disk, so nothing reports it or builds the index again.
  const obstacle = path.join(directory, 'manifest.json');
  mkdirSync(obstacle, { recursive: true });
  const reader = embeddedReader(directory);
  onTestFinished(() => reader.close());
  await expect(reader.stats()).rejects.toThrow('EISDIR');
  rmSync(obstacle, { recursive: true });
  await embeddedWriter(directory, itemsSchema).rebuild(
    (async function* () {
      yield [];
    })(),
  );
  expect(await reader.stats()).toMatchObject({ documents: 0 });
});
