import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { databaseForTest } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { settingsForTests } from '../../settings/index.ts';
import { backupChecks } from './checks.ts';
import { createBackup } from './create.ts';
import { type Bundle, bundleNames, checkParts, openBundle } from './folder.ts';
import { restoreBackup } from './restore.ts';

const fixture = fileURLToPath(new URL('./killed-process.fixture.ts', import.meta.url));
const quiet = { now: new Date('2026-03-04T05:06:07.000Z'), signal: new AbortController().signal, progress: () => {} };
const loose = { SVC_DISK_MIN_FREE_GB: '0', SVC_DISK_CRIT_PCT_FREE: '0' };

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-kills-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the fixture; returns the signal that ended it. */
async function run(database: Database, given: { configDir: string; bundle: string | null; stage: string; step: number }) {
  const child = spawn(process.execPath, [fixture, JSON.stringify({ address: database.address, ...given })], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
}

test('a backup killed at any point leaves no backup, and the next one succeeds', async () => {
  const database = await databaseForTest();
  await addItem(database, await addLibrary(database, { name: 'Kept' }), 'kept.txt');
  const configDir = temporaryFolder();
  const backups = path.join(configDir, 'backups');
  for (const [stage, step] of [
    ['database', 0],
    ['database', 6],
    ['finish', 0],
  ] as const) {
    expect(await run(database, { configDir, bundle: null, stage, step }), `${stage} ${step}`).toBe('SIGKILL');
    expect(bundleNames(backups)).toEqual([]);
  }
  expect(readdirSync(backups).every((name) => name.endsWith('.partial'))).toBe(true);
  const settings = settingsForTests({ SVC_CONFIG_DIR: configDir, ...loose });
  const later = new Date(Date.now() + 2 * 3_600_000);
  const { folder, name } = await createBackup(
    { database, settings },
    { ...quiet, now: later, createdBy: 'test', keep: 2, environment: {} },
  );
  await checkParts(openBundle(folder));
  expect(readdirSync(backups), 'leftovers are removed').toEqual([name]);
});

async function aBackup(): Promise<Bundle> {
  const database = await databaseForTest();
  await addItem(database, await addLibrary(database, { name: 'New' }), 'new.txt');
  const settings = settingsForTests({ SVC_CONFIG_DIR: temporaryFolder(), ...loose });
  writeFileSync(settings.shareMapPath, '{"from": "backup"}');
  return createBackup({ database, settings }, { ...quiet, createdBy: 'test', keep: null, environment: {} });
}

const paths = async ({ db }: Database) =>
  (await sql<{ rel_path: string }>`select rel_path from items`.execute(db)).rows.map((row) => row.rel_path);

test.each([
  ['load', 0],
  ['load', 6],
  ['constraints', 5],
])('a restore killed at the stage %s, step %d, leaves the old data and files in place, and can be repeated', async (stage, step) => {
  const bundle = await aBackup();
  const database = await databaseForTest();
  await addItem(database, await addLibrary(database, { name: 'Old' }), 'old.txt');
  const configDir = temporaryFolder();
  expect(await run(database, { configDir, bundle: bundle.folder, stage, step })).toBe('SIGKILL');
  expect(await paths(database)).toEqual(['old.txt']);
  const settings = settingsForTests({ SVC_CONFIG_DIR: configDir, ...loose });
  expect(existsSync(settings.shareMapPath)).toBe(false);
  for (const check of backupChecks) expect(await check.run({ db: database.db, database, settings })).toEqual([]);
  await restoreBackup({ database, settings }, bundle, { ...quiet, backupFirst: false });
  expect(await paths(database)).toEqual(['new.txt']);
});

test('a restore killed after its data is in place says that it is incomplete and how to go on', async () => {
  const bundle = await aBackup();
  const database = await databaseForTest();
  const configDir = temporaryFolder();
  expect(await run(database, { configDir, bundle: bundle.folder, stage: 'files', step: 0 })).toBe('SIGKILL');
  expect(await paths(database)).toEqual(['new.txt']);
  const settings = settingsForTests({ SVC_CONFIG_DIR: configDir, ...loose });
  const findings = () => backupChecks[0]!.run({ db: database.db, database, settings });
  expect(await findings()).toEqual([expect.stringContaining(`catalog restore ${bundle.name}`)]);
  await restoreBackup({ database, settings }, bundle, { ...quiet, backupFirst: false });
  expect(await findings()).toEqual([]);
  expect(readFileSync(settings.shareMapPath, 'utf8')).toBe('{"from": "backup"}');
});
