import { sql } from 'kysely';
import type { Db } from '../../server/src/platform/database/index.ts';

/** The same queries in PostgreSQL itself: a table of words with a GIN index, and facets by grouping. */
export async function buildPostgresIndex(db: Db): Promise<void> {
  await sql`create table bench_words as select id, to_tsvector('simple', regexp_replace(rel_path, '[^A-Za-z0-9]+', ' ', 'g') || ' ' || coalesce(body_text, '')) as words from items`.execute(
    db,
  );
  await sql`create index on bench_words using gin (words)`.execute(db);
  await sql`alter table bench_words add primary key (id)`.execute(db);
  await sql`vacuum analyze bench_words`.execute(db);
}

export async function searchPostgres(db: Db, text: string, { prefix = false, facets = false } = {}): Promise<number> {
  const match = text.trim().split(/\s+/).join(' & ') + (prefix ? ':*' : '');
  const facetCounts = sql`(select json_agg(f) from (select library_id, file_category, file_group, extension, count(*) as hits from h
    group by grouping sets ((library_id), (file_category), (file_group), (extension))) f) as facets,`;
  // The matches are found once, for the page, the count and the facets.
  const { rows } = await sql<{ hits: number }>`with h as materialized (
      select i.id, i.rel_path, i.size, i.library_id, i.file_category, i.file_group, i.extension, ts_rank(w.words, to_tsquery('simple', ${match})) as rank
      from bench_words w join items i on i.id = w.id where w.words @@ to_tsquery('simple', ${match}) and i.status = 'active')
    select ${facets ? facetCounts : sql``} (select json_agg(p) from (select id, rel_path, size from h order by rank desc limit 50) p) as page,
      (select count(*) from h) as hits`.execute(db);
  return rows[0]?.hits ?? 0;
}

/** Files and bytes in each top-level folder of a library, summed from the items. */
export async function sumTopFolders(db: Db, libraryId: string): Promise<number> {
  const { rows } =
    await sql`select split_part(f.rel_path, '/', 1) as name, count(*), sum(i.size) from items i join folders f on f.id = i.folder_id
    where i.library_id = ${libraryId} and i.status = 'active' and f.rel_path <> '' group by 1 order by 1 limit 200`.execute(db);
  return rows.length;
}
