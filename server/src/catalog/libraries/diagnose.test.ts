import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import { probeRoot } from './diagnose.ts';

let t: TestApp;
let disk: string;
beforeAll(async () => {
  t = await createTestApp();
  disk = mkdtempSync(path.join(os.tmpdir(), 'catalog-diagnose-'));
});
afterAll(async () => {
  await t.close();
  rmSync(disk, { recursive: true, force: true });
});
const diagnosis = async (id: string) => (await t.request('GET', `/libraries/${id}/diagnose`, undefined, { as: 'write' })).json();
const codes = async (id: string) => (await diagnosis(id)).verdicts.map(({ code }: { code: string }) => code);

test('the probe distinguishes a missing, empty, forbidden, broken and hung folder, and a file', async () => {
  expect((await probeRoot(`${disk}/none`)).state).toBe('missing');
  expect((await probeRoot(disk)).state).toBe('empty');
  writeFileSync(`${disk}/a`, 'x');
  expect((await probeRoot(disk)).state).toBe('ok');
  expect((await probeRoot(`${disk}/a`)).state).toBe('not-dir');
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
  expect(await probeRoot(disk, failing('EACCES'))).toMatchObject({ state: 'permission', code: 'EACCES' });
  expect(await probeRoot(disk, failing('EIO'))).toMatchObject({ state: 'io', code: 'EIO' });
  expect((await probeRoot(disk, () => new Promise(() => {}), 1)).state).toBe('hung');
});

test('the most severe problem comes first, with what to do', async () => {
  const { db } = t.deps;
  const id = await addLibrary(t.deps, { root_path: disk });
  expect(await codes(id)).toEqual(['never-scanned', 'path-ok']);
  await sql`insert into scan_runs (library_id, status, finished_at, error) values (${id}, 'failed', now(), 'The folder vanished.')`.execute(
    db,
  );
  await addItem(t.deps, id, 'a.pdf', { metadata: { _extract_error: 'Too large.', _extract_error_kind: 'guard' } });
  const found = await diagnosis(id);
  expect(found.verdicts.map(({ code }: { code: string }) => code)).toEqual(['last-scan-failed', 'extract-errors', 'path-ok']);
  expect(found).toMatchObject({
    runs: [{ status: 'failed', error: 'The folder vanished.' }],
    extract_errors: { total: 1, by_kind: { guard: 1 }, top_messages: [{ message: 'Too large.', count: 1 }] },
  });
  await sql`update libraries set root_path = '/nowhere/at/all', enabled = false where id = ${id}`.execute(db);
  expect(await codes(id)).toEqual(['path-missing', 'last-scan-failed', 'extract-errors', 'disabled']);
  const { key } = await addPerson(t.deps, []);
  expect((await t.request('GET', `/libraries/${id}/diagnose`, undefined, { as: key })).statusCode).toBe(404);
});

test('the error of a scan is not shown to a caller who sees only a part of the library', async () => {
  const id = await addLibrary(t.deps, { root_path: disk });
  await sql`insert into scan_runs (library_id, status, finished_at, error)
    values (${id}, 'failed', now(), '120 of 130 files would be marked as missing, most of them in closed/2024.')`.execute(t.deps.db);
  const part = await addPerson(t.deps, [[id, 'open', 'search_metadata']]);
  const answer = await t.request('GET', `/libraries/${id}/diagnose`, undefined, { as: part.key });
  expect(answer.json()).toMatchObject({ runs: [{ status: 'failed', error: null }] });
  expect(answer.json().verdicts).toContainEqual(expect.objectContaining({ code: 'last-scan-failed' }));
  expect(answer.body).not.toContain('closed/2024');
  const whole = await addPerson(t.deps, [[id, '', 'search_metadata']]);
  expect((await t.request('GET', `/libraries/${id}/diagnose`, undefined, { as: whole.key })).body).toContain('closed/2024');
});

test('failed jobs of the library are named, but not to a caller who sees only a part of it', async () => {
  const id = await addLibrary(t.deps, { root_path: disk });
  await sql`insert into jobs (queue, task, state, max_attempts, place, finished_at, error)
    select 'scan', 'scan', 'failed', 1, ${id}, now() - n * interval '1 hour', 'Failure ' || n from generate_series(1, 7) n`.execute(
    t.deps.db,
  );
  const found = await diagnosis(id);
  expect(found.failed_jobs.map(({ error }: { error: string }) => error)).toEqual([1, 2, 3, 4, 5].map((n) => `Failure ${n}`));
  expect(found.verdicts).toContainEqual(expect.objectContaining({ code: 'failed-jobs', detail: 'Failure 1' }));
  const { key } = await addPerson(t.deps, [[id, 'a', 'search_metadata']]);
  expect((await t.request('GET', `/libraries/${id}/diagnose`, undefined, { as: key })).json().failed_jobs).toEqual([]);
});

test('warnings in the log that name the library are listed, but not to a caller who sees only a part of it', async () => {
  const id = await addLibrary(t.deps, { root_path: disk });
  await sql`insert into app_logs (ts, source, level, logger, message) values
    (now(), 'worker', 'warning', 'catalog.scan', ${`A library cannot be watched. library_id=${id}`}),
    (now(), 'worker', 'info', 'catalog.scan', ${`A scan began. library_id=${id}`}),
    (now(), 'worker', 'error', 'catalog.scan', 'Another library. library_id=0')`.execute(t.deps.db);
  expect((await diagnosis(id)).logs).toEqual([
    { ts: expect.any(String), level: 'warning', message: `A library cannot be watched. library_id=${id}` },
  ]);
  const { key } = await addPerson(t.deps, [[id, 'a', 'search_metadata']]);
  expect((await t.request('GET', `/libraries/${id}/diagnose`, undefined, { as: key })).json().logs).toEqual([]);
});

test('an agent that is silent or revoked is the first problem of its library', async () => {
  const { db } = t.deps;
  const { rows } = await sql<{ id: string }>`insert into agents (name, hostname, platform, cert_fingerprint, last_seen_at)
    values ('Studio', 'studio', 'linux', 'x', now()) returning id`.execute(db);
  const agent = rows[0]!.id;
  const id = await addLibrary(t.deps);
  await sql`update libraries set source_agent_id = ${agent} where id = ${id}`.execute(db);
  expect(await diagnosis(id)).toMatchObject({ agent: { name: 'Studio', status: 'active' }, path: null });
  expect(await codes(id)).toContain('agent-owned');
  await sql`update agents set last_seen_at = now() - interval '2 hours' where id = ${agent}`.execute(db);
  expect((await codes(id))[0]).toBe('agent-silent');
  await sql`update agents set revoked_at = now() where id = ${agent}`.execute(db);
  expect((await codes(id))[0]).toBe('agent-revoked');
  const { agent_name, agent_status, agent_last_seen_at } = (await t.request('GET', `/libraries/${id}`)).json();
  expect({ agent_name, agent_status, agent_last_seen_at }).toEqual({
    agent_name: 'Studio',
    agent_status: 'revoked',
    agent_last_seen_at: expect.any(String),
  });
});

test('the usual rate of a library is the median of its last whole scans', async () => {
  const id = await addLibrary(t.deps);
  await sql`insert into scan_runs (library_id, status, scope, finished_at, stats)
    select ${id}, 'finished', case when n = 12 then 'a folder' else '' end, now(), jsonb_build_object('files_per_s', n * 10) from generate_series(1, 12) n`.execute(
    t.deps.db,
  );
  expect((await t.request('GET', `/libraries/${id}`)).json().last_scan).toMatchObject({ median_files_per_s: 65, throughput_runs: 10 });
});
