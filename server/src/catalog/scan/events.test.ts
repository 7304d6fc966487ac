import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addPerson } from '../../../test/catalog-rows.ts';
import { addLibrary } from './library.fixture.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

test('the stream of a failed scan names the reason only to a person who sees the whole library', async () => {
  const id = await addLibrary(t.deps.db, '/nowhere/failed');
  const { rows } = await sql<{ id: string }>`insert into scan_runs (library_id, status, phase, finished_at, error)
    values (${id}, 'failed', 'done', now(), '120 of 130 files would be marked as missing, most of them in closed/2024.') returning id`.execute(
    t.deps.db,
  );
  const whole = await addPerson(t.deps, [[id, '', 'search_metadata']]);
  const part = await addPerson(t.deps, [[id, 'open', 'search_metadata']]);
  const most = await addPerson(t.deps, [
    [id, '', 'search_metadata'],
    [id, 'closed', 'search_metadata', 'deny'],
  ]);
  const events = async (as: string) => (await t.request('GET', `/scans/${rows[0]!.id}/events`, undefined, { as })).body;
  expect(await events(whole.key)).toContain('closed/2024');
  for (const { key } of [part, most]) {
    expect(await events(key)).toContain('The scan failed.');
    expect(await events(key)).not.toContain('closed/2024');
  }
});
