import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPerson } from '../../../test/catalog-rows.ts';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';
import { silentLog } from '../../platform/log/index.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import { pump } from './pump.ts';
import { createSearchMatcher } from './saved-hits.ts';

let t: IndexedApp;
let library: string;
beforeAll(async () => {
  t = await createIndexedApp({ SVC_SECRET_KEY: 'a key for these tests' });
  library = await t.addLibrary('Papers');
});
afterAll(() => t.close());
const runPump = () =>
  pump(
    { db: t.deps.db, log: silentLog, settings: t.deps.settings, now: new Date() },
    { outbound: createOutbound({ settings: t.deps.settings, env: {} }), matchSearch: createSearchMatcher(t.deps) },
  );

test('an event of a search by content is shown only to those who may search content there', async () => {
  await t.addItems(library, [{ path: 'first.pdf', body: 'x' }]);
  await t.waitForIndex();
  const saved = (await t.request('POST', '/saved-searches', { name: 'Layoffs', params: { q: 'layoffs' } })).json();
  const made = await t.request('POST', '/alert-rules', {
    name: 'Letters that mention layoffs',
    event_types: ['search_match'],
    saved_search_id: saved.id,
    group_wait_s: 0,
  });
  expect(made.statusCode, made.body).toBe(201);
  const ids = await t.addItems(library, [
    { path: 'letters/17.pdf', body: 'the layoffs of spring' },
    { path: 'letters/18.pdf', body: 'lunch' },
  ]);
  const run = randomUUID();
  await sql`insert into scan_runs (id, library_id, status) values (${run}, ${library}, 'running')`.execute(t.deps.db);
  for (const id of ids)
    await sql`insert into scan_changes (run_id, library_id, item_id, kind, rel_path) select ${run}, library_id, id, 'added', rel_path from items where id = ${id}`.execute(
      t.deps.db,
    );
  await sql`update scan_runs set settled = true where id = ${run}`.execute(t.deps.db);
  await t.waitForIndex();
  await runPump();
  const { key } = await addPerson(t.deps, [[library, '', 'search_metadata']]);
  const both = await addPerson(t.deps, [
    [library, '', 'search_metadata'],
    [library, '', 'search_content'],
  ]);
  const get = async (path: string, as: string) => (await t.request('GET', path, undefined, { as })).body;
  expect(JSON.parse(await get('/alert-events', both.key))).toHaveLength(1);
  expect.soft(JSON.parse(await get('/alert-events', key))).toEqual([]);
  expect.soft(JSON.parse(await get('/alerts', key)).items).toEqual([]);
});

test('an error of a delivery, which says where messages go, is for administrators', async () => {
  const { db } = t.deps;
  await sql`with c as (insert into alert_channels (name, type) values ('Board', 'webhook') returning id),
    g as (select id, rule_id from alert_groups limit 1),
    n as (insert into alert_notifications (group_id, rule_id, kind, up_to, message) select id, rule_id, 'firing', 1000000, '{}' from g returning id)
    insert into alert_deliveries (notification_id, channel_id, state, last_error) select n.id, c.id, 'failed', 'connect ECONNREFUSED hooks.board.internal:8443' from n, c`.execute(
    db,
  );
  const { key } = await addPerson(t.deps, [
    [library, '', 'search_metadata'],
    [library, '', 'search_content'],
  ]);
  const body = (await t.request('GET', '/alert-events', undefined, { as: key })).body;
  expect(JSON.parse(body)).toHaveLength(1);
  expect(body).not.toContain('board.internal');
  expect((await t.request('GET', '/alert-events')).body).toContain('board.internal');
});
