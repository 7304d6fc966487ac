import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { addItemOfOldSchema, addLibrary } from '../../../test/catalog-rows.ts';
import { databaseForTest } from '../../../test/database.ts';
import { seedTaxonomy } from '../../catalog/taxonomy/index.ts';
import { type Database, migrate, readMigrations } from '../../platform/database/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { type Settings, settingsForTests } from '../../settings/index.ts';
import { backupsFolder, bundleNames, findBundleFolder, openBundle } from './folder.ts';
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
