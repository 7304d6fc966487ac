import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addItemOfOldSchema, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import { databaseForTest } from '../../../test/database.ts';
import { performTask } from '../../../test/perform.ts';
import { databaseChecks } from '../../assembly/checks.ts';
import { seedTaxonomy } from '../../catalog/taxonomy/index.ts';
import { connectClient, type Database, migrate, readMigrations } from '../../platform/database/index.ts';
import { settingsForTests } from '../../settings/index.ts';
import { importBundle, packBundle } from './archive.ts';
import { createBackup } from './create.ts';
import { type Bundle, backupsFolder, bundleNames, checkParts, openBundle, readVerification } from './folder.ts';
import { replaceDatabase } from './load.ts';
import { formatManifest, manifestName, partsOf } from './manifest.ts';
import { planRestore, restoreBackup } from './restore.ts';
import { backupMaintenance, verifyTask } from './tasks.ts';
import { verifyBackup } from './verify.ts';

let t: TestApp;
let bundle: Bundle;
const never = new AbortController().signal;
const quiet = { now: new Date('2026-03-04T05:06:07.000Z'), signal: never, progress: () => {} };
const backup = (database: Database = t.deps.database) =>
  createBackup({ database, settings: t.deps.settings }, { ...quiet, createdBy: 'test', keep: null, environment: {} });

beforeAll(async () => {
  t = await createTestApp();
  const library = await addLibrary(t.deps, { name: 'Photos' });
  for (let n = 0; n < 50; n += 1)
    await addItem(t.deps, library, `a/${n}.jpg`, { tags: [`tag ${n}`, 'tab\t and \\ and ünï'], title: 'line\nbreak' });
  await addPerson(t.deps, [[library, 'a', 'search_metadata']]);
  await sql`insert into principals (username, global_role, password_hash) values ('ada', 'admin', 'x')`.execute(t.deps.db);
  writeFileSync(t.deps.settings.shareMapPath, '{"version": 1}');
  bundle = await backup();
});
afterAll(() => t.close());

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A copy of the bundle that a test may damage. */
function copyOfBundle(): string {
  const folder = path.join(temporaryFolder(), bundle.name);
  cpSync(bundle.folder, folder, { recursive: true });
  return folder;
}

function flipByte(file: string, at: number): void {
  const content = readFileSync(file);
  content[at] = content[at]! ^ 1;
  writeFileSync(file, content);
}

const temporaryDatabases = async () =>
  (await sql<{ name: string }>`select datname as name from pg_database where datname like 'catalog\\_verify\\_%'`.execute(t.deps.db)).rows;

test('POST /system/backup queues one backup at a time and says what is not included', async () => {
  const first = await t.request('POST', '/system/backup');
  expect(first.statusCode).toBe(202);
  expect(first.json()).toEqual({ job_id: expect.any(String), incomplete_note: expect.stringContaining('secret key') });
  expect((await t.request('POST', '/system/backup')).json()).toMatchObject({ status: 409, code: 'already_queued' });
});

test('the manifest records versions, schema head, server version, item count, sizes, fingerprints and what is missing', () => {
  const { manifest } = openBundle(bundle.folder);
  expect(manifest).toMatchObject({
    name: 'catalog-20260304T050607Z',
    item_count: 50,
    schema_head: readMigrations().at(-1)!.version,
    postgres_server_version: expect.stringMatching(/^18/),
    complete: false,
    missing: ['secret_key', 'environment'],
    fingerprints: { secret_key: null },
  });
  expect(partsOf(manifest).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['database/item_rows.copy.zst', 'files/share-map.json']),
  );
});

test('a backup is listed, can be downloaded as one file, and every download is audited', async () => {
  const list = (await t.request('GET', '/system/backups')).json();
  expect(list).toMatchObject({
    keep: 7,
    bundles: [{ name: bundle.name, item_count: 50, complete: false, damage: null, verification: null }],
  });
  const response = await t.request('GET', `/system/backups/${bundle.name}`);
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-disposition']).toBe(`attachment; filename="${bundle.name}.tar"`);
  const other = settingsForTests({ SVC_CONFIG_DIR: temporaryFolder() });
  const imported = await importBundle(other, Readable.from([response.rawPayload]));
  expect(imported.manifest).toEqual(bundle.manifest);
  await checkParts(imported);
  const events = await sql<{ details: unknown }>`select details from security_events where event_type = 'backup_downloaded'`.execute(
    t.deps.db,
  );
  expect(events.rows).toEqual([{ details: { name: bundle.name } }]);
});

