import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { createBackup } from './create.ts';
import { checkParts } from './folder.ts';
import { connectionVariables, dumpPart, findPgDump } from './pg-dump.ts';

/** A pg_dump of version 18 or newer: TEST_PG_DUMP or the one in PATH. */
const real = process.env['TEST_PG_DUMP'] ?? 'pg_dump';
const hasReal = Number(/\d+/.exec(spawnSync(real, ['--version']).stdout?.toString() ?? '')?.[0] ?? 0) >= 18;

let t: TestApp;
const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-dump-'));
beforeAll(async () => {
  t = await createTestApp();
  await addItem(t.deps, await addLibrary(t.deps, { name: 'Photos' }), 'a/one.jpg');
});
afterAll(async () => {
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A program that answers like pg_dump of this version and cannot dump. */
function programOfVersion(version: string): string {
  const file = path.join(folder, `pg_dump-${version}`);
  writeFileSync(file, `#!/bin/sh\n[ "$1" = --version ] && echo "pg_dump (PostgreSQL) ${version}" && exit 0\necho "no room" >&2\nexit 1\n`);
  chmodSync(file, 0o755);
  return file;
}

const backup = (pgDump: string | undefined) =>
  createBackup(
    { database: t.deps.database, settings: { ...t.deps.settings, pgDump } },
    { createdBy: 'test', now: new Date(), signal: new AbortController().signal, progress: () => {}, keep: null, environment: {} },
  );

test('a pg_dump older than the server is refused with both versions, and one that cannot be started by its path', async () => {
  await expect(findPgDump({ pgDump: programOfVersion('15.7') }, 18)).rejects.toThrow(/version 15.*server is version 18/);
  await expect(findPgDump({ pgDump: path.join(folder, 'nothing') }, 18)).rejects.toThrow(/SVC_PG_DUMP cannot be started/);
  expect(await findPgDump({ pgDump: programOfVersion('18.6') }, 18)).toMatchObject({ major: 18 });
  expect(await findPgDump({ pgDump: programOfVersion('19devel') }, 18)).toMatchObject({ major: 19 });
});

test('a failing pg_dump fails the backup with its own words and leaves no bundle', async () => {
  await expect(backup(programOfVersion('18.6'))).rejects.toThrow('pg_dump failed with code 1: no room');
  expect((await t.request('GET', '/system/backups')).json().bundles).toEqual([]);
});

test('the password is handed over in the environment, and a URL is taken apart', () => {
  expect(
    connectionVariables({ connectionString: 'postgres://ada:p%40ss@[::1]:5433/catalog?sslmode=no-verify&sslrootcert=/ca.pem' }),
  ).toEqual({
    PGHOST: '::1',
    PGPORT: '5433',
    PGUSER: 'ada',
    PGPASSWORD: 'p@ss',
    PGDATABASE: 'catalog',
    PGSSLMODE: 'require',
    PGSSLROOTCERT: '/ca.pem',
  });
  expect(connectionVariables({ host: '/run/db', port: 5432, user: 'ada', database: 'x' })).toEqual({
    PGHOST: '/run/db',
    PGPORT: '5432',
    PGUSER: 'ada',
    PGDATABASE: 'x',
  });
});

test.runIf(hasReal)('a dump of the same moment stands beside the rows, and pg_restore lists its tables', async () => {
  const bundle = await backup(real);
  expect(bundle.manifest.pg_dump_version).toBeGreaterThanOrEqual(18);
  expect(bundle.manifest.files.map(({ name }) => name)).toContain(dumpPart);
  await checkParts(bundle);
  const restore = path.join(path.dirname(real), 'pg_restore');
  const listed = spawnSync(restore, ['--list', path.join(bundle.folder, dumpPart)]);
  expect(listed.stdout.toString()).toMatch(/TABLE DATA public item_rows/);
});
