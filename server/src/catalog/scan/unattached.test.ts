import { copyFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
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
