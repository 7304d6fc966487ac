import type pg from 'pg';

/** Descriptions of the schema, read from the system catalog inside the caller's transaction. */
export interface TableInfo {
  name: string;
  /** Generated columns are left out: the database computes them. */
  columns: string[];
}

/** The list of migrations is in the manifest, and a restore writes that table while it applies them. Metrics belong to running processes. */
const excludedTables = ['schema_migrations', 'process_metrics'];

export async function listTables(client: pg.ClientBase): Promise<TableInfo[]> {
  const { rows } = await client.query<TableInfo>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all($1)
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     group by c.relname order by c.relname`,
    [excludedTables],
  );
  return rows;
}

/** The tables that have rows in the snapshot of the caller's transaction. */
export async function listFilledTables(client: pg.ClientBase, tables: readonly TableInfo[]): Promise<Set<string>> {
  const queries = tables.map(({ name }, at) => `select ${at} as at where exists (select from public.${quote(name)})`);
  const { rows } = await client.query<{ at: number }>(queries.join(' union all '));
  return new Set(rows.map(({ at }) => tables[at]?.name ?? ''));
}

export interface SequenceInfo {
  name: string;
  last_value: number;
  is_called: boolean;
}

export async function listSequences(client: pg.ClientBase): Promise<SequenceInfo[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by relname`,
  );
  const found: SequenceInfo[] = [];
  for (const { name } of rows) {
    const state = await client.query<{ last_value: number; is_called: boolean }>(`select last_value, is_called from public.${quote(name)}`);
    if (state.rows[0]) found.push({ name, ...state.rows[0] });
  }
  return found;
}

export async function listAppliedMigrations(client: pg.ClientBase): Promise<{ version: number; name: string; digest: string }[]> {
  const { rows } = await client.query<{ version: number; name: string; digest: string }>(
    'select version, name, digest from schema_migrations order by version',
  );
  return rows;
}

/** Statements that remove, and later restore, what makes loading slow or depends on the order of tables. */
export async function readConstraints(client: pg.ClientBase): Promise<{ remove: string[]; restore: string[] }> {
  const keys = await client.query<{ remove: string; restore: string }>(
    `select format('alter table public.%I drop constraint %I', t.relname, c.conname) as remove,
       format('alter table public.%I add constraint %I %s', t.relname, c.conname, pg_get_constraintdef(c.oid)) as restore
     from pg_constraint c join pg_class t on t.oid = c.conrelid
     where c.contype = 'f' and c.connamespace = 'public'::regnamespace order by t.relname, c.conname`,
  );
  const indexes = await client.query<{ remove: string; restore: string }>(
    `select format('drop index public.%I', i.relname) as remove, pg_get_indexdef(i.oid) as restore
     from pg_index x join pg_class i on i.oid = x.indexrelid
     where i.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint c where c.conindid = i.oid and c.contype <> 'f')
     order by i.relname`,
  );
  const all = [...keys.rows, ...indexes.rows];
  return { remove: all.map(({ remove }) => remove), restore: [...indexes.rows, ...keys.rows].map(({ restore }) => restore) };
}

export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Equal rows must have equal text on every server, whatever its settings. */
export const textSettings = `
  set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local extra_float_digits = 1;
  set local bytea_output = 'hex'; set local client_encoding = 'UTF8'; set local synchronize_seqscans = off;
  set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0`;
