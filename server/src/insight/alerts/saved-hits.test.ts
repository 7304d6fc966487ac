import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

/** Items as a scan logs them, searchable at once. */
async function scan(items: { path: string; body?: string }[], kind = 'added'): Promise<string[]> {
  const ids = await t.addItems(library, items);
  await logChanges(
    ids.map((id, at) => [id, items[at]!.path]),
    kind,
  );
  await t.waitForIndex();
  return ids;
}
async function logChanges(changes: [string, string][], kind: string): Promise<void> {
  const run = randomUUID();
  await sql`insert into scan_runs (id, library_id, status) values (${run}, ${library}, 'running')`.execute(t.deps.db);
  for (const [id, path] of changes)
    await sql`insert into scan_changes (run_id, library_id, item_id, kind, rel_path) values (${run}, ${library}, ${id}, ${kind}, ${path})`.execute(
      t.deps.db,
    );
  await sql`update scan_runs set settled = true where id = ${run}`.execute(t.deps.db);
}
const runPump = () =>
  pump(
    { db: t.deps.db, log: silentLog, settings: t.deps.settings, now: new Date() },
    { outbound: createOutbound({ settings: t.deps.settings, env: {} }), matchSearch: createSearchMatcher(t.deps) },
  );
const found = async () => ((await t.request('GET', '/alert-events')).json() as { message: string }[]).map(({ message }) => message).sort();

test('a rule tells when a saved search gets a new hit, by content too, once per file and not for what it found before', async () => {
  const [old] = await scan([{ path: 'old.pdf', body: 'the harbour contract' }]);
  const saved = (await t.request('POST', '/saved-searches', { name: 'Contracts', params: { q: 'harbour ext:pdf' } })).json();
  const made = await t.request('POST', '/alert-rules', {
    name: 'New contracts',
    event_types: ['search_match'],
    saved_search_id: saved.id,
    group_wait_s: 0,
  });
  expect(made.statusCode, made.body).toBe(201);
  const [fresh] = await scan([
    { path: 'new.pdf', body: 'another harbour contract' },
    { path: 'harbour-named.pdf' },
    { path: 'other.pdf', body: 'a letter' },
    { path: 'harbour.txt', body: 'harbour' },
  ]);
  await runPump();
  expect(await found()).toEqual(['harbour-named.pdf', 'new.pdf']);
  await logChanges(
    [
      [fresh!, 'new.pdf'],
      [old!, 'old.pdf'],
    ],
    'changed',
  );
  await runPump();
  expect(await found()).toEqual(['harbour-named.pdf', 'new.pdf']);
  expect((await sql`select from alert_search_items where state = 'candidate'`.execute(t.deps.db)).rows).toEqual([]);
});

test('a file waits until its content has been read', async () => {
  const before = await found();
  const [late] = await t.addItems(library, [{ path: 'late.pdf', body: 'harbour' }]);
  await sql`insert into extract_pending (item_id, library_id) values (${late}, ${library})`.execute(t.deps.db);
  await logChanges([[late!, 'late.pdf']], 'added');
  await t.waitForIndex();
  await runPump();
  expect(await found()).toEqual(before);
  await sql`delete from extract_pending`.execute(t.deps.db);
  await runPump();
  expect(await found()).toEqual([...before, 'late.pdf'].sort());
});

test('documents that OpenSearch has confirmed but not refreshed yet are waited for', async () => {
  const [hit] = await t.addItems(library, [{ path: 'fresh.txt' }]);
  const saved = (await t.request('POST', '/saved-searches', { name: 'Fresh', params: { q: 'fresh' } })).json();
  let refreshed = false;
  const server = createServer((request, response) => {
    if (request.url === '/items/_refresh') refreshed = true;
    const hits = refreshed ? [{ _id: hit, _score: 1, sort: [1, 1, hit] }] : [];
    const found = { took: 1, timed_out: false, _shards: { total: 1, successful: 1, failed: 0 } };
    response.end(JSON.stringify({ ...found, hits: { total: { value: hits.length }, hits }, aggregations: {} }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const searchUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const match = createSearchMatcher({ ...t.deps, settings: { ...t.deps.settings, searchUrl, searchEngine: 'opensearch' } });
  try {
    expect(await match(saved.id, saved.owner_principal, [hit!])).toEqual([hit]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a saved search that cannot run any more does not hold up the other alerts', async () => {
  const before = await found();
  const rule = async (name: string, params: object): Promise<void> => {
    const saved = (await t.request('POST', '/saved-searches', { name, params: { q: 'ledger' } })).json();
    await t.request('POST', '/alert-rules', { name, event_types: ['search_match'], saved_search_id: saved.id, group_wait_s: 0 });
    await sql`update saved_searches set params = ${JSON.stringify(params)}::jsonb where id = ${saved.id}`.execute(t.deps.db);
  };
  // The type has been removed from the catalog since.
  await rule('A broken one', { q: 'ledger', file_category: ['gone'] });
  await rule('Sound', { q: 'ledger' });
  await scan([{ path: 'ledger.pdf' }]);
  await runPump();
  expect(await found()).toEqual([...before, 'ledger.pdf'].sort());
});

test('a filter that the database evaluates may match any number of other files', async () => {
  const before = await found();
  const saved = (await t.request('POST', '/saved-searches', { name: 'Acme', params: { q: 'cf.client:acme' } })).json();
  await t.request('POST', '/alert-rules', { name: 'Acme', event_types: ['search_match'], saved_search_id: saved.id, group_wait_s: 0 });
  const [fresh] = await t.addItems(library, [{ path: 'acme.txt', userMetadata: { client: 'acme' } }]);
  await sql`insert into items (library_id, folder_id, filename, file_category, file_group, size, mtime_ns, user_metadata)
    select library_id, folder_id, 'old ' || n, file_category, file_group, 1, 1, user_metadata from items, generate_series(1, 20001) n where id = ${fresh}`.execute(
    t.deps.db,
  );
  await logChanges([[fresh!, 'acme.txt']], 'added');
  await t.waitForIndex();
  await runPump();
  expect(await found()).toEqual([...before, 'acme.txt'].sort());
});

test('the search runs with the rights its owner has now: a disabled account finds nothing', async () => {
  const before = await found();
  await scan([{ path: 'secret.pdf', body: 'harbour' }]);
  await sql`update service_accounts set disabled = true where id in (select owner_id from alert_rules where saved_search_id is not null)`.execute(
    t.deps.db,
  );
  await runPump();
  const { rows } = await sql<{ message: string }>`select message from alert_events`.execute(t.deps.db);
  expect(rows.map(({ message }) => message).sort()).toEqual(before);
});
