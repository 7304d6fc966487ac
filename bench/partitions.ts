import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { connect, type Db, startEmbedded } from '../server/src/platform/database/index.ts';
import type { Bench, Row } from './row.ts';

const libraries = 16;
const batch = 5000;
const lookups = 2000;

/**
 * Whether it would pay to divide the items by library: ten million rows with the widest columns and the indexes that every item is in, as
 * one table and as sixteen partitions, and what scans, searches and clean-up do with them.
 */
const bench: Bench = async ({ scale }) => {
  const size = Math.round(10_000_000 * scale);
  const folder = await mkdtemp(join(tmpdir(), 'bench-partitions-'));
  const server = await startEmbedded({ folder, durable: false, settings: { shared_buffers: '2GB', max_wal_size: '8GB' } });
  const { host, port, user, password } = server;
  const database = connect({ host, port, user, password, database: server.database }, { max: 1 });
  try {
    const one = await measure(database.db, 'one_table', size, sql``, sql`id`);
    const divided = await measure(database.db, 'divided', size, sql`partition by hash (library)`, sql`id, library`);
    const rows = [...one].map(([name, { value, unit }]): Row => {
      const other = divided.get(name)?.value ?? Number.NaN;
      const peer = `one table ${round(value)} ${unit}`;
      return { name: `${name}, divided`, value: round(other), unit, peer, ratio: round(other / value), limit: '', ok: true };
    });
    return { rows, notes: [`${size.toLocaleString('en')} rows of ${libraries} libraries`] };
  } finally {
    await database.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
export default bench;

type Measured = Map<string, { value: number; unit: string }>;
type Part = ReturnType<typeof sql>;

async function measure(db: Db, name: string, size: number, division: Part, key: Part): Promise<Measured> {
  console.error(`partitions: ${name} of ${size} rows …`);
  const table = sql.ref(name);
  const measured: Measured = new Map();
  const time = async (what: string, unit: 's' | 'ms' | 'rows/s', count: number, work: () => Promise<unknown>): Promise<void> => {
    const started = performance.now();
    await work();
    const ms = performance.now() - started;
    measured.set(what, { value: unit === 'rows/s' ? (count / ms) * 1000 : ms / (unit === 's' ? 1000 : 1) / count, unit });
  };
  await sql`create table ${table} (id uuid not null, library integer not null, folder bigint not null, rel_path text not null, filename text not null,
    size bigint not null, mtime bigint not null, status text not null, quick_hash text, content_hash text, seen timestamptz not null) ${division}`.execute(
    db,
  );
  if (name === 'divided')
    for (let n = 0; n < libraries; n += 1)
      await sql`create table ${sql.ref(`${name}_${n}`)} partition of ${table} for values with (modulus ${sql.lit(libraries)}, remainder ${sql.lit(n)})`.execute(
        db,
      );
  const rows = (from: number, to: number): Part => sql`insert into ${table}
    select lpad(to_hex(n), 32, '0')::uuid, n % ${libraries}::integer, n / 20, 'part ' || n / 2000 || '/folder ' || n / 20 || '/file ' || n || '.jpg', 'file ' || n || '.jpg',
      n, n::bigint * 1000, 'active', left(md5(n::text), 16), md5(n::text) || md5(n::text), now()
    from generate_series(${from}::integer, ${to - 1}::integer) n`;
  for (let from = 0; from < size; from += 1_000_000) await rows(from, Math.min(size, from + 1_000_000)).execute(db);
  await time('indexes of all rows', 's', 1, async () => {
    await sql`alter table ${table} add primary key (${key})`.execute(db);
    await sql`create unique index on ${table} (library, rel_path)`.execute(db);
    await sql`create index on ${table} (folder, filename) include (size, status)`.execute(db);
    await sql`create index on ${table} (left(content_hash, 8)) where content_hash is not null`.execute(db);
    await sql`create index on ${table} (left(quick_hash, 8)) where quick_hash is not null`.execute(db);
    await sql`create index on ${table} (mtime, library) where status = 'active'`.execute(db);
  });
  await sql`vacuum analyze ${table}`.execute(db);
  const more = 20 * batch;
  await time('first scan, rows written', 'rows/s', more, async () => {
    for (let from = size; from < size + more; from += batch) await rows(from, from + batch).execute(db);
  });
  // Date and hash are in indexes, so PostgreSQL must update every index of the row.
  await time('rescan, rows changed', 'rows/s', more, async () => {
    for (let from = 0; from < more; from += batch)
      await sql`update ${table} set mtime = mtime + 1, content_hash = reverse(content_hash), seen = now() from generate_series(${from}::integer, ${from + batch - 1}::integer) n
        where library = 3 and id = lpad(to_hex(3 + ${libraries}::integer * n), 32, '0')::uuid`.execute(db);
  });
  await time('clean-up after the rescan', 's', 1, async () => sql`vacuum ${table}`.execute(db));
  const each = async (find: (n: number) => Part): Promise<void> => {
    for (let turn = 0; turn < lookups; turn += 1) await find((turn * 7919) % size).execute(db);
  };
  await each((n) => sql`select size from ${table} where id = lpad(to_hex(${n}::integer), 32, '0')::uuid`);
  await time('one file by its id', 'ms', lookups, () =>
    each((n) => sql`select size from ${table} where id = lpad(to_hex(${n}::integer), 32, '0')::uuid`),
  );
  await time('one file by its library and path', 'ms', lookups, () =>
    each((n) => {
      const path = `part ${Math.floor(n / 2000)}/folder ${Math.floor(n / 20)}/file ${n}.jpg`;
      return sql`select size from ${table} where library = ${n % libraries}::integer and rel_path = ${path}`;
    }),
  );
  await time('files of a folder', 'ms', lookups, () =>
    each((n) => sql`select filename, size from ${table} where folder = ${Math.floor(n / 20)}::bigint order by filename limit 100`),
  );
  await time('copies of a file', 'ms', lookups, () =>
    each((n) => sql`select id from ${table} where left(content_hash, 8) = left(md5(${n}::integer::text), 8) and content_hash is not null`),
  );
  await time('newest files of all libraries', 'ms', lookups, () =>
    each(
      (n) =>
        sql`select id from ${table} where status = 'active' and mtime < ${n}::bigint * 1000 order by mtime desc, library desc limit 50`,
    ),
  );
  await time('a library removed', 's', 1, async () => {
    await sql`delete from ${table} where library = 5`.execute(db);
    await sql`vacuum ${table}`.execute(db);
  });
  await sql`drop table ${table}`.execute(db);
  return measured;
}

const round = (value: number): number => Number(value.toPrecision(3));
