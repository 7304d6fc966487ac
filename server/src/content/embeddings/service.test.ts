import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { type Embedder, readCurrentModel, textHash, vectorsOfTexts } from './index.ts';
import { adoptModel } from './service.ts';
import { deleteUnusedVectors } from './store.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

/** Counts the texts it was asked for. */
const asked: string[] = [];
const countingEmbedder = (fingerprint: string): Embedder => ({
  model: async () => ({ name: 'counting', revision: '1', dimension: 2, runtime: 'none', fingerprint }),
  async embed(texts) {
    asked.push(...texts);
    return texts.map((text) => Float32Array.of(text.length % 2, (text.length + 1) % 2));
  },
  close: async () => {},
});

test('equal texts are embedded once per model, and stored vectors are exact', async () => {
  const embedder = countingEmbedder('one');
  const modelId = await adoptModel(database.db, embedder);
  expect(await readCurrentModel(database.db)).toMatchObject({ id: modelId, dimension: 2, fingerprint: 'one' });
  const first = await vectorsOfTexts(database.db, { embedder, modelId }, ['a', 'bb', 'a']);
  const again = await vectorsOfTexts(database.db, { embedder, modelId }, ['bb', 'ccc']);
  expect(asked).toEqual(['a', 'bb', 'ccc']);
  expect(first.get(textHash('bb').toString('hex'))).toEqual(Float32Array.of(0, 1));
  expect(again.get(textHash('bb').toString('hex'))).toEqual(Float32Array.of(0, 1));
  const other = countingEmbedder('two');
  await vectorsOfTexts(database.db, { embedder: other, modelId: await adoptModel(database.db, other) }, ['a']);
  expect(asked).toEqual(['a', 'bb', 'ccc', 'a']);
});

test('vectors that no item uses are deleted', async () => {
  expect(await deleteUnusedVectors(database.db, 100)).toBe(4);
  expect(await deleteUnusedVectors(database.db, 100)).toBe(0);
});
