import { randomUUID } from 'node:crypto';
import type { Check } from '../../platform/check.ts';
import { connect, connectClient, type Database, databaseNamed, workInBackground } from '../../platform/database/index.ts';
import type { BackupDeps } from './create.ts';
import { type Bundle, checkParts, openBundle, type Verification, writeVerification } from './folder.ts';
import { replaceDatabase } from './load.ts';
import { DamagedBundle } from './manifest.ts';

interface VerifyOptions {
  now: Date;
  signal: AbortSignal;
  progress(value: Record<string, unknown>): void;
  /** Invariants that must hold in the restored database. */
  checks: readonly Check[];
}

const prefix = 'catalog_verify_';

/**
 * Proves that a bundle can be restored: compares every checksum, restores it into a temporary database on the same server, compares every
 * row, and runs the consistency checks there. The result is stored beside the bundle; an error other than damage is thrown.
 */
export async function verifyBackup(deps: BackupDeps, folder: string, options: VerifyOptions): Promise<Verification> {
  const started = performance.now();
  let error: string | null = null;
  try {
    const bundle = openBundle(folder);
    options.progress({ stage: 'checksums' });
    await checkParts(bundle, options.signal);
    await withTemporaryDatabase(deps.database, async (database) => restoreAndCheck(deps, bundle, database, options));
  } catch (caught) {
    if (!(caught instanceof DamagedBundle)) throw caught;
    error = caught.message;
  }
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const result: Verification = { verified_at: options.now.toISOString(), ok: error === null, error, seconds };
  writeVerification(folder, result);
  return result;
}

async function restoreAndCheck({ settings }: BackupDeps, bundle: Bundle, database: Database, options: VerifyOptions): Promise<void> {
  const client = await connectClient(database.address, 'catalog-verify');
  try {
    await workInBackground(client);
    await replaceDatabase(client, bundle, { ...options, compare: true });
  } finally {
    await client.end();
  }
  for (const { name, run } of options.checks) {
    options.signal.throwIfAborted();
    options.progress({ stage: 'check', check: name });
    const [finding] = await run({ db: database.db, database, settings });
    if (finding) throw new DamagedBundle(`The restored catalog is not consistent: ${finding}`);
  }
}

async function withTemporaryDatabase(database: Database, use: (temporary: Database) => Promise<void>): Promise<void> {
  const client = await connectClient(database.address, 'catalog-verify');
  const name = `${prefix}${randomUUID().replaceAll('-', '')}`;
  try {
    // Left behind by verifications that were interrupted.
    const old = await client.query<{ name: string }>(
      `select datname as name from pg_database d where datname like $1 and not exists (select from pg_stat_activity a where a.datname = d.datname)`,
      [`${prefix.replaceAll('_', '\\_')}%`],
    );
    for (const each of old.rows) await client.query(`drop database if exists ${each.name}`);
    try {
      await client.query(`create database ${name} template template0 encoding 'UTF8'`);
    } catch (error) {
      if ((error as { code?: string }).code !== '42501') throw error;
      throw new Error(
        'The database user may not create databases, which the verification needs for a temporary one. Run "alter role <user> createdb" as a superuser, then try again.',
      );
    }
    const temporary = connect(databaseNamed(database.address, name), { max: 4, name: 'catalog-verify' });
    // A connection that is lost meanwhile fails with its next statement.
    temporary.pool.on('connect', (each) => void workInBackground(each).catch(() => {}));
    try {
      await use(temporary);
    } finally {
      await temporary.close();
      await client.query(`drop database if exists ${name} with (force)`);
    }
  } finally {
    await client.end();
  }
}
