import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { seedTaxonomy } from '../../server/src/catalog/taxonomy/index.ts';
import { createThumbStore } from '../../server/src/content/thumbs/index.ts';
import type { Db } from '../../server/src/platform/database/index.ts';

/** Different pictures. The address of a thumbnail contains the file, so the browser loads and decodes one for each photo. */
const PICTURES = 256;
const sizes = [
  [480, 320],
  [320, 480],
] as const;

const keyOf = (picture: number): string => createHash('md5').update(`picture ${picture}`).digest('hex');

/** Writes the thumbnails of the photos into the config folder, where the service reads them. */
export async function writePictures(configDir: string): Promise<void> {
  const store = createThumbStore({ folder: join(configDir, 'thumbs') });
  for (let picture = 0; picture < PICTURES; picture += 1) {
    const [width, height] = sizes[picture % 5 === 0 ? 1 : 0];
    const noise = { type: 'gaussian', mean: 60 + (picture % 130), sigma: 25 } as const;
    const bytes = await sharp({ create: { width, height, channels: 3, noise, background: '#888' } })
      .webp({ quality: 60, effort: 0 })
      .toBuffer();
    await store.write(keyOf(picture), { grid: bytes, preview: bytes });
  }
}

/** Adds a library of photos taken over twelve years, each with a thumbnail. Triggers are disabled, because the index is built afterwards. */
export async function addPhotos(db: Db, count: number): Promise<string> {
  // A search for images is refused while no such category exists.
  await seedTaxonomy(db);
  const { id } = await db
    .insertInto('libraries')
    .values({ name: 'Photos', root_path: '/media/Photos' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const triggers = ['items_inserted', 'items_updated', 'items_folder_checked'];
  for (const trigger of triggers) await sql`alter table item_rows disable trigger ${sql.ref(trigger)}`.execute(db);
  await sql`with places as (
      insert into folders (library_id, rel_path, path)
      select ${id}, 'year-' || n, replace(${id}::text, '-', '')::ltree from generate_series(0, 11) n returning id, rel_path),
    photos as (select n, timestamp '2014-01-01' + (n * 4380.0 / ${count}) * interval '1 day' as taken from generate_series(0, ${count}::int - 1) n)
    insert into items (library_id, folder_id, filename, extension, file_category, file_group, status, size, mtime_ns, tags, metadata, thumb_key)
    select ${id}, p.id, 'IMG_' || n || '.jpg', 'jpg', 'image', 'raster-photo', 'active', 4000000 + n,
      (extract(epoch from taken) * 1000000000)::bigint, '{}',
      jsonb_build_object('taken_at', to_char(taken, 'YYYY-MM-DD"T"HH24:MI:SS'),
        'width', case when n % ${PICTURES} % 5 = 0 then 4000 else 6000 end, 'height', case when n % ${PICTURES} % 5 = 0 then 6000 else 4000 end),
      md5('picture ' || n % ${PICTURES})
    from photos join places p on p.rel_path = 'year-' || n % 12`.execute(db);
  for (const trigger of triggers) await sql`alter table item_rows enable trigger ${sql.ref(trigger)}`.execute(db);
  await sql`vacuum analyze item_rows`.execute(db);
  return id;
}
