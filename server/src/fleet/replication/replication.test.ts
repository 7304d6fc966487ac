import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { enrolAgent, type TestAgent } from '../../../test/test-agent.ts';
import { databaseChecks } from '../../assembly/checks.ts';
import { queueExtraction } from '../../content/pipeline/index.ts';
import { sniffContent } from '../../content/sniff/index.ts';
import { setMaintenanceMode } from '../../platform/maintenance-mode.ts';
import { createLane } from './lane.ts';

let t: TestApp;
let agent: TestAgent;
let seq = 0;

beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  agent = await enrolAgent(t, { name: 'nas-01' });
});
afterAll(async () => {
  for (const check of databaseChecks) expect(await check.run(t.deps), check.name).toEqual([]);
  await t.close();
});

const hashOf = (digit: string) => digit.repeat(64);
const facts = (digit = 'a') => ({
  size: 10,
  mtime_ns: '1700000000000000001',
  inode: '7',
  device: 1,
  links: 2,
  quick_hash: digit.repeat(16),
  content_hash: hashOf(digit),
  policy_version: 'h1:full',
});
const entry = (event_type: string, rel_path: string, more: Record<string, unknown> = {}, root = '/data/photos') => {
  seq += 1;
  return { seq_no: seq, event_type, library_ref: root, rel_path, ...(event_type === 'deleted' ? {} : facts()), ...more };
};
const lines = (entries: unknown[]) => Buffer.from(entries.map((each) => `${JSON.stringify(each)}\n`).join(''));
const sendLines = (body: Buffer, encoding: string) =>
  agent.send('POST', `/agents/${agent.id}/replication-batch`, body, {
    headers: { 'content-type': 'application/x-ndjson', 'content-encoding': encoding },
  });
const push = (entries: unknown[], as = agent) => as.send('POST', `/agents/${as.id}/replication-batch`, { agent_id: as.id, entries });
const apply = async (...entries: unknown[]) => {
  const answer = await push(entries);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json();
};
const items = async (root = '/data/photos') =>
  (
    await sql<{ id: string; rel_path: string; status: string; content_hash: string; tags: string[] }>`
      select i.id, i.rel_path, i.status, i.content_hash, i.tags from items i join libraries l on l.id = i.library_id
      where l.root_path = ${root} order by i.rel_path`.execute(t.deps.db)
  ).rows;
const tag = async (path: string) => {
  await sql`update items set tags = '{kept}' where rel_path = ${path}`.execute(t.deps.db);
  return (await items()).find(({ rel_path }) => rel_path === path)!.id;
};
const changes = async () =>
  (
    await sql<{
      kind: string;
      rel_path: string;
      from_rel_path: string | null;
    }>`select c.kind, c.rel_path, c.from_rel_path from scan_changes c
      where c.run_id = (select max(id::text)::uuid from scan_runs where trigger = 'agent') order by c.rel_path`.execute(t.deps.db)
  ).rows;

test('libraries are made on first sight and belong to the agent; the first listing is not logged as changes', async () => {
  const answer = await apply(
    entry('created', 'a/one.jpg', { initial: true }),
    entry('created', 'a/b/two.jpg', { initial: true }),
    entry('created', 'a/one.jpg', { initial: true, ...facts('b') }, '/data/work'),
  );
  expect(answer).toEqual({
    applied: 3,
    upserted: 3,
    moved: 0,
    tombstoned: 0,
    noop_tombstones: 0,
    trashed_conflicts: 0,
    quarantined: 0,
    libraries_created: 2,
    last_seq: 3,
  });
  // Keyed by root and path: the same path in two roots is two files.
  expect((await items()).map(({ rel_path, content_hash }) => [rel_path, content_hash])).toEqual([
    ['a/b/two.jpg', hashOf('a')],
    ['a/one.jpg', hashOf('a')],
  ]);
  expect((await items('/data/work')).map(({ content_hash }) => content_hash)).toEqual([hashOf('b')]);
  const shown = (await t.request('GET', `/agents/${agent.id}`)).json();
  expect(shown.libraries.map(({ name }: { name: string }) => name)).toEqual(['nas-01: photos', 'nas-01: work']);
  expect(shown).toMatchObject({ last_contiguous_seq_no: 3, last_batch_at: expect.any(String) });
  expect(await changes()).toEqual([]);
  const library = shown.libraries[0].id;
  expect((await t.request('POST', `/libraries/${library}/scan`)).statusCode).toBe(422);
  expect((await t.request('POST', `/libraries/${library}/rehash`)).statusCode).toBe(422);
  const [row] = (
    await sql<Record<string, unknown>>`select nlink, inode::text, policy_version, file_category from items limit 1`.execute(t.deps.db)
  ).rows;
  expect(row).toEqual({ nlink: 2, inode: '7', policy_version: 'h1:full', file_category: 'image' });
});

