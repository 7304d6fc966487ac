import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { NewerSchemaError, UnusableDatabaseError } from './connection.ts';

/**
 * Migrations are numbered SQL files, applied in order, each in its own transaction, under one advisory lock: concurrent bootstraps wait
 * for each other and the second finds nothing to do. A database with a newer schema is rejected before anything is changed.
 */
const migrationsFolder = fileURLToPath(new URL('../../../migrations/', import.meta.url));
const lockKey = 0x0ca7a109;

const historyTable =
  'create table if not exists schema_migrations (version integer primary key, name text not null, digest text not null, applied_at timestamptz not null default now())';

interface Migration {
  version: number;
  name: string;
  text: string;
  digest: string;
}

export function readMigrations(folder = migrationsFolder): Migration[] {
  const files = readdirSync(folder)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort();
  return files.map((name) => {
    const text = readFileSync(path.join(folder, name), 'utf8');
    return { version: Number(name.slice(0, 4)), name, text, digest: createHash('sha256').update(text).digest('hex') };
  });
}

/** `beforeUpdate` runs when an existing schema is about to change, under the lock; if it throws, nothing is changed. */
export async function migrate(
  pool: pg.Pool,
  migrations = readMigrations(),
  beforeUpdate?: (from: number, to: number) => Promise<void>,
): Promise<{ applied: string[]; head: number }> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    const known = await appliedVersions(client);
    refuseForeignHistory(known, migrations);
    const last = known.at(-1);
    if (last && known.length < migrations.length) await beforeUpdate?.(last.version, migrations.at(-1)?.version ?? 0);
    await client.query(historyTable);
    const applied: string[] = [];
    for (const migration of migrations.slice(known.length)) {
      await apply(client, migration);
      applied.push(migration.name);
    }
    return { applied, head: migrations.at(-1)?.version ?? 0 };
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockKey]);
    client.release();
  }
}

/** How many migrations are still to be applied. Throws UnusableDatabaseError when the database belongs to another version. */
export async function missingMigrations(pool: pg.Pool, migrations = readMigrations()): Promise<number> {
  const client = await pool.connect();
  try {
    const known = await appliedVersions(client);
    refuseForeignHistory(known, migrations);
    return migrations.length - known.length;
  } finally {
    client.release();
  }
}

/** The applied migrations must be a prefix of this version's list. Any other history comes from another version and is rejected unchanged. */
function refuseForeignHistory(known: readonly { version: number; name: string }[], migrations: readonly Migration[]): void {
  const foreign = known.find(
    ({ version, name }, at) => at < migrations.length && (version !== migrations[at]?.version || name !== migrations[at].name),
  );
  const newest = migrations.at(-1)?.version ?? 0;
  const last = known.at(-1)?.version ?? 0;
  if (last > newest && (foreign === undefined || foreign.version > newest))
    throw new NewerSchemaError(
      `The data belongs to a newer Catalog (schema ${last}, this program knows ${newest}). Install the newer version; nothing was changed.`,
      newest,
    );
  if (foreign)
    throw new UnusableDatabaseError(
      `The data was created by a development version of Catalog from before its first release (migration ${foreign.name}), which this version cannot upgrade. Nothing was changed. Keep using that version with this data, or start with another SVC_CONFIG_DIR (or an empty database) and scan again.`,
      false,
    );
}

/** Whether any migration was applied. */
export async function hasSchema(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>("select to_regclass('schema_migrations') is not null as found");
  return rows[0]?.found ?? false;
}

/** In the order of their versions. */
async function appliedVersions(client: pg.PoolClient): Promise<{ version: number; name: string }[]> {
  const { rows } = await client.query<{ found: boolean }>("select to_regclass('schema_migrations') is not null as found");
  if (!rows[0]?.found) return [];
  return (await client.query<{ version: number; name: string }>('select version, name from schema_migrations order by version')).rows;
}

async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await execute(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`);
  }
}

async function execute(client: pg.ClientBase, { version, name, text, digest }: Migration): Promise<void> {
  await client.query(text);
  await client.query('insert into schema_migrations (version, name, digest) values ($1, $2, $3)', [version, name, digest]);
}

/** Applies migrations inside the caller's transaction, which must hold an empty schema or one that ends just before them. */
export async function applyWithin(client: pg.ClientBase, migrations: readonly Migration[]): Promise<void> {
  await client.query(historyTable);
  for (const migration of migrations) await execute(client, migration);
}

/** Migrations whose text changed after they were applied: a sign of a mixed-up installation. */
export async function changedMigrations(pool: pg.Pool, migrations = readMigrations()): Promise<string[]> {
  const rows = await pool.query<{ version: number; digest: string }>('select version, digest from schema_migrations');
  const digests = new Map(rows.rows.map(({ version, digest }) => [version, digest]));
  return migrations.filter(({ version, digest }) => digests.has(version) && digests.get(version) !== digest).map(({ name }) => name);
}
