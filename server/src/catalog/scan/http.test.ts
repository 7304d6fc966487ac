import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addLimitedKey, addPerson } from '../../../test/catalog-rows.ts';
import { until } from '../../../test/service.ts';
import { openSession } from '../../people/identity/sessions.ts';
import { setMaintenanceMode } from '../../platform/maintenance-mode.ts';
import { addLibrary, inline, tree, write } from './library.fixture.ts';
import { performScan, scanDependencies } from './run.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

const nobody = '01a1dcfe-9952-7896-a4ba-953f2deb22a4';
async function library(files: Record<string, string>, fields: Record<string, unknown> = {}): Promise<{ id: string; root: string }> {
  const root = tree(files);
  return { root, id: await addLibrary(t.deps.db, root, fields) };
}
/** Requests a scan over HTTP and performs it like the worker. */
async function scanned(id: string, query = ''): Promise<string> {
  const asked = await t.request('POST', `/libraries/${id}/scan${query}`, undefined, { as: 'write' });
  expect(asked.statusCode, asked.body).toBe(202);
  const { scan_id } = asked.json();
  await performScan(scanDependencies({ db: t.deps.db, ...inline, options: {} }), scan_id);
  await sql`update jobs set state = 'succeeded', finished_at = now() where state = 'todo'`.execute(t.deps.db);
  return scan_id;
}
const scan = async (id: string, as = 'read') => (await t.request('GET', `/scans/${id}`, undefined, { as })).json();

test('a scan request returns 202; the scan is listed, returned with its counters at the top level, and finished', async () => {
  const { id } = await library({ 'a.jpg': 'x', 'b/c.txt': 'yy', '.hidden/d': 'z', 'e.tmp': 'w' }, { exclude_globs: ['*.tmp'] });
  const asked = await t.request('POST', `/libraries/${id}/scan`);
  expect(asked.json()).toEqual({ scan_id: expect.any(String), job_id: expect.any(String), status: 'running', already_running: false });
  const again = await t.request('POST', `/libraries/${id}/scan`);
  expect(again.json()).toMatchObject({ scan_id: asked.json().scan_id, already_running: true });
  await performScan(scanDependencies({ db: t.deps.db, ...inline, options: {} }), asked.json().scan_id);
  const run = await scan(asked.json().scan_id);
  expect(run).toMatchObject({
    library_id: id,
    status: 'finished',
    seen: 2,
    new: 2,
    excluded_filtered: 1,
    excluded_gate: 0,
    pruned_dirs: 1,
    pruned_paths: ['.hidden'],
    pruned_files: null,
    permission_denied: 0,
    error: null,
    accounting: '2 seen + 1 excluded: at least 3 files on disk; 1 skipped folder not counted',
  });
  expect((await t.request('GET', `/scans?library_id=${id}&status=finished`)).json()).toMatchObject({
    items: [{ id: run.id }],
    total: 1,
    next_cursor: null,
  });
  expect((await t.request('GET', `/scans?library_id=${id}&status=failed`)).json().total).toBe(0);
  expect((await t.request('GET', `/items?library_id=${id}`)).json().items.map(({ rel_path }: { rel_path: string }) => rel_path)).toEqual([
    'a.jpg',
    'b/c.txt',
  ]);
  expect((await t.request('GET', `/libraries/${id}`)).json().last_scan).toMatchObject({ id: run.id, status: 'finished', seen: 2 });
});

test('a scan request is refused: no library, maintenance mode, a bad status, a forged cursor', async () => {
  expect((await t.request('POST', `/libraries/${nobody}/scan`)).statusCode).toBe(404);
  const { id } = await library({ a: 'x' });
  await setMaintenanceMode(t.deps.db, true, 'upgrade');
  expect((await t.request('POST', `/libraries/${id}/scan`)).json()).toMatchObject({ status: 409, code: 'maintenance_mode' });
  await setMaintenanceMode(t.deps.db, false, null);
  expect((await t.request('GET', '/scans?status=dead')).statusCode).toBe(422);
  const forged = Buffer.from(JSON.stringify('x')).toString('base64url');
  expect((await t.request('GET', `/scans?cursor=${forged}`)).json()).toMatchObject({ status: 422, code: 'cursor_invalid' });
  expect((await t.request('GET', `/scans/${nobody}`)).statusCode).toBe(404);
});

