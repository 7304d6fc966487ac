import { copyFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem } from '../../../test/catalog-rows.ts';
import { until } from '../../../test/service.ts';
import { addLibrary, items, scan, tree } from './library.fixture.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

test('a missing file with tags whose bytes are in several files is offered, and its tags and notes can be attached to one of them', async () => {
  const { db } = t.deps;
  const root = tree({ 'a.txt': 'same bytes', 'b.txt': 'same bytes', 'lost.txt': 'same bytes', 'other.txt': 'other' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const before = await items(db, library);
  const [lost, target] = [before['lost.txt']!.id, before['b.txt']!.id];
  await sql`update items set tags = '{found}', user_metadata = '{"note": "old note", "field": 1}', user_title = 'A title' where id = ${lost}`.execute(
    db,
  );
  await sql`update items set tags = '{own}', user_metadata = '{"note": "own note"}' where id = ${target}`.execute(db);
  copyFileSync(path.join(root, 'lost.txt'), path.join(root, 'c.txt'));
  rmSync(path.join(root, 'lost.txt'));
  await scan(db, library);
  const listed = (await t.request('GET', '/items/unattached')).json();
  expect(listed.items).toMatchObject([
    {
      id: lost,
      rel_path: 'lost.txt',
      tags: ['found'],
      note: 'old note',
      candidates: [{ rel_path: 'a.txt' }, { id: target }, { rel_path: 'c.txt' }],
    },
  ]);
  const attach = (to: string, as?: string) => t.request('POST', `/items/${lost}/attach`, { to }, as ? { as } : {});
  expect((await attach(before['other.txt']!.id)).statusCode).toBe(422);
  expect((await attach('01890000-0000-7000-8000-000000000009')).statusCode).toBe(404);
  expect((await attach(target, t.keys.read)).statusCode).toBe(403);
  expect((await attach(target)).json()).toEqual({ item_id: target });
  const after = await items(db, library);
  expect(after['b.txt']).toMatchObject({ tags: ['own', 'found'], user_metadata: { note: 'own note\n\nold note', field: 1 } });
  expect((await t.request('GET', '/items/unattached')).json().items).toEqual([]);
  const history = (await t.request('GET', `/items/${lost}/history`)).json();
  expect(history.items[0].before.tags).toEqual(['found']);
});

test('tags and notes that other people write while one file is attached to another are kept', async () => {
  const { db } = t.deps;
  const library = await addLibrary(db, '/nowhere/edited');
  const content_hash = 'a'.repeat(64);
  const note = (text: string) => ({ user_metadata: { note: text } });
  const from = await addItem(t.deps, library, 'lost.txt', {
    content_hash,
    status: 'missing',
    deleted_at: new Date(),
    tags: ['old'],
    ...note('old'),
  });
  const to = await addItem(t.deps, library, 'found.txt', { content_hash, ...note('draft') });
  const attached = await db.transaction().execute(async (tx) => {
    await sql`update items set user_metadata = '{"note": "corrected"}' where id = ${to}`.execute(tx);
    await sql`update items set tags = '{old,late}' where id = ${from}`.execute(tx);
    const response = t.request('POST', `/items/${from}/attach`, { to });
    await until(async () => {
      const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows.length > 0;
    }, 'the request to wait for the edits');
    return { response };
  });
  expect((await attached.response).statusCode).toBe(200);
  const after = await items(db, library);
  expect(after['found.txt']).toMatchObject({ tags: ['old', 'late'], user_metadata: { note: 'corrected\n\nold' } });
  expect(after['lost.txt']).toMatchObject({ tags: [], user_metadata: {} });
});

test('when the file cannot take more tags, the missing one keeps its own', async () => {
  const { db } = t.deps;
  const library = await addLibrary(db, '/nowhere/full');
  const content_hash = 'b'.repeat(64);
  const missing = { content_hash, status: 'missing', deleted_at: new Date() } as const;
  const from = await addItem(t.deps, library, 'lost.txt', { ...missing, tags: ['one more'] });
  const to = await addItem(t.deps, library, 'found.txt', { content_hash, tags: Array.from({ length: 200 }, (_, n) => `tag ${n}`) });
  expect((await t.request('POST', `/items/${from}/attach`, { to })).statusCode).toBe(422);
  expect((await items(db, library))['lost.txt']?.tags).toEqual(['one more']);
});
