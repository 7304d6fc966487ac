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
