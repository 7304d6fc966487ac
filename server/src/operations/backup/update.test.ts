import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { addItemOfOldSchema, addLibrary } from '../../../test/catalog-rows.ts';
import { databaseForTest } from '../../../test/database.ts';
import { seedTaxonomy } from '../../catalog/taxonomy/index.ts';
import { type Database, migrate, readMigrations } from '../../platform/database/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { type Settings, settingsForTests } from '../../settings/index.ts';
import { createBackup } from './create.ts';
import { backupsFolder, bundleNames, findBundleFolder, openBundle } from './folder.ts';
import { manifestName } from './manifest.ts';
import { restoreBackup } from './restore.ts';
import { updateSchema } from './update.ts';

const log = createLog({ name: 'test', level: 'critical', sinks: [] });
let database: Database;
let settings: Settings;

/** A database of the version before this one, with one file in it. */
beforeEach(async () => {
  const configDir = mkdtempSync(path.join(os.tmpdir(), 'catalog-update-'));
  onTestFinished(() => rmSync(configDir, { recursive: true, force: true }));
  settings = settingsForTests({ SVC_CONFIG_DIR: configDir, SVC_DISK_MIN_FREE_GB: '0', SVC_DISK_MIN_PCT_FREE: '0' });
  database = await databaseForTest();
  await database.pool.query('drop schema public cascade; create schema public');
  await migrate(database.pool, readMigrations().slice(0, -1));
  await seedTaxonomy(database.db);
  await addItemOfOldSchema(database, await addLibrary(database, { name: 'Old' }), 'old.txt');
});

const newest = readMigrations().at(-1)!;
const appliedVersions = async () => (await database.pool.query('select count(*) from schema_migrations')).rows[0].count;

test('existing data is backed up before its schema changes, and a second start makes no second backup', async () => {
  await updateSchema({ database, settings }, log);
  const [name, ...more] = bundleNames(backupsFolder(settings));
  expect(more).toEqual([]);
  const { manifest } = openBundle(findBundleFolder(settings, name!)!);
  expect(manifest).toMatchObject({ item_count: 1, created_by: expect.stringContaining('before the update') });
  expect(manifest.schema_head).toBeLessThan(newest.version);
  expect(await appliedVersions()).toBe(readMigrations().length);
  await updateSchema({ database, settings }, log);
  expect(bundleNames(backupsFolder(settings))).toHaveLength(1);
});

test('without room for the backup nothing is changed, and the error says how to go on', async () => {
  const full = { ...settings, diskMinFreeGb: 1e9 };
  await expect(updateSchema({ database, settings: full }, log)).rejects.toThrow(
    /not started, because the backup before it failed.*SVC_BACKUP_BEFORE_UPDATE=false/,
  );
  expect(await appliedVersions()).toBe(readMigrations().length - 1);
  await updateSchema({ database, settings: { ...full, backupBeforeUpdate: false } }, log);
  expect(await appliedVersions()).toBe(readMigrations().length);
  expect(bundleNames(backupsFolder(settings))).toEqual([]);
});

test('an older version refuses newer data and names the backup that brings it back, which works', async () => {
  await updateSchema({ database, settings }, log);
  const [name] = bundleNames(backupsFolder(settings));
  await database.pool.query("insert into schema_migrations (version, name, digest) values (9999, '9999_later.sql', 'x')");
  await expect(updateSchema({ database, settings }, log)).rejects.toThrow(`catalog restore ${name}`);
  await restoreBackup({ database, settings }, openBundle(findBundleFolder(settings, name!)!), {
    now: new Date(),
    signal: new AbortController().signal,
    progress: () => {},
    backupFirst: false,
  });
  expect(await updateSchema({ database, settings }, log)).toMatchObject({ applied: [] });
  expect((await database.pool.query('select rel_path from items')).rows).toEqual([{ rel_path: 'old.txt' }]);
});

