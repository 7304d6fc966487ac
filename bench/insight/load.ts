import { sql } from 'kysely';
import { compactTotals } from '../../server/src/catalog/counts/index.ts';
import { settleDuplicates } from '../../server/src/insight/copies/index.ts';
import { mergeTags, settleNames } from '../../server/src/insight/reports/kept.ts';
import type { Db } from '../../server/src/platform/database/index.ts';

/** Rows per statement, as many as a scan writes at once in a large library. */
const batch = 10_000;

/**
 * Gives the items of the search corpus what reports look for: hashes (one in ten files has copies), a few videos with facts, errors,
 * encrypted, empty, missing and hard-linked files, odd names, and a week of scan changes. Triggers run, as they do in a scan, and what they
 * append is settled, as maintenance tasks do within minutes.
 */
export async function prepareReports(db: Db): Promise<void> {
  await sql`create unlogged table numbered as select id as key, row_number() over (order by id) as n from items`.execute(db);
  await sql`create index on numbered (n)`.execute(db);
  await sql`analyze numbered`.execute(db);
  const { rows: counted } = await sql<{ count: number }>`select count(*)::int as count from items`.execute(db);
  for (let from = 0; from < (counted[0]?.count ?? 0); from += batch)
    await sql`update items set
        content_hash = case when n % 10 = 0 then md5((n / 30)::text) || md5('x' || n / 30) else md5(id::text) || md5('y' || id) end,
        quick_hash = left(md5(id::text), 16), first_seen = now() - (n % 700) * interval '1 day',
        metadata = case
          when file_category = 'video' then jsonb_build_object('height', (array[480, 720, 1080, 2160])[1 + n % 4], 'width', (array[640, 1280, 1920, 3840])[1 + n % 4],
            'video_codec', (array['h264', 'hevc', 'mpeg2video'])[1 + n % 3], 'bitrate', 200000 * (1 + n % 50))
          when n % 500 = 1 then '{"_extract_error": "Invalid data found", "_extract_error_kind": "corrupt"}'::jsonb
          when n % 700 = 2 then '{"encrypted": true}'::jsonb else metadata end,
        size = case when n % 900 = 3 then 0 when n % 40 = 4 then size + 16777216 when n % 5000 = 5 then 2000000000 + n else size end,
        filename = case when n % 800 = 6 then filename || '?' else filename end, rel_path = case when n % 800 = 6 then rel_path || '?' else rel_path end,
        mtime_ns = case when n % 3000 = 7 then 4000000000000000000 else mtime_ns end,
        inode = n, dev = 1, nlink = case when n % 400 = 8 then 2 else 1 end
      from numbered where key = id and n > ${from} and n <= ${from + batch}`.execute(db);
  await sql`drop table numbered`.execute(db);
  await sql`update items set inode = inode - 400 where nlink = 2 and inode % 800 = 8`.execute(db);
  // One scan per library and day. Some files change twice, and the newest scan of one library is its first, whose files are not logged.
  await sql`with runs as (
      insert into scan_runs (id, library_id, status, phase, started_at, finished_at, settled, initial, stats)
      select uuidv7(day * interval '-1 day'), id, 'finished', 'done', now() - day * interval '1 day', now() - day * interval '1 day', true,
        day = 0 and name = (select min(name) from libraries), '{}'
      from libraries, generate_series(0, 6) day returning id, library_id, (now()::date - started_at::date) as day)
    insert into scan_changes (run_id, library_id, item_id, kind, rel_path)
    select r.id, i.library_id, i.id, (array['added', 'changed', 'gone'])[1 + i.inode % 3], i.rel_path from items i join runs r
    on r.library_id = i.library_id and r.day in ((i.inode / 50) % 7, case when i.inode % 150 = 0 then (i.inode / 50 + 3) % 7 end)
    where i.inode % 50 = 0`.execute(db);
  await sql`vacuum analyze scan_changes`.execute(db);
  // A scan also has a row for every folder above others.
  await sql`insert into folders (library_id, rel_path, path)
    select distinct library_id, array_to_string((string_to_array(rel_path, '/'))[:at], '/'), 'x'::ltree from folders
    cross join generate_series(1, cardinality(string_to_array(rel_path, '/')) - 1) at on conflict do nothing`.execute(db);
  await sql`vacuum analyze folders`.execute(db);
  await sql`vacuum analyze items`.execute(db);
  while ((await settleDuplicates(db, { batches: 1 })) > 0);
  while ((await settleNames(db)) > 0);
  await mergeTags(db);
  await compactTotals(db);
  await sql`vacuum analyze folder_totals`.execute(db);
  await sql`vacuum analyze duplicate_groups`.execute(db);
  await sql`vacuum analyze duplicate_members`.execute(db);
}