test('a full scan that sees nothing over a populated library fails with a clear error; force_empty=true overrides', async () => {
  const { id, root } = await library({ a: 'x' });
  await scanned(id);
  rmSync(`${root}/a`);
  const guarded = await scan(await scanned(id));
  expect(guarded).toMatchObject({ status: 'failed', error: expect.stringMatching(/\w+ .*\./), missing: 0 });
  expect((await t.request('GET', `/items?library_id=${id}`)).json().total).toBe(1);
  expect(await scan(await scanned(id, '?force_empty=true'))).toMatchObject({ status: 'finished', missing: 1 });
  const { events } = (await t.request('GET', '/audit?event_type=mark_missing_requested')).json();
  expect(events).toMatchObject([{ details: { library_id: id, files: 1 } }]);
});

test('a single folder or file can be scanned; a missing path or one outside the library is refused', async () => {
  const { id } = await library({ 'a/b.txt': 'x', 'c/d.txt': 'y' });
  const target = (path: string) => t.request('POST', `/libraries/${id}/scan/targeted`, { path });
  const asked = await target('/a/');
  expect([asked.statusCode, asked.json()]).toMatchObject([202, { library_id: id, path: 'a', is_file: false, coalesced: false }]);
  await performScan(scanDependencies({ db: t.deps.db, ...inline, options: {} }), asked.json().scan_id);
  expect((await t.request('GET', `/items?library_id=${id}`)).json()).toMatchObject({ total: 1, items: [{ rel_path: 'a/b.txt' }] });
  await sql`update jobs set state = 'succeeded' where state = 'todo'`.execute(t.deps.db);
  expect((await target('a/b.txt')).json()).toMatchObject({ is_file: true });
  expect((await target('nowhere')).statusCode).toBe(404);
  expect((await target('../x')).statusCode).toBe(422);
});

test('a queued scan is stopped at once, a stopped one cannot be stopped again, and only an administrator can force-clear', async () => {
  const { id } = await library({ a: 'x' });
  const { scan_id } = (await t.request('POST', `/libraries/${id}/scan`)).json();
  expect((await t.request('POST', `/scans/${scan_id}/stop`, undefined, { as: 'write' })).json()).toEqual({ status: 'stopped' });
  expect((await t.request('POST', `/scans/${scan_id}/cancel`)).json()).toMatchObject({ status: 409, code: 'scan_ended' });
  const left = (await t.request('POST', `/libraries/${id}/scan`)).json().scan_id;
  expect((await t.request('POST', `/scans/${left}/force-clear`, undefined, { as: 'write' })).statusCode).toBe(403);
  await sql`update jobs set state = 'doing', heartbeat_at = now() where state = 'todo'`.execute(t.deps.db);
  expect((await t.request('POST', `/scans/${left}/force-clear`)).json()).toMatchObject({ status: 409, code: 'scan_still_active' });
  await sql`update jobs set heartbeat_at = now() - interval '1 hour' where state = 'doing'`.execute(t.deps.db);
  expect((await t.request('POST', `/scans/${left}/force-clear`)).json()).toEqual({ status: 'stopped', previous_status: 'running' });
  expect((await t.request('GET', '/audit?event_type=scan_force_cleared')).json().events).toMatchObject([{ details: { scan_id: left } }]);
});

test('two scans are compared: added, changed, gone, returned, moved; paged, and as NDJSON', async () => {
  const { id, root } = await library({
    'same.txt': 's',
    'edit.txt': 'e',
    'gone.txt': 'gone',
    'back.txt': 'back',
    'from.txt': 'a content of its own',
  });
  await scanned(id);
  rmSync(`${root}/back.txt`);
  const first = await scanned(id);
  write(root, { 'back.txt': 'back', 'new.txt': 'new!', 'to.txt': 'a content of its own', 'edit.txt': 'edited' });
  utimesSync(`${root}/edit.txt`, 1, 1);
  rmSync(`${root}/gone.txt`);
  rmSync(`${root}/from.txt`);
  const second = await scanned(id);
  const diff = (await t.request('GET', `/scans/${first}/diff/${second}`, undefined, { as: 'read' })).json();
  const shown = (items: { rel_path: string; kind: string }[]) => Object.fromEntries(items.map(({ rel_path, kind }) => [rel_path, kind]));
  const expected = { 'new.txt': 'added', 'edit.txt': 'changed', 'gone.txt': 'gone', 'back.txt': 'returned', 'to.txt': 'moved' };
  expect([diff.complete, shown(diff.items)]).toEqual([true, expected]);
  const page = (await t.request('GET', `/scans/${first}/diff/${second}?limit=3`)).json();
  const rest = (await t.request('GET', `/scans/${first}/diff/${second}?limit=3&cursor=${page.next_cursor}`)).json();
  expect(shown([...page.items, ...rest.items])).toEqual(expected);
  const text = await t.request('GET', `/scans/${first}/diff/${second}?format=ndjson`);
  expect(text.headers['content-type']).toContain('application/x-ndjson');
  expect(
    shown(
      text.body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ),
  ).toEqual(expected);
  expect((await t.request('GET', `/scans/${first}/diff/${nobody}`)).statusCode).toBe(404);
  expect((await t.request('GET', `/scans/${first}/diff/${second}?cursor=${Buffer.from('"x"').toString('base64url')}`)).statusCode).toBe(
    422,
  );
});

