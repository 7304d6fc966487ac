import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { DatabaseRefusal } from './connection.ts';

/**
 * Migrations are numbered SQL files, applied in order, each in its own transaction, under one advisory lock: two bootstraps at once wait
 * for each other and the second finds nothing to do. A database from a newer program is refused before anything is touched.
 */
export const migrationsFolder = fileURLToPath(new URL('../../../migrations/', import.meta.url));
const lockKey = 0x0ca7a109;

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

export async function migrate(pool: pg.Pool, migrations = readMigrations()): Promise<{ applied: string[]; head: number }> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    const known = await appliedVersions(client);
    const newest = migrations.at(-1)?.version ?? 0;
    const ahead = [...known.keys()].filter((version) => version > newest);
    if (ahead.length > 0) {
      throw new DatabaseRefusal(
        `The data belongs to a newer Catalog (schema ${Math.max(...ahead)}, this program knows ${newest}). Install the newer version; nothing was changed.`,
        false,
      );
    }
    await client.query(
      'create table if not exists schema_migrations (version integer primary key, name text not null, digest text not null, applied_at timestamptz not null default now())',
    );
    const applied: string[] = [];
    for (const migration of migrations.filter(({ version }) => !known.has(version))) {
      await apply(client, migration);
      applied.push(migration.name);
    }
    return { applied, head: newest };
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockKey]).catch(() => {});
    client.release();
  }
}

async function appliedVersions(client: pg.PoolClient): Promise<Map<number, string>> {
  const exists = await client.query<{ there: boolean }>("select to_regclass('schema_migrations') is not null as there");
  if (!exists.rows[0]!.there) return new Map();
  const rows = await client.query<{ version: number; digest: string }>('select version, digest from schema_migrations');
  return new Map(rows.rows.map(({ version, digest }) => [version, digest]));
}

async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.text);
    await client.query('insert into schema_migrations (version, name, digest) values ($1, $2, $3)', [
      migration.version,
      migration.name,
      migration.digest,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`);
  }
}

/** Migrations whose text changed after they were applied: a sign of a mixed-up installation. */
export async function changedMigrations(pool: pg.Pool, migrations = readMigrations()): Promise<string[]> {
  const rows = await pool.query<{ version: number; digest: string }>('select version, digest from schema_migrations');
  const digests = new Map(rows.rows.map(({ version, digest }) => [version, digest]));
  return migrations.filter(({ version, digest }) => digests.has(version) && digests.get(version) !== digest).map(({ name }) => name);
}