test('differences that an agent reports are not presented as a scan of everything, and the last scan is when the agent says', async () => {
  const [library] = (await t.request('GET', `/agents/${agent.id}`)).json().libraries;
  const shown = async () => (await t.request('GET', `/libraries/${library.id}`)).json().last_scan;
  const before = await shown();
  expect(before).toMatchObject({ trigger: 'agent', recursive: false, seconds: null, files_per_s: null, accounting: null });
  expect((await t.request('GET', `/scans/${before.id}`)).json()).toMatchObject({ accounting: null });
  const beat = (last_scan_at: unknown) =>
    agent.send('POST', `/agents/${agent.id}/heartbeat`, { health: { roots: [{ path: '/data/photos', last_scan_at }] } });
  const at = new Date().toISOString();
  await beat(at);
  expect(await shown()).toMatchObject({ id: before.id, finished_at: at, started_at: at });
  await beat('2999-01-01T00:00:00Z');
  expect(Date.parse((await shown()).finished_at)).toBeLessThanOrEqual(Date.now());
  for (const odd of ['2001-01-01T00:00:00Z', 'soon', null, 7, {}]) {
    await beat(odd);
    expect(await shown(), String(odd)).toEqual(before);
  }
});

test('a library says why its agent could not scan it', async () => {
  const [library] = (await t.request('GET', `/agents/${agent.id}`)).json().libraries;
  const beat = (last_error: unknown) =>
    agent.send('POST', `/agents/${agent.id}/heartbeat`, { health: { roots: [{ path: '/data/photos', last_error }] } });
  const shown = async () => (await t.request('GET', `/libraries/${library.id}`)).json().agent_error;
  await beat('The folder does not exist.');
  expect(await shown()).toBe('The folder does not exist.');
  for (const none of [null, '', 7, {}]) {
    await beat(none);
    expect(await shown(), String(none)).toBeNull();
  }
});

test('a change, a deletion and a new file are logged for alerts, differences and reports', async () => {
  const before = (await sql<{ n: number }>`select count(*) as n from alert_inbox where what = 'changes'`.execute(t.deps.db)).rows[0]!.n;
  await apply(entry('modified', 'a/one.jpg', facts('c')), entry('deleted', 'a/b/two.jpg'), entry('created', 'new.jpg', facts('d')));
  expect(await changes()).toEqual([
    { kind: 'gone', rel_path: 'a/b/two.jpg', from_rel_path: null },
    { kind: 'changed', rel_path: 'a/one.jpg', from_rel_path: null },
    { kind: 'added', rel_path: 'new.jpg', from_rel_path: null },
  ]);
  expect((await items()).find(({ rel_path }) => rel_path === 'a/b/two.jpg')?.status).toBe('missing');
  const after = (await sql<{ n: number }>`select count(*) as n from alert_inbox where what = 'changes'`.execute(t.deps.db)).rows[0]!.n;
  expect(after).toBeGreaterThan(before);
});

test('a move keeps the item with its tags and notes, also along a chain and a rotation', async () => {
  const id = await tag('a/one.jpg');
  await apply(
    entry('moved', 'x/one.jpg', { from_rel_path: 'a/one.jpg', ...facts('c') }),
    entry('moved', 'y/one.jpg', { from_rel_path: 'x/one.jpg', ...facts('c') }),
  );
  expect((await items()).find((item) => item.id === id)).toMatchObject({ rel_path: 'y/one.jpg', status: 'active', tags: ['kept'] });
  expect(await changes()).toEqual([{ kind: 'moved', rel_path: 'y/one.jpg', from_rel_path: 'a/one.jpg' }]);
  await apply(entry('created', 'log', facts('1')), entry('created', 'log.1', facts('2')));
  const ids = new Map((await items()).map((item) => [item.rel_path, item.id]));
  const turned = await apply(
    entry('moved', 'log.2', { from_rel_path: 'log.1', ...facts('2') }),
    entry('moved', 'log.1', { from_rel_path: 'log', ...facts('1') }),
    entry('created', 'log', facts('3')),
  );
  expect(turned).toMatchObject({ moved: 2, upserted: 1, noop_tombstones: 0 });
  const now = new Map((await items()).map((item) => [item.rel_path, item.id]));
  expect([now.get('log.2'), now.get('log.1')]).toEqual([ids.get('log.1'), ids.get('log')]);
  expect(now.get('log')).not.toBe(ids.get('log'));
});