test('any path is explained, relative or absolute, with the preset and line that decided', async () => {
  const { id, root } = await library({ 'a.jpg': 'x', '.git/b': 'y', 'c.txt': 'z' }, { enabled_categories: ['image'] });
  symlinkSync('a.jpg', `${root}/link.jpg`);
  await scanned(id);
  writeFileSync(`${root}/later.jpg`, 'l');
  const explain = async (path: string) =>
    (await t.request('GET', `/libraries/${id}/explain?path=${encodeURIComponent(path)}`, undefined, { as: 'read' })).json();
  expect(await explain('a.jpg')).toMatchObject({ verdict: 'item', item: { status: 'active' } });
  expect(await explain(`${root}/a.jpg`)).toMatchObject({ path: 'a.jpg', verdict: 'item' });
  expect(await explain('.git/b')).toMatchObject({ verdict: 'pruned', at: '.git', preset: 'hidden_dotfiles', pattern: '.*', line: 1 });
  expect(await explain('c.txt')).toMatchObject({ verdict: 'outside_selection', category: 'document' });
  expect(await explain('later.jpg')).toMatchObject({ verdict: 'never_seen' });
  expect(await explain('none.jpg')).toMatchObject({ verdict: 'not_there' });
  expect(await explain('../x')).toMatchObject({ status: 422 });
});

test('a person sees runs, folders and changes only of what they were granted', async () => {
  const { id, root } = await library({ 'open/a.jpg': 'x', 'closed/b.jpg': 'y', '.cache/x': 'z' });
  const hidden = await library({ a: 'x' });
  const before = await scanned(id);
  const other = await scanned(hidden.id);
  const { key } = await addPerson(t.deps, [[id, 'open', 'search_metadata']]);
  write(root, { 'open/n.jpg': '1', 'closed/n.jpg': '2' });
  const after = await scanned(id);
  expect(await scan(after, key)).toMatchObject({
    seen: 0,
    accounting: null,
    pruned_paths: [],
    stats: expect.not.objectContaining({ pruned_paths: expect.anything() }),
  });
  const shown = (await t.request('GET', `/libraries/${id}`, undefined, { as: key })).json().last_scan;
  expect(shown).toMatchObject({ id: after, status: 'finished', finished_at: expect.any(String), counts_hidden: true, seen: 0, new: 0 });
  expect(shown.stages.walk).toEqual({ done: 0, total: null, failed: 0, rate: null, state: 'done' });
  rmSync(root, { recursive: true });
  mkdirSync(root);
  await scanned(id);
  const guarded = (await t.request('GET', `/libraries/${id}`, undefined, { as: key })).json().last_scan;
  expect(guarded).toMatchObject({ status: 'failed', error_code: 'empty_scan', error: null });
  expect((await scan((await t.request('GET', '/scans')).json().items[0].id, key)).error).toBeNull();
  expect((await scan(other, key)).status).toBe(404);
  const list = (await t.request('GET', '/scans?limit=200', undefined, { as: key })).json().items as { library_id: string }[];
  expect(new Set(list.map(({ library_id }) => library_id))).toEqual(new Set([id]));
  const diff = (await t.request('GET', `/scans/${before}/diff/${after}`, undefined, { as: key })).json();
  expect(diff.items.map(({ rel_path }: { rel_path: string }) => rel_path)).toEqual(['open/n.jpg']);
  const lines = (await t.request('GET', `/scans/${before}/diff/${after}?format=ndjson`, undefined, { as: key })).body;
  expect(lines).not.toContain('closed');
  for (const route of [
    `/scans/${other}/diff/${other}`,
    `/libraries/${hidden.id}/explain?path=a`,
    `/libraries/${id}/explain?path=closed/b.jpg`,
  ])
    expect((await t.request('GET', route, undefined, { as: key })).statusCode, route).toBe(404);
  for (const route of [`/libraries/${hidden.id}/scan`, `/scans/${other}/stop`])
    expect((await t.request('POST', route, undefined, { as: key })).statusCode, route).toBe(404);
  expect((await t.request('POST', `/libraries/${id}/scan/targeted`, { path: 'closed' }, { as: key })).statusCode).toBe(404);
});

