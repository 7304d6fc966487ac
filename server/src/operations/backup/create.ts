import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { connectClient, type Database, workInBackground } from '../../platform/database/index.ts';
import { classifyDisk } from '../../platform/disk.ts';
import { checkSecretKey } from '../../platform/secrets/index.ts';
import type { Settings } from '../../settings/index.ts';
import { version } from '../../version.ts';
import { copyFiles } from './config-files.ts';
import { emptyTable, writeTable } from './copy.ts';
import { applyRetention, type Bundle, backupsFolder, bundleName, createPartial, finishPartial, removeOldPartials } from './folder.ts';
import { type BundlePart, type BundleTable, formatManifest, type Manifest, manifestName } from './manifest.ts';
import { findPgDump, writeDump } from './pg-dump.ts';
import { authorityFingerprint, readAgentAuthority, writeProtected } from './protected.ts';
import { listAppliedMigrations, listFilledTables, listSequences, listTables, type TableInfo, textSettings } from './schema.ts';
import { type SecretFiles, writeSecretFiles } from './secret-files.ts';

/** The SQLSTATE of a table that does not exist. */
const undefinedTable = '42P01';

export interface BackupDeps {
  database: Database;
  settings: Settings;
}

export interface BackupOptions {
  createdBy: string;
  now: Date;
  signal: AbortSignal;
  progress(value: Record<string, unknown>): void;
  /** Where to write it, if not to the backups of the config folder. */
  folder?: string;
  /** How many bundles to keep there, this one included; null keeps all. */
  keep: number | null;
  /** The settings of the installation as given, kept in the protected part. */
  environment: Readonly<Record<string, string>>;
  /** Secrets to add in plain text. */
  secretFiles?: SecretFiles;
}

/** What the bundle lacks, in the words of the manifest. */
function missingParts(settings: Settings, isProtected: boolean, plain: readonly BundlePart[]): string[] {
  if (isProtected) return [];
  const has = (name: string): boolean => plain.some((part) => part.name === `files/${name}`);
  return [
    ...(has('env.backup') ? [] : ['secret_key', 'environment']),
    ...(readAgentAuthority(settings) === null || has('agent-ca.pem') ? [] : ['certificate_authority']),
  ];
}

export const incompleteNote = ({ backupPassphrase }: Pick<Settings, 'backupPassphrase'>): string =>
  backupPassphrase === undefined
    ? 'The secret key and the environment settings are not part of the backup, because SVC_BACKUP_PASSPHRASE is not set. Set it, or keep a copy of them in another place: without the key, stored secrets such as alert passwords cannot be read after a restore.'
    : 'The secret key and the environment settings are part of the backup, protected by SVC_BACKUP_PASSPHRASE. Keep that passphrase in another place.';

const restoreNotes = (missing: readonly string[], isProtected: boolean): string[] => [
  ...(isProtected
    ? ['Set SVC_BACKUP_PASSPHRASE to the passphrase of this backup before the restore; it also restores the secret key.']
    : []),
  ...(missing.includes('secret_key') ? ['Set SVC_SECRET_KEY, or copy secret.key into the config folder, before the restore.'] : []),
  ...(missing.includes('certificate_authority')
    ? ['Copy agent-ca.pem into the config folder before the first start, or every agent must enrol again.']
    : []),
  'Run: catalog restore <this backup>. It shows a plan first.',
  'If folders have other paths on the new machine, change the folder of each library before its first scan.',
];

/** Writes a bundle of the whole database as of one moment. Nothing called a backup exists before everything is on disk. */
export async function createBackup(deps: BackupDeps, options: BackupOptions): Promise<Bundle> {
  const { settings } = deps;
  const into = options.folder ?? backupsFolder(settings);
  removeOldPartials(into, options.now);
  const partial = createPartial(into, bundleName(options.now));
  let folder: string;
  let manifest: Manifest;
  const client = await connectClient(deps.database.address, 'catalog-backup');
  try {
    await workInBackground(client);
    await checkDisk(client, settings, into);
    manifest = await writeParts(deps, client, partial, options);
    writeFileSync(path.join(partial.folder, manifestName), formatManifest(manifest), { mode: 0o600 });
    options.progress({ stage: 'finish' });
    folder = await finishPartial(partial.folder);
  } catch (error) {
    rmSync(partial.folder, { recursive: true, force: true });
    throw error;
  } finally {
    await client.end();
  }
  if (options.keep !== null) applyRetention(into, options.keep, partial.name);
  return { name: partial.name, folder, manifest };
}