test.each(['catalog-20000101T000000Z', '..', '%2e%2e%2fsecret.key', 'x'])('an unknown or malformed name is not found: %s', async (name) => {
  for (const [method, url] of [
    ['GET', `/system/backups/${name}`],
    ['DELETE', `/system/backups/${name}`],
    ['POST', `/system/backups/${name}/verify`],
  ] as const)
    expect((await t.request(method, url)).statusCode).toBe(404);
});

test('an uploaded backup is added once, and a damaged one is refused by the name of its part and leaves nothing', async () => {
  const other = await createTestApp();
  onTestFinished(() => other.close());
  const chunks: Buffer[] = [];
  for await (const chunk of packBundle(bundle)) chunks.push(chunk as Buffer);
  const tar = Buffer.concat(chunks);
  const upload = (payload: Buffer) =>
    other.request('POST', '/system/backups', payload, { headers: { 'content-type': 'application/x-tar' } });
  const damaged = Buffer.from(tar);
  const part = tar.indexOf('database/item_rows.copy.zst', tar.indexOf(`${bundle.name}/database/`));
  damaged[part + 700] = damaged[part + 700]! ^ 1;
  expect((await upload(damaged)).json()).toMatchObject({
    status: 422,
    code: 'backup_damaged',
    detail: expect.stringContaining('database/item_rows.copy.zst'),
  });
  expect((await upload(tar.subarray(0, tar.length - 4096))).json()).toMatchObject({ status: 422, code: 'backup_damaged' });
  expect((await upload(Buffer.from('no tar at all'.repeat(100)))).json()).toMatchObject({ status: 422, code: 'backup_damaged' });
  expect(readdirSync(path.join(other.configDir, 'backups'))).toEqual([]);
  expect((await upload(tar)).json()).toMatchObject({ name: bundle.name, item_count: 50 });
  expect((await upload(tar)).statusCode).toBe(409);
  expect((await other.request('POST', '/system/backups', {})).statusCode).toBe(415);
  expect((await other.request('DELETE', `/system/backups/${bundle.name}`)).statusCode).toBe(204);
  expect((await other.request('GET', '/system/backups')).json().bundles).toEqual([]);
});

test('a bundle with one flipped byte anywhere is refused by name of the part', async () => {
  const folder = copyOfBundle();
  const { manifest } = bundle;
  const flipped = async (name: string, at: number, check: () => Promise<unknown>) => {
    flipByte(path.join(folder, name), at);
    await expect(check(), `${name} at ${at}`).rejects.toThrow(name);
    flipByte(path.join(folder, name), at);
  };
  for (const part of partsOf(manifest))
    for (const at of new Set([0, Math.floor(part.bytes / 2), part.bytes - 1]))
      await flipped(part.name, at, () => checkParts({ name: bundle.name, folder, manifest: { ...manifest, tables: [], files: [part] } }));
  flipByte(path.join(folder, 'database/item_rows.copy.zst'), 9);
  await expect(checkParts(openBundle(folder))).rejects.toThrow('database/item_rows.copy.zst');
  const size = readFileSync(path.join(folder, manifestName)).length;
  for (let at = 0; at < size; at += 97) await flipped(manifestName, at, async () => openBundle(folder));
});

test('a bundle that lacks a part is refused by its name', async () => {
  const folder = copyOfBundle();
  rmSync(path.join(folder, 'database/item_rows.copy.zst'));
  await expect(checkParts(openBundle(folder))).rejects.toThrow('database/item_rows.copy.zst is missing');
});

test('verify restores into a temporary database, compares every row, runs the checks, and removes the database', async () => {
  await performTask(t.deps, verifyTask(t.deps, databaseChecks), { name: bundle.name });
  const [listed] = (await t.request('GET', '/system/backups')).json().bundles;
  expect(listed.verification).toMatchObject({ ok: true, error: null });
  expect(await temporaryDatabases()).toEqual([]);
});

test('verify reports damage by name of the part, and a failed check by its sentence', async () => {
  const folder = copyOfBundle();
  flipByte(path.join(folder, 'database/item_rows.copy.zst'), 40);
  const result = await verifyBackup(t.deps, folder, { ...quiet, checks: [] });
  expect(result).toMatchObject({ ok: false, error: expect.stringContaining('database/item_rows.copy.zst') });
  expect(readVerification(folder)).toEqual(result);
  const failing = { name: 'never', run: async () => ['Two rows are equal.'] };
  expect((await verifyBackup(t.deps, copyOfBundle(), { ...quiet, checks: [failing] })).error).toContain('Two rows are equal.');
});