test('a person who sees the whole library sees what a guard stopped and may mark it as missing; one who sees part of it does not', async () => {
  const { id, root } = await library({ 'open/a.jpg': 'x', 'closed/b.jpg': 'y' });
  await scanned(id);
  rmSync(root, { recursive: true });
  mkdirSync(root);
  const guarded = await scanned(id);
  const whole = await addPerson(t.deps, [[id, '', 'search_metadata']]);
  expect(await scan(guarded, whole.key)).toMatchObject({
    error_code: 'empty_scan',
    guard: { kind: 'empty', would_vanish: 2, of: 2, sample: ['closed/b.jpg', 'open/a.jpg'], annotated: 0 },
  });
  const part = await addPerson(t.deps, [[id, 'open', 'search_metadata']]);
  const most = await addPerson(t.deps, [
    [id, '', 'search_metadata'],
    [id, 'closed', 'search_metadata', 'deny'],
  ]);
  for (const key of [part.key, most.key, await addLimitedKey(t.deps, whole.id, 'open')]) {
    expect((await scan(guarded, key)).guard).toBeNull();
    expect((await t.request('POST', `/libraries/${id}/scan?force_empty=true`, undefined, { as: key })).statusCode).toBe(403);
  }
  expect((await t.request('POST', `/libraries/${id}/scan?force_empty=true`, undefined, { as: whole.key })).statusCode).toBe(202);
});

