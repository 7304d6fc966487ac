import { sql } from 'kysely';
import type { Db } from '../../server/src/platform/database/index.ts';

/** Adds a library of photos taken over twelve years, each with a thumbnail. Triggers are disabled, because the index is built afterwards. */
export async function addPhotos(db: Db, count: number): Promise<string> {
  const { id } = await db
    .insertInto('libraries')
    .values({ name: 'Photos', root_path: '/media/Photos' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const triggers = ['items_inserted', 'items_updated', 'items_folder_checked'];
  for (const trigger of triggers) await sql`alter table items disable trigger ${sql.ref(trigger)}`.execute(db);
  await sql`with places as (
      insert into folders (library_id, rel_path, path)
      select ${id}, 'year-' || n, replace(${id}::text, '-', '')::ltree from generate_series(0, 11) n returning id, rel_path),
    photos as (select n, timestamp '2014-01-01' + (n * 4380.0 / ${count}) * interval '1 day' as taken from generate_series(0, ${count}::int - 1) n)
    insert into items (library_id, folder_id, rel_path, filename, extension, file_category, file_group, status, size, mtime_ns, tags, metadata, thumb_key)
    select ${id}, p.id, p.rel_path || '/IMG_' || n || '.jpg', 'IMG_' || n || '.jpg', 'jpg', 'image', 'raster-photo', 'active', 4000000 + n,
      (extract(epoch from taken) * 1000000000)::bigint, '{}',
      jsonb_build_object('taken_at', to_char(taken, 'YYYY-MM-DD"T"HH24:MI:SS'), 'width', 6000, 'height', case when n % 5 = 0 then 8000 else 4000 end),
      md5(n::text)
    from photos join places p on p.rel_path = 'year-' || n % 12`.execute(db);
  for (const trigger of triggers) await sql`alter table items enable trigger ${sql.ref(trigger)}`.execute(db);
  await sql`vacuum analyze items`.execute(db);
  return id;
}