/** Fails before anything is written when the bundle would fill the disk. Rows compress to less than half of the database's size. */
async function checkDisk(client: pg.Client, settings: Settings, folder: string): Promise<void> {
  const { rows } = await client.query<{ bytes: number }>('select pg_database_size(current_database()) / 2 as bytes');
  const needed = rows[0]?.bytes ?? 0;
  const { bavail, blocks, bsize } = statfsSync(folder);
  const { status, reason } = classifyDisk(settings, bavail * bsize - needed, blocks * bsize);
  if (status === 'critical')
    throw new Error(
      `There is not enough disk space for a backup of about ${Math.ceil(needed / 1e6)} MB. ${reason} Free some space, or lower SVC_BACKUP_KEEP.`,
    );
}

async function writeParts(
  { database, settings }: BackupDeps,
  client: pg.Client,
  partial: { name: string; folder: string },
  { createdBy, now, signal, progress, environment, secretFiles }: BackupOptions,
): Promise<Manifest> {
  const server = await readServer(client);
  const program = await findPgDump(settings, Number.parseInt(server.version, 10));
  const { listed, snapshot } = await beginSnapshot(client);
  mkdirSync(path.join(partial.folder, 'files'), { mode: 0o700 });
  const filled = await listFilledTables(client, listed);
  const tables: BundleTable[] = [];
  for (const [at, table] of listed.entries()) {
    if (filled.has(table.name)) progress({ stage: 'database', table: table.name, tables_done: at, tables: listed.length });
    tables.push(filled.has(table.name) ? await writeTable(client, partial.folder, table, signal) : emptyTable(table));
  }
  const migrations = await listAppliedMigrations(client);
  const sequences = await listSequences(client);
  if (program) progress({ stage: 'dump', tables_done: listed.length, tables: listed.length });
  const dump = program ? await writeDump(program, partial.folder, { address: database.address, snapshot, signal }) : null;
  await client.query('commit');
  const key = await checkSecretKey(database.db, settings);
  const sealed = await writeProtected(settings, partial.folder, environment);
  const plain = secretFiles ? writeSecretFiles(settings, partial.folder, secretFiles) : [];
  const missing = missingParts(settings, sealed !== null, plain);
  const complete = missing.length === 0;
  return {
    bundle_version: 1,
    name: partial.name,
    created_at: now.toISOString(),
    created_by: createdBy,
    app_version: version,
    schema_head: migrations.at(-1)?.version ?? 0,
    migrations,
    postgres_server_version: server.version,
    pg_dump_version: program?.major ?? null,
    // A backup before an update may have an older schema, where `items` was the table.
    item_count: tables.find(({ table }) => table === 'item_rows' || table === 'items')?.rows ?? 0,
    tables,
    sequences,
    files: [...(dump ? [dump] : []), ...(await copyFiles(settings, partial.folder, signal)), ...(sealed ? [sealed] : []), ...plain],
    complete,
    missing,
    fingerprints: { secret_key: key.configured, ca_root: authorityFingerprint(settings) },
    restore_notes: restoreNotes(missing, sealed !== null),
  };
}

async function readServer(client: pg.Client): Promise<{ version: string }> {
  const { rows } = await client.query<{ version: string }>("select current_setting('server_version') as version");
  return rows[0] ?? { version: '' };
}

/** Begins the transaction that everything is read in. Fails when a migration or a restore changed the tables before they were locked. */
async function beginSnapshot(client: pg.Client): Promise<{ listed: TableInfo[]; snapshot: string }> {
  const changed = 'The tables of the database changed while the backup started, as in an update or a restore. Start the backup again.';
  const listed = await listTables(client);
  await client.query(`begin transaction isolation level repeatable read read only; ${textSettings}`);
  try {
    await client.query(`lock table ${listed.map(({ name }) => `public."${name}"`).join(', ')} in access share mode`);
  } catch (error) {
    throw (error as { code?: string }).code === undefinedTable ? new Error(changed, { cause: error }) : error;
  }
  // The locks keep the schema as it is; the first query after them takes the snapshot that all tables are read from.
  const snapshot = await exportSnapshot(client);
  if (!isDeepStrictEqual(await listTables(client), listed)) throw new Error(changed);
  return { listed, snapshot };
}

async function exportSnapshot(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot');
  return rows[0]?.snapshot ?? '';
}