test('a scan is followed live: progress while it runs, then done, then the stream ends', async () => {
  const { id } = await library({ 'a.jpg': 'x', 'b.jpg': 'y' });
  if (!t.app.server.listening) await t.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = t.app.server.address() as AddressInfo;
  const follow = async (scanId: string, started?: () => void): Promise<{ event: string; data: Record<string, unknown> }[]> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/scans/${scanId}/events`, {
      headers: { authorization: `Bearer ${t.keys.read}` },
    });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    let text = '';
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>) {
      text += chunk;
      if (text.includes('event: ')) started?.();
    }
    return [...text.matchAll(/event: (.*)\ndata: (.*)\n/g)].map(([, event, data]) => ({ event: event!, data: JSON.parse(data!) }));
  };
  const { scan_id } = (await t.request('POST', `/libraries/${id}/scan`)).json();
  let begin!: () => void;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const events = follow(scan_id, begin);
  await begun;
  await performScan(scanDependencies({ db: t.deps.db, ...inline, options: {} }), scan_id);
  const told = await events;
  expect(told[0]).toMatchObject({ event: 'progress', data: { scan_id, status: 'running' } });
  expect(told.at(-1)).toMatchObject({ event: 'done', data: { scan_id, library_id: id, status: 'finished', seen: 2, new: 2 } });

  await sql`update jobs set state = 'succeeded' where state = 'todo'`.execute(t.deps.db);
  await sql`update libraries set root_path = '/nowhere/at/all' where id = ${id}`.execute(t.deps.db);
  expect((await follow(await scanned(id))).at(-1)).toMatchObject({ event: 'error', data: { detail: expect.any(String) } });
});

test('a stream ends with the session, account, key or grants of the caller, and other people keep theirs', async () => {
  const id = await addLibrary(t.deps.db, '/nowhere/followed');
  const { rows } = await sql<{ id: string }>`insert into scan_runs (library_id, status, phase, heartbeat_at, stats)
    values (${id}, 'running', 'walk', now(), '{"current_folder": "first"}') returning id`.execute(t.deps.db);
  const scanId = rows[0]!.id;
  if (!t.app.server.listening) await t.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = t.app.server.address() as AddressInfo;
  const follow = async (headers: Record<string, string>, query = '') => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/scans/${scanId}/events${query}`, { headers });
    expect(answer.status).toBe(200);
    const stream = { text: '', ended: false };
    void (async () => {
      for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>)
        stream.text += chunk;
      stream.ended = true;
    })();
    await until(() => stream.text.includes('"current_folder":"first"'), 'the first event');
    return stream;
  };
  const person = async () => {
    const made = await addPerson(t.deps, [[id, '', 'search_metadata']]);
    const { token, sessionId } = await openSession(t.deps.db, made.id, { ip: '127.0.0.1', userAgent: undefined });
    return { ...made, sessionId, cookie: { cookie: `__Host-catalog_session=${token}` }, bearer: { authorization: `Bearer ${made.key}` } };
  };
  const [leaving, signedOut, idle, disabled, revoked, denied, staying] = [
    await person(),
    await person(),
    await person(),
    await person(),
    await person(),
    await person(),
    await person(),
  ];
  const { token } = (await t.request('POST', `/scans/${scanId}/events-token`, undefined, { as: null, headers: leaving.cookie })).json();
  const ending = [
    await follow({}, `?stream_token=${token}`),
    await follow(signedOut.cookie),
    await follow(idle.cookie),
    await follow(disabled.cookie),
    await follow(revoked.bearer),
    await follow(denied.bearer),
  ];
  const kept = await follow(staying.cookie);
  await sql`delete from sessions where id = any(${[leaving.sessionId, signedOut.sessionId]}::uuid[])`.execute(t.deps.db);
  await sql`update sessions set last_seen_at = now() - interval '10 years' where id = ${idle.sessionId}`.execute(t.deps.db);
  await sql`update principals set disabled = true where id = ${disabled.id}`.execute(t.deps.db);
  await sql`delete from api_keys where principal_id = ${revoked.id}`.execute(t.deps.db);
  await sql`delete from grants where principal_id = ${denied.id}`.execute(t.deps.db);
  await sql`update scan_runs set stats = '{"current_folder": "second"}' where id = ${scanId}`.execute(t.deps.db);
  await sql`select pg_notify('scan_progress', ${scanId})`.execute(t.deps.db);
  await until(() => kept.text.includes('"current_folder":"second"'), 'the second event');
  await until(() => ending.every(({ ended }) => ended), 'the streams to end');
  expect(ending.filter(({ text }) => text.includes('second'))).toEqual([]);
  expect(kept.ended).toBe(false);
  await sql`update scan_runs set status = 'stopped', finished_at = now(), settled = true where id = ${scanId}`.execute(t.deps.db);
  await sql`select pg_notify('scan_progress', ${scanId})`.execute(t.deps.db);
  await until(() => kept.ended, 'the last stream to end');
});

test('libraries report items with outdated hashes and are rehashed by one job at a time', async () => {
  const { id } = await library({ 'a.txt': 'x', 'b.txt': 'y' });
  await scanned(id);
  await sql`update items set policy_version = 'h0:quick' where library_id = ${id} and rel_path = 'a.txt'`.execute(t.deps.db);
  const status = async (as = 'read') =>
    ((await t.request('GET', '/libraries/hash-status', undefined, { as })).json() as { library_id: string }[]).find(
      ({ library_id }) => library_id === id,
    );
  expect(await status()).toMatchObject({ stale: 1, rehash_pending: false, agent_owned: false });
  await setMaintenanceMode(t.deps.db, true, 'upgrade');
  expect((await t.request('POST', `/libraries/${id}/rehash`)).json()).toMatchObject({ status: 409, code: 'maintenance_mode' });
  await setMaintenanceMode(t.deps.db, false, null);
  const asked = await t.request('POST', `/libraries/${id}/rehash`, undefined, { as: 'write' });
  expect([asked.statusCode, asked.json()]).toEqual([202, { job_id: expect.any(String), already_queued: false }]);
  expect((await t.request('POST', `/libraries/${id}/rehash`)).json()).toEqual({ job_id: null, already_queued: true });
  expect(await status()).toMatchObject({ rehash_pending: true });
  await sql`update libraries set source_agent_id = ${nobody} where id = ${id}`.execute(t.deps.db);
  expect((await t.request('POST', `/libraries/${id}/rehash`)).json()).toMatchObject({ status: 422, code: 'library_agent_owned' });
  expect((await t.request('POST', `/libraries/${id}/scan`)).json()).toMatchObject({ status: 422, code: 'library_agent_owned' });
  const { key } = await addPerson(t.deps, []);
  expect(await status(key)).toBeUndefined();
  expect((await t.request('POST', `/libraries/${id}/rehash`, undefined, { as: key })).statusCode).toBe(404);
});
