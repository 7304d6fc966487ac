import { sql } from 'kysely';
import { compactTotals } from '../../server/src/catalog/counts/index.ts';
import type { Db } from '../../server/src/platform/database/index.ts';
import { type FileRecord, libraries, recordBatches } from '../search/corpus.ts';

export interface LoadOptions {
  /**
   * `search`: triggers are disabled, so that the outbox stays empty and the index can be built in one run. `consistent`: triggers run and all
   * files have one type that the taxonomy knows, so that `catalog check` accepts the rows. `reports`: triggers run, and items have what
   * reports look for (see reportColumns).
   */
  content?: 'search' | 'consistent' | 'reports';
  /** The first record; those before it have been inserted already. */
  from?: number;
}

/** Inserts the corpus of the search benchmark up to `size` records. Returns the ids of its libraries by name. */
export async function loadItems(db: Db, size: number, { content = 'search', from = 0 }: LoadOptions = {}): Promise<Map<string, string>> {
  if (from === 0)
    for (const name of libraries)
      await db
        .insertInto('libraries')
        .values({ name, root_path: `/media/${name}` })
        .execute();
  const ids = await libraryIds(db);
  const triggers = content === 'search' ? ['items_inserted', 'items_updated', 'items_folder_checked'] : [];
  for (const trigger of triggers) await sql`alter table item_rows disable trigger ${sql.ref(trigger)}`.execute(db);
  for (const records of recordBatches(size, 5000, from))
    await insertBatch(db, content === 'consistent' ? records.map(withoutType) : records, ids, content === 'reports');
  for (const trigger of triggers) await sql`alter table item_rows enable trigger ${sql.ref(trigger)}`.execute(db);
  await sql`vacuum analyze item_rows`.execute(db);
  await compactTotals(db);
  return ids;
}

export async function libraryIds(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom('libraries').select(['name', 'id']).execute();
  return new Map(rows.map(({ name, id }) => [name, id]));
}

const withoutType = (record: FileRecord): FileRecord => ({ ...record, category: 'other', group: 'other' });

/**
 * Hashes (one in ten files has copies), a few videos with facts, errors, encrypted, empty and hard-linked files, odd names and dates. `n` is
 * the number of the record.
 */
const reportColumns = sql`, content_hash, quick_hash, first_seen, metadata, inode, dev, nlink`;
const reportValues = sql`,
  case when n % 10 = 0 then md5((n / 30)::text) || md5('x' || n / 30) else md5(n::text) || md5('y' || n) end,
  left(md5(n::text), 16), now() - (n % 700) * interval '1 day',
  case
    when cat = 'video' then jsonb_build_object('height', (array[480, 720, 1080, 2160])[1 + n % 4], 'width', (array[640, 1280, 1920, 3840])[1 + n % 4],
      'video_codec', (array['h264', 'hevc', 'mpeg2video'])[1 + n % 3], 'bitrate', 200000 * (1 + n % 50))
    when n % 500 = 1 then '{"_extract_error": "Invalid data found", "_extract_error_kind": "corrupt"}'::jsonb
    when n % 700 = 2 then '{"encrypted": true}'::jsonb else '{}'::jsonb end,
  case when n % 800 = 8 then n + 400 else n end, 1, case when n % 400 = 8 then 2 else 1 end`;
const reportName = sql`case when n % 800 = 6 then name || '?' else name end`;
const reportSize = sql`case when n % 900 = 3 then 0 when n % 40 = 4 then size + 16777216 when n % 5000 = 5 then 2000000000 + n else size end`;
const reportTime = sql`case when n % 3000 = 7 then 4000000000000000000 else mtime * 1000000000 end`;

async function insertBatch(db: Db, records: FileRecord[], ids: ReadonlyMap<string, string>, forReports: boolean): Promise<void> {
  const text = JSON.stringify(
    records.map(({ id, name, folder, library, category, group, status, tags, size, mtime, body }) => ({
      n: id,
      name: `${id}-${name}`,
      folder,
      lib: ids.get(library),
      cat: category,
      grp: group,
      status: status === 'deleted' ? 'trashed' : status,
      tags,
      size,
      mtime,
      body,
    })),
  );
  await sql`with o as (select r.*, ${forReports ? reportName : sql`name`} as filename from jsonb_to_recordset(${text}::jsonb)
      as r(n int, name text, folder text, lib uuid, cat text, grp text, status text, tags jsonb, size bigint, mtime bigint, body text)),
    f as (insert into folders (library_id, rel_path, path) select distinct lib, folder, replace(lib::text, '-', '')::ltree from o on conflict (library_id, rel_path) do update set path = excluded.path returning id, library_id, rel_path)
    insert into items (library_id, folder_id, filename, extension, file_category, file_group, status, deleted_at, size, mtime_ns, tags, body_text
      ${forReports ? reportColumns : sql``})
    select o.lib, f.id, filename, substring(o.name from '[^.]+$'), o.cat, o.grp, o.status, case when o.status <> 'active' then now() end,
      ${forReports ? reportSize : sql`size`}, ${forReports ? reportTime : sql`mtime * 1000000000`},
      array(select jsonb_array_elements_text(o.tags)), o.body ${forReports ? reportValues : sql``}
    from o join f on f.library_id = o.lib and f.rel_path = o.folder`.execute(db);
}