/** Writes backups named after these times and returns the names of all backups, newest first. */
async function backUpAt(...times: string[]): Promise<string[]> {
  const signal = new AbortController().signal;
  const options = { createdBy: 'test', signal, progress: () => {}, keep: null, environment: {} };
  for (const time of times) await createBackup({ database, settings }, { ...options, now: new Date(time) });
  return bundleNames(backupsFolder(settings));
}

/** Every update to the newest schema fails until the returned function is called. */
async function makeUpdatesFail(): Promise<() => Promise<unknown>> {
  await database.pool.query(`alter table schema_migrations add constraint no_newest check (version < ${newest.version})`);
  return () => database.pool.query('alter table schema_migrations drop constraint no_newest');
}

async function failToStart(times: number, given = settings): Promise<void> {
  for (let start = 0; start < times; start += 1)
    await expect(updateSchema({ database, settings: given }, log)).rejects.toThrow(`Migration ${newest.name} failed`);
}

const schemasOfBackups = () =>
  bundleNames(backupsFolder(settings)).map((name) => openBundle(findBundleFolder(settings, name)!).manifest.schema_head);

test('an update that fails at every start keeps all earlier backups and one of its own; its success removes the surplus', async () => {
  const keepThree = { ...settings, backupKeep: 3 };
  const earlier = await backUpAt('2020-01-01', '2020-01-02', '2020-01-03');
  const repair = await makeUpdatesFail();
  await failToStart(3, keepThree);
  expect(bundleNames(backupsFolder(settings))).toEqual([expect.any(String), ...earlier]);
  await repair();
  await updateSchema({ database, settings: keepThree }, log);
  expect(bundleNames(backupsFolder(settings))).toEqual([expect.any(String), ...earlier.slice(0, 2)]);
});

test('an update that fails halfway at every start keeps the backup that the version before it can restore', async () => {
  await database.pool.query('drop schema public cascade; create schema public');
  const [halfway, before] = readMigrations().slice(-3, -1).reverse();
  await migrate(database.pool, readMigrations().slice(0, -2));
  await makeUpdatesFail();
  await failToStart(3, { ...settings, backupKeep: 1 });
  expect(schemasOfBackups()).toEqual([halfway!.version, before!.version]);
});

test('a backup before the same update stays if another backup was made after it', async () => {
  await makeUpdatesFail();
  await failToStart(1);
  const [first] = bundleNames(backupsFolder(settings));
  const { manifest } = openBundle(findBundleFolder(settings, first!)!);
  // In the same second, so that its name comes directly after.
  const [between] = await backUpAt(manifest.created_at);
  await failToStart(2);
  expect(bundleNames(backupsFolder(settings))).toEqual([expect.any(String), between, first]);
});

test('an attempt made while the clock was ahead is replaced as well', async () => {
  await makeUpdatesFail();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2099-01-01') });
  onTestFinished(() => void vi.useRealTimers());
  await failToStart(1);
  expect(bundleNames(backupsFolder(settings))).toEqual([expect.stringMatching(/^catalog-2099/)]);
  vi.useRealTimers();
  await failToStart(1);
  expect(bundleNames(backupsFolder(settings))).toEqual([expect.not.stringMatching(/^catalog-2099/)]);
});

test('the backup before an update stays even if the clock was ahead when the others were made', async () => {
  const [later] = await backUpAt('2099-01-01', '2099-01-02');
  await updateSchema({ database, settings: { ...settings, backupKeep: 2 } }, log);
  expect(bundleNames(backupsFolder(settings))).toEqual([later, expect.not.stringMatching(/^catalog-2099/)]);
});

test('an old backup that cannot be removed does not stop the update, and the log says so', async () => {
  // A manifest that is a folder cannot be removed as a file.
  mkdirSync(path.join(backupsFolder(settings), 'catalog-20200101T000000Z', manifestName), { recursive: true });
  const lines: string[] = [];
  const kept = createLog({ name: 'test', level: 'warning', sinks: [{ write: ({ message }) => void lines.push(message) }] });
  await updateSchema({ database, settings: { ...settings, backupKeep: 1 } }, kept);
  expect(await appliedVersions()).toBe(readMigrations().length);
  expect(lines).toEqual([expect.stringContaining('Old backups could not be removed')]);
});
