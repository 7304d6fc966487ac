import { sql } from 'kysely';
import type { Db } from '../../server/src/platform/database/index.ts';

/**
 * What permissions add to the tables of a catalog with this many files and distinct lists: rows as a scan writes them, with paths of
 * varying length, once with and once without their access class. Of the indexes only the one on the class depends on it.
 */
export async function bytesPerFile(db: Db, files: number, lists: number): Promise<{ bytes: number; detail: string }> {
  const sizeOf = async (withClass: boolean): Promise<{ table: number; index: number }> => {
    await sql`create unlogged table measured (like items including all excluding indexes)`.execute(db);
    await sql`create index measured_class on measured (access_class) where access_class is not null`.execute(db);
    await sql`insert into measured (library_id, folder_id, filename, extension, size, mtime_ns, inode, dev, nlink, ctime_ns, file_category, file_group, access_class)
      select '00000000-0000-7000-8000-000000000000', n / 100, p.folder || '/' || p.name, p.name, 'dat', n, n, n, 1, 1, n, 'other', 'other', ${withClass ? sql`1 + (n / 100) % ${lists}::int` : sql`null`}
      from generate_series(1, ${files}::int) n cross join lateral (
        select 'branch-' || n / 10000 || '/folder-' || repeat('x', n / 100 % 23) || n / 100 as folder, repeat('n', n % 29) || n || '.dat' as name) p`.execute(
      db,
    );
    const { rows } = await sql<{
      table: number;
      index: number;
    }>`select pg_table_size('measured')::float8 as table, pg_relation_size('measured_class')::float8 as index`.execute(db);
    await sql`drop table measured`.execute(db);
    return rows[0] as { table: number; index: number };
  };
  const [recorded, plain] = [await sizeOf(true), await sizeOf(false)];
  const [table, index] = [(recorded.table - plain.table) / files, (recorded.index - plain.index) / files];
  // Each folder keeps its list and its set, and each list is a record of about 300 bytes with its class and set.
  const shared = ((files / 100) * 8 + lists * 500) / files;
  return {
    bytes: table + index + shared,
    detail: `row ${table.toFixed(1)}, index ${index.toFixed(1)}, folders and lists ${shared.toFixed(1)}`,
  };
}