test('a modified event does not revive an item in the recycle bin', async () => {
  const { id } = (await items()).find(({ rel_path }) => rel_path === 'new.jpg')!;
  await sql`update items set status = 'trashed', deleted_at = now() where id = ${id}`.execute(t.deps.db);
  expect(await apply(entry('modified', 'new.jpg', facts('e')))).toMatchObject({ trashed_conflicts: 1, upserted: 0 });
  expect((await items()).find((item) => item.id === id)).toMatchObject({ status: 'trashed', content_hash: hashOf('d') });
});

test('a batch is accepted only when it continues the last one; a repeated batch gets the first answer and changes nothing', async () => {
  const batch = [entry('created', 'again.jpg', facts('f'))];
  const first = await apply(...batch);
  expect(await apply(...batch)).toEqual(first);
  const expected = seq + 1;
  const refused = async (numbers: number[]) => {
    const answer = await push(numbers.map((seq_no) => ({ ...entry('created', 'no.jpg'), seq_no })));
    seq = expected - 1;
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ code: 'sequence_conflict', expected_seq_no: expected });
    return answer.json().reason;
  };
  expect(await refused([])).toBe('empty');
  expect(await refused([expected - 1])).toBe('stale');
  expect(await refused([expected + 1])).toBe('gap');
  expect(await refused([expected, expected])).toBe('duplicate');
  expect(await refused([expected, expected - 1])).toBe('non_monotonic');
  expect(await refused([expected, expected + 2])).toBe('internal_gap');
  expect((await items()).some(({ rel_path }) => rel_path === 'no.jpg')).toBe(false);
});

test('an entry that cannot be applied is quarantined and shown, and those after it are applied', async () => {
  const bad = [
    entry('created', '../etc/passwd'),
    entry('created', 'size.jpg', { size: -1 }),
    entry('created', 'hash.jpg', { quick_hash: '{x}' }),
    entry('created', 'time.jpg', { mtime_ns: '99999999999999999999' }),
    entry('exploded', 'kind.jpg'),
    entry('created', 'nul\0.jpg'),
    entry('created', 'root.jpg', {}, 'relative/root'),
    entry('moved', 'from.jpg'),
  ];
  expect((await sendLines(lines([...bad, entry('created', 'fine.jpg')]), 'identity')).json()).toMatchObject({
    quarantined: bad.length,
    applied: 1,
  });
  expect((await items()).some(({ rel_path }) => rel_path === 'fine.jpg')).toBe(true);
  const listed = (await t.request('GET', `/agents/${agent.id}/quarantine`)).json();
  expect(listed).toHaveLength(bad.length);
  expect(listed[0]).toMatchObject({ seq_no: seq - 1, reason: expect.stringContaining('from_rel_path') });
  expect((await t.request('DELETE', `/agents/${agent.id}/quarantine`)).statusCode).toBe(204);
  expect((await t.request('GET', `/agents/${agent.id}/quarantine`)).json()).toEqual([]);
});

test('batches may be NDJSON packed with gzip or zstd; more than 1000 entries are 413', async () => {
  expect((await sendLines(gzipSync(lines([entry('created', 'gzip.jpg')])), 'gzip')).json()).toMatchObject({ upserted: 1 });
  expect((await sendLines(zstdCompressSync(lines([entry('created', 'zstd.jpg')])), 'zstd')).json()).toMatchObject({ upserted: 1 });
  const next = seq;
  expect((await sendLines(Buffer.from('no gzip'), 'gzip')).statusCode).toBe(400);
  expect((await sendLines(Buffer.from('x'), 'br')).statusCode).toBe(415);
  expect((await sendLines(Buffer.from('{"a":\n'), 'identity')).statusCode).toBe(400);
  const many = Array.from({ length: 1001 }, () => entry('created', 'many.jpg'));
  expect((await sendLines(lines(many), 'identity')).statusCode).toBe(413);
  seq = next;
});

test('an agent can only write as itself and to its own libraries', async () => {
  const other = await enrolAgent(t, { name: 'other' });
  const batch = { agent_id: agent.id, entries: [{ ...entry('created', 'stolen.jpg'), seq_no: 1 }] };
  seq -= 1;
  expect((await other.send('POST', `/agents/${agent.id}/replication-batch`, batch)).statusCode).toBe(401);
  expect((await other.send('POST', `/agents/${other.id}/replication-batch`, batch)).statusCode).toBe(403);
  const own = await other.send('POST', `/agents/${other.id}/replication-batch`, { ...batch, agent_id: other.id });
  expect(own.json()).toMatchObject({ libraries_created: 1 });
  expect((await items()).filter(({ rel_path }) => rel_path === 'stolen.jpg')).toHaveLength(1);
  const { libraries } = (await t.request('GET', `/agents/${other.id}`)).json();
  expect(libraries).toMatchObject([{ name: 'other: photos', root_path: '/data/photos' }]);
});

