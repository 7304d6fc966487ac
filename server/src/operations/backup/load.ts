import type pg from 'pg';
import { applyWithin, readMigrations } from '../../platform/database/index.ts';
import { digestTable, loadTable } from './copy.ts';
import type { Bundle } from './folder.ts';
import { DamagedBundle, type Manifest } from './manifest.ts';
import { listTables, quote, readConstraints, textSettings } from './schema.ts';

interface LoadOptions {
  signal: AbortSignal;
  progress(value: Record<string, unknown>): void;
  /** Read every table back and compare it with the bundle. */
  compare: boolean;
  /** Runs in the same transaction, after the newest migration. */
  beforeCommit?(client: pg.ClientBase): Promise<void>;
}

/** Throws unless this version can restore the bundle: its migrations must be the first ones of this version's. */
export function requireKnownSchema({ migrations, schema_head, app_version }: Manifest): void {
  const known = readMigrations();
  const newest = known.at(-1)?.version ?? 0;
  if (schema_head > newest)
    throw new Error(
      `The backup was made by a newer Catalog (${app_version}, schema ${schema_head}; this version knows ${newest}). Install that version, then restore.`,
    );
  const foreign = migrations.find(({ version, name }, at) => known[at]?.version !== version || known[at]?.name !== name);
  if (foreign)
    throw new Error(
      `The backup was made by another version of Catalog (${app_version}): it contains the migration ${foreign.name}, which this version does not have.`,
    );
}

/**
 * Replaces everything in the client's database by the content of the bundle, in one transaction: until it commits, other connections see
 * the old data, and an interruption at any point leaves the old data in place.
 */
export async function replaceDatabase(client: pg.ClientBase, bundle: Bundle, options: LoadOptions): Promise<void> {
  const { manifest } = bundle;
  requireKnownSchema(manifest);
  const known = readMigrations();
  await client.query(`begin; ${textSettings}; set local maintenance_work_mem = '256MB'`);
  try {
    await client.query('drop schema public cascade; create schema public; grant usage on schema public to public');
    await applyWithin(client, known.slice(0, manifest.migrations.length));
    await requireTables(client, manifest);
    const constraints = await readConstraints(client);
    for (const statement of constraints.remove) await client.query(statement);
    const names = manifest.tables.map(({ table }) => `public.${quote(table)}`);
    await client.query(`truncate ${names.join(', ')}`);
    for (const name of names) await client.query(`alter table ${name} disable trigger user`);
    for (const [at, part] of manifest.tables.entries()) {
      if (part.bytes === 0) continue;
      options.progress({ stage: 'load', table: part.table, tables_done: at, tables: manifest.tables.length });
      await loadTable(client, bundle.folder, part, options.signal);
    }
    if (options.compare) await compareTables(client, bundle, options);
    for (const [at, statement] of constraints.restore.entries()) {
      options.signal.throwIfAborted();
      options.progress({ stage: 'constraints', constraints_done: at, constraints: constraints.restore.length });
      await client.query(statement);
    }
    for (const name of names) await client.query(`alter table ${name} enable trigger user`);
    for (const { name, last_value, is_called } of manifest.sequences)
      await client.query('select setval($1::regclass, $2, $3)', [`public.${quote(name)}`, last_value, is_called]);
    await applyWithin(client, known.slice(manifest.migrations.length));
    await options.beforeCommit?.(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {
      // The connection is gone, which rolls back as well; the first error says why.
    });
    throw error;
  }
  await client.query('analyze');
}

async function requireTables(client: pg.ClientBase, manifest: Manifest): Promise<void> {
  const describe = (tables: readonly { name: string; columns: readonly string[] }[]): string[] =>
    tables.map(({ name, columns }) => `${name} (${columns.join(', ')})`);
  const expected = describe(await listTables(client));
  const found = describe(manifest.tables.map(({ table, columns }) => ({ name: table, columns })));
  const difference = [...expected.filter((table) => !found.includes(table)), ...found.filter((table) => !expected.includes(table))];
  if (difference.length > 0)
    throw new Error(
      `The tables of the backup differ from schema ${manifest.schema_head} of this version: ${difference.slice(0, 3).join('; ')}.`,
    );
}

async function compareTables(client: pg.ClientBase, { manifest }: Bundle, { signal, progress }: LoadOptions): Promise<void> {
  for (const [at, part] of manifest.tables.entries()) {
    progress({ stage: 'compare', table: part.table, tables_done: at, tables: manifest.tables.length });
    if ((await digestTable(client, part, signal)) !== part.rows_sha256)
      throw new DamagedBundle(`${part.name}: the restored rows of ${part.table} differ from those in the backup.`);
  }
}
