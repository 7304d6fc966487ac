import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { settingsForTests } from '../../settings/index.ts';
import { recordItemPassages, storePassagesOf } from '../passages/index.ts';
import { embedPassages } from './passages.ts';
import type { Embedder } from './port.ts';
import { registerModel } from './store.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const embedder: Embedder = {
  model: async () => ({ name: 'constant', revision: '1', dimension: 2, runtime: 'none', fingerprint: 'constant' }),
  embed: async (texts) => texts.map(() => Float32Array.of(1, 0)),
  close: async () => {},
};

/** Divides the text of these items, as the projectors do after a change. */
async function divide(ids: string[], text: string): Promise<string> {
  const { db } = database;
  await sql`update items set body_text = ${text} where id = any(${ids}::uuid[])`.execute(db);
  const { hash, shape } = await storePassagesOf(db, settingsForTests(), text);
  const rows = ids.map((item_id) => ({ item_id, text_hash: hash, shape, documents: 1, item_fingerprint: text, model_id: null }));
  await recordItemPassages(db, rows, 'after');
  await sql`delete from index_outbox`.execute(db);
  await sql`delete from passage_outbox`.execute(db);
  return hash;
}

/** Embeds until nothing is left, like the task. */
async function embedAll(modelId: number): Promise<void> {
  while ((await embedPassages(database.db, { embedder, modelId, signal: new AbortController().signal })) > 0);
}

async function unembedded(modelId: number): Promise<{ hash: string; attempts: number }[]> {
  const { rows } = await sql<{ hash: string; attempts: number }>`select hash, attempts from passage_texts
    where model_id is distinct from ${modelId}`.execute(database.db);
  return rows;
}

test('a text of several files is embedded although some of them have changed and are not divided again yet', async () => {
  const { db } = database;
  const modelId = await registerModel(db, await embedder.model());
  const library = await addLibrary({ db });
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1) ids.push(await addItem({ db }, library, `${n}.txt`));
  await divide(ids, 'same text');
  const changed = ids.slice(0, 5);
  await sql`update items set body_text = 'another text' where id = any(${changed}::uuid[])`.execute(db);
  await embedAll(modelId);
  expect(await unembedded(modelId)).toEqual([]);
  await divide(changed, 'another text');
  await embedAll(modelId);
  expect(await unembedded(modelId)).toEqual([]);
});

test('a text whose only file has changed is not counted as failed, and is embedded if the file gets it back', async () => {
  const { db } = database;
  const modelId = await registerModel(db, await embedder.model());
  const id = await addItem({ db }, await addLibrary({ db }), 'alone.txt');
  const hash = await divide([id], 'lonely text');
  await sql`update items set body_text = 'changed' where id = ${id}`.execute(db);
  await embedAll(modelId);
  expect(await unembedded(modelId)).toEqual([{ hash, attempts: 0 }]);
  await divide([id], 'lonely text');
  await embedAll(modelId);
  expect(await unembedded(modelId)).toEqual([]);
});

test('a text that no change explains is given up after three attempts', async () => {
  const { db } = database;
  const modelId = await registerModel(db, await embedder.model());
  const id = await addItem({ db }, await addLibrary({ db }), 'odd.txt');
  const hash = await divide([id], 'odd text');
  await sql`update items set body_text = 'changed' where id = ${id}`.execute(db);
  await sql`delete from index_outbox`.execute(db);
  await embedAll(modelId);
  expect(await unembedded(modelId)).toEqual([{ hash, attempts: 3 }]);
});