test('the service never opens what lies at the paths that an agent names', async () => {
  const local = mkdtempSync(path.join(os.tmpdir(), 'catalog-hostile-'));
  writeFileSync(path.join(local, 'secret'), 'a file of the server');
  const size = 'a file of the server'.length;
  await apply(entry('created', 'secret', { size }, local), entry('created', 'secret.txt', { size }, local));
  const own = await items(local);
  const [library] = (await sql<{ id: string }>`select id from libraries where root_path = ${local}`.execute(t.deps.db)).rows;
  expect(
    await queueExtraction(
      t.deps.db,
      library!.id,
      own.map(({ id }) => id),
    ),
  ).toBe(0);
  const pool = { run: () => Promise.reject(new Error('It was opened.')) } as unknown as Parameters<typeof sniffContent>[1];
  expect(await sniffContent(t.deps.db, pool, { batch: 10, readBytes: 100, reach: () => ({ path: '', release: () => {} }) })).toMatchObject({
    sniffed: 0,
    remaining: 0,
  });
  const explained = await t.request('GET', `/libraries/${library!.id}/explain?path=secret`);
  expect(explained.json()).toMatchObject({ status: 422, code: 'library_agent_owned' });
  // The groups of the agent decide what it scans and records; unchanged values are those of a form.
  const edit = (fields: object) => t.request('PATCH', `/libraries/${library!.id}`, fields);
  for (const fields of [{ ocr_enabled: true }, { exclude_globs: ['*.tmp'] }, { scan_cron: '0 3 * * *' }, { enabled: false }])
    expect((await edit(fields)).json()).toMatchObject({ status: 422, code: 'library_agent_owned' });
  const scheduled = await t.request('POST', `/libraries/${library!.id}/scan-paths`, { rel_path: 'sub', scan_cron: '0 3 * * *' });
  expect(scheduled.json()).toMatchObject({ status: 422, code: 'library_agent_owned' });
  expect((await edit({ permissions_enabled: true, exclude_globs: [], scan_cron: null, expose_gps: true })).statusCode).toBe(200);
  // The file is asked from the agent, never read here.
  await sql`update agents set last_seen_at = now() - interval '1 hour' where id = ${agent.id}`.execute(t.deps.db);
  expect((await t.request('GET', `/items/${own[0]!.id}/file`)).json()).toMatchObject({ status: 409, code: 'agent_offline' });
  rmSync(local, { recursive: true });
});

test('in maintenance mode the answer is 503 with Retry-After, and nothing is lost', async () => {
  await setMaintenanceMode(t.deps.db, true, 'update');
  const batch = [entry('created', 'later.jpg')];
  const answer = await push(batch);
  expect([answer.statusCode, answer.headers['retry-after'], answer.json().reason]).toEqual([503, '300', 'maintenance']);
  await setMaintenanceMode(t.deps.db, false, null);
  expect((await push(batch)).json()).toMatchObject({ upserted: 1 });
});

test('a revoked agent is refused, also when it is revoked while its batch waits', async () => {
  const leaving = await enrolAgent(t, { name: 'leaving' });
  await t.request('DELETE', `/agents/${leaving.id}`);
  expect((await push([{ ...entry('created', 'x.jpg'), seq_no: 1 }], leaving)).statusCode).toBe(403);
  seq -= 1;
});

test('batches wait in order, one per agent, and a full queue is refused with a time to retry', async () => {
  const lane = createLane({ running: 1, waiting: 1 });
  const order: string[] = [];
  let open = (): void => {};
  const first = lane.run('a', () => new Promise<void>((resolve) => (open = resolve)));
  const second = lane.run('b', async () => void order.push('b'));
  expect(lane.slowDown()).toBe(1);
  expect(lane.admit).toThrow(expect.objectContaining({ code: 'replication_busy' }));
  await expect(lane.run('b', async () => {})).rejects.toMatchObject({ code: 'replication_busy' });
  await expect(lane.run('c', async () => {})).rejects.toMatchObject({
    code: 'replication_busy',
    extras: { retryAfter: expect.any(Number) },
  });
  open();
  await Promise.all([first, second]);
  expect(order).toEqual(['b']);
  await lane.run('c', async () => void order.push('c'));
  expect([order, lane.slowDown()]).toEqual([['b', 'c'], 0]);
});
