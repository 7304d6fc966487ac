import { sql } from 'kysely';
import { compactTotals } from '../../server/src/catalog/counts/index.ts';
import type { Db } from '../../server/src/platform/database/index.ts';
import { type FileRecord, libraries, recordBatches } from '../search/corpus.ts';

/**
 * Inserts the corpus of the search benchmark. Triggers are disabled, so that the outbox stays empty and the index can be built in one run.
 * With `consistent`, triggers run and all files have one type that the taxonomy knows, so that `catalog check` accepts the rows.
 */
export async function loadItems(
  db: Db,
  size: number,
  options: { consistent: boolean } = { consistent: false },
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const name of libraries) {
    const row = await db
      .insertInto('libraries')
      .values({ name, root_path: `/media/${name}` })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(name, row.id);
  }
  const triggers = options.consistent ? [] : ['items_inserted', 'items_updated', 'items_folder_checked'];
  for (const trigger of triggers) await sql`alter table items disable trigger ${sql.ref(trigger)}`.execute(db);
  for (const records of recordBatches(size)) await insertBatch(db, options.consistent ? records.map(withoutType) : records, ids);
  for (const trigger of triggers) await sql`alter table items enable trigger ${sql.ref(trigger)}`.execute(db);
  await sql`vacuum analyze items`.execute(db);
  await compactTotals(db);
  return ids;
}

const withoutType = (record: FileRecord): FileRecord => ({ ...record, category: 'other', group: 'other' });

async function insertBatch(db: Db, records: FileRecord[], libraryIds: ReadonlyMap<string, string>): Promise<void> {
  const text = JSON.stringify(
    records.map(({ id, name, folder, library, category, group, status, tags, size, mtime, body }) => ({
      id,
      name,
      folder,
      lib: libraryIds.get(library),
      cat: category,
      grp: group,
      status: status === 'deleted' ? 'trashed' : status,
      tags,
      size,
      mtime,
      body,
    })),
  );
  await sql`with o as (select * from jsonb_to_recordset(${text}::jsonb) as r(id int, name text, folder text, lib uuid, cat text, grp text, status text, tags jsonb, size bigint, mtime bigint, body text)),
    f as (insert into folders (library_id, rel_path, path) select distinct lib, folder, replace(lib::text, '-', '')::ltree from o on conflict (library_id, rel_path) do update set path = excluded.path returning id, library_id, rel_path)
    insert into items (library_id, folder_id, rel_path, filename, extension, file_category, file_group, status, deleted_at, size, mtime_ns, tags, body_text)
    select o.lib, f.id, o.folder || '/' || o.id || '-' || o.name, o.id || '-' || o.name, substring(o.name from '[^.]+$'), o.cat, o.grp, o.status, case when o.status <> 'active' then now() end, o.size, o.mtime * 1000000000,
      array(select jsonb_array_elements_text(o.tags)), o.body from o join f on f.library_id = o.lib and f.rel_path = o.folder`.execute(db);
}