test('a backup taken while files are added is one consistent moment', async () => {
  const database = await databaseForTest();
  const library = await addLibrary(database, { name: 'Busy' });
  let adding = true;
  const writer = (async () => {
    for (let n = 0; adding; n += 1) await addItem(database, library, `busy/${n}.jpg`);
  })();
  const busy = await backup(database);
  adding = false;
  await writer;
  expect(await verifyBackup({ database, settings: t.deps.settings }, busy.folder, { ...quiet, checks: databaseChecks })).toMatchObject({
    ok: true,
    error: null,
  });
});

test.each([
  ['adds a table', 'create table added (id integer)'],
  ['adds a column', 'alter table all_libraries add column added integer'],
  ['renames a table', 'alter table all_libraries rename to renamed_libraries'],
  ['removes a table', 'drop table all_libraries cascade'],
])('a backup that starts while a migration %s fails, asks to start it again, and leaves nothing behind', async (_change, statement) => {
  const database = await databaseForTest();
  const settings = settingsForTests({ SVC_CONFIG_DIR: temporaryFolder() });
  const migration = await connectClient(database.address, 'test');
  onTestFinished(() => migration.end());
  await migration.query(`begin; lock table all_libraries in access exclusive mode; ${statement}`);
  const outcome = expect(
    createBackup({ database, settings }, { ...quiet, createdBy: 'test', keep: null, environment: {} }),
  ).rejects.toThrow(/tables of the database changed while the backup started.*Start the backup again/);
  const waiting = sql`select from pg_stat_activity
    where datname = current_database() and application_name = 'catalog-backup' and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting.execute(database.db)).rows.length, { timeout: 30_000 }).toBe(1);
  await migration.query('commit');
  await outcome;
  expect(readdirSync(backupsFolder(settings))).toEqual([]);
});

test('only the newest SVC_BACKUP_KEEP backups are kept, and leftovers of interrupted runs are removed after an hour', async () => {
  const configDir = temporaryFolder();
  const settings = settingsForTests({ SVC_CONFIG_DIR: configDir, SVC_BACKUP_KEEP: '2' });
  const deps = { ...t.deps, settings };
  const leftovers = ['catalog-20200101T000000Z.partial', 'catalog-20200102T000000Z.partial'].map((name) =>
    path.join(configDir, 'backups', name),
  );
  for (const folder of leftovers) mkdirSync(folder, { recursive: true });
  utimesSync(leftovers[0]!, new Date('2020-01-01'), new Date('2020-01-01'));
  const [definition] = backupMaintenance(deps);
  for (const minute of [1, 2, 3]) {
    const clock = { ...t.deps.clock, now: () => new Date(Date.UTC(2027, 0, 1, 0, minute)) };
    utimesSync(leftovers[1]!, clock.now(), clock.now());
    await performTask({ ...deps, clock }, definition!.task, {});
  }
  expect(bundleNames(backupsFolder(settings))).toEqual(['catalog-20270101T000300Z', 'catalog-20270101T000200Z']);
  expect(readdirSync(path.join(configDir, 'backups')).filter((name) => name.endsWith('.partial'))).toEqual([
    'catalog-20200102T000000Z.partial',
  ]);
});

test('a new backup is kept even if the clock was ahead when the earlier ones were made', async () => {
  const settings = settingsForTests({ SVC_CONFIG_DIR: temporaryFolder() });
  const backupAt = (time: string) =>
    createBackup({ ...t.deps, settings }, { ...quiet, now: new Date(time), createdBy: 'test', keep: 2, environment: {} });
  for (const time of ['2099-01-01', '2099-01-02', '2027-01-01']) await backupAt(time);
  expect(bundleNames(backupsFolder(settings))).toEqual(['catalog-20990102T000000Z', 'catalog-20270101T000000Z']);
});

test('a backup that does not fit on the disk fails before anything is written', async () => {
  const settings = settingsForTests({
    SVC_CONFIG_DIR: temporaryFolder(),
    SVC_DISK_MIN_FREE_GB: '100000000',
    SVC_DISK_WARN_FREE_GB: '100000001',
  });
  await expect(createBackup({ ...t.deps, settings }, { ...quiet, createdBy: 'test', keep: 7, environment: {} })).rejects.toThrow(
    'not enough disk space',
  );
  expect(readdirSync(path.join(settings.configDir, 'backups'))).toEqual([]);
});

test('an aborted backup leaves nothing behind', async () => {
  const settings = settingsForTests({ SVC_CONFIG_DIR: temporaryFolder() });
  const abort = new AbortController();
  const progress = ({ tables_done }: Record<string, unknown>) => (tables_done === 5 ? abort.abort() : undefined);
  await expect(
    createBackup({ ...t.deps, settings }, { ...quiet, signal: abort.signal, progress, createdBy: 'test', keep: 7, environment: {} }),
  ).rejects.toThrow();
  expect(readdirSync(path.join(settings.configDir, 'backups'))).toEqual([]);
});

test('a restore replaces everything, keeps the old data as a backup, and requests a rebuild of the index', async () => {
  const database = await databaseForTest();
  const settings = settingsForTests({ SVC_CONFIG_DIR: temporaryFolder() });
  await addItem(database, await addLibrary(database, { name: 'Other' }), 'other.txt');
  const plan = await planRestore({ database, settings }, bundle, true);
  expect(plan.steps.join(' ')).toMatch(/50 items.*Back up the current database first.*which has 1 items/);
  const before = await restoreBackup({ database, settings }, bundle, { ...quiet, backupFirst: true });
  expect(before?.manifest.item_count).toBe(1);
  const restored = await backup(database);
  const changing = ['service_state', 'jobs', 'workers'];
  const digests = ({ manifest }: Bundle) =>
    manifest.tables.filter(({ table }) => !changing.includes(table)).map(({ table, rows, rows_sha256 }) => [table, rows, rows_sha256]);
  expect(digests(restored)).toEqual(digests(bundle));
  expect(restored.manifest.sequences).toEqual(bundle.manifest.sequences);
  expect(readFileSync(settings.shareMapPath, 'utf8')).toBe('{"version": 1}');
  const rebuild = await sql<{ status: string }>`select value->>'status' as status from service_state where key = 'index_rebuild'`.execute(
    database.db,
  );
  expect(rebuild.rows).toEqual([{ status: 'requested' }]);
  // Triggers and constraints are in force again.
  const library = await addLibrary(database, { name: 'New' });
  await addItem(database, library, 'new.txt');
  await expect(sql`update grants set principal_id = gen_random_uuid()`.execute(database.db)).rejects.toThrow();
  for (const { run } of databaseChecks) expect(await run({ db: database.db, database, settings })).toEqual([]);
});

test.each(['load', 'constraints'])('a restore interrupted at the stage %s leaves the old data in place', async (stage) => {
  const database = await databaseForTest();
  await addItem(database, await addLibrary(database, { name: 'Kept' }), 'kept.txt');
  const client = await connectClient(database.address, 'test');
  onTestFinished(() => client.end());
  const progress = (value: Record<string, unknown>) => {
    if (value['stage'] === stage) throw new Error('interrupted');
  };
  await expect(replaceDatabase(client, bundle, { signal: never, progress, compare: false })).rejects.toThrow('interrupted');
  const items = await sql<{ rel_path: string }>`select rel_path from items`.execute(database.db);
  expect(items.rows).toEqual([{ rel_path: 'kept.txt' }]);
});

test('a backup of an older schema is migrated forward with its data', async () => {
  const database = await databaseForTest();
  await database.pool.query('drop schema public cascade; create schema public');
  await migrate(database.pool, readMigrations().slice(0, -1));
  // Other seeders may need the newest schema.
  await seedTaxonomy(database.db);
  await addItemOfOldSchema(database, await addLibrary(database, { name: 'Old' }), 'old.txt');
  const old = await backup(database);
  expect(old.manifest.schema_head).toBeLessThan(bundle.manifest.schema_head);
  expect(await verifyBackup({ database, settings: t.deps.settings }, old.folder, { ...quiet, checks: databaseChecks })).toMatchObject({
    ok: true,
    error: null,
  });
});

test('a backup of a newer schema is refused with the version to install', async () => {
  const folder = copyOfBundle();
  const migrations = [...bundle.manifest.migrations, { version: 9999, name: '9999_later.sql', digest: 'x' }];
  writeFileSync(
    path.join(folder, manifestName),
    formatManifest({ ...bundle.manifest, schema_head: 9999, app_version: '99.0.0', migrations }),
  );
  await expect(planRestore(t.deps, openBundle(folder), true)).rejects.toThrow(
    /newer Catalog \(99\.0\.0, schema 9999.*Install that version/,
  );
});

test('a restore is refused while the service uses the database', async () => {
  const client = await connectClient(t.deps.database.address, 'catalog-worker');
  onTestFinished(() => client.end());
  await expect(planRestore(t.deps, bundle, true)).rejects.toThrow('Stop every app and worker process');
});
