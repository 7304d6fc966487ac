import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

test('errors of files that an agent reads are kept by a retry, which only the agent could perform', async () => {
  const { db } = t.deps;
  const { rows } = await sql<{ id: string }>`insert into agents (name, hostname, platform, cert_fingerprint, last_seen_at)
    values ('Studio', 'studio', 'linux', 'x', now()) returning id`.execute(db);
  const [remote, local] = [await addLibrary(t.deps), await addLibrary(t.deps)];
  await sql`update libraries set source_agent_id = ${rows[0]!.id} where id = ${remote}`.execute(db);
  const metadata = { _extract_error: 'Too large.', _extract_error_kind: 'guard' };
  const ids = [];
  for (const library of [remote, local]) ids.push(await addItem(t.deps, library, 'a.pdf', { metadata }));
  const one = await t.request('POST', `/libraries/${remote}/retry-extracts`, undefined, { as: 'write' });
  expect([one.statusCode, one.json().code]).toEqual([422, 'library_agent_owned']);
  expect((await t.request('POST', '/system/retry-extracts', undefined, { as: 'admin' })).json()).toEqual({ retried: 1 });
  const kept = await sql<{ metadata: object }>`select metadata from items where id = any(${ids}::uuid[]) order by id`.execute(db);
  expect(kept.rows.map((row) => row.metadata)).toEqual([metadata, {}]);
});
