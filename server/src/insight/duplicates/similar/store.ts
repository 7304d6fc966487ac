import { sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';

export interface UnhashedPhoto {
  content_hash: string;
  root_path: string;
  rel_path: string;
  filename: string;
  extension: string | null;
  size: number;
}

/** One file of each picture content that has no hash yet. */
export async function unhashedPhotos(db: Db, after: string, limit: number): Promise<UnhashedPhoto[]> {
  const { rows } =
    await sql<UnhashedPhoto>`select distinct on (i.content_hash) i.content_hash, l.root_path, i.rel_path, i.filename, i.extension, i.size
    from items i join libraries l on l.id = i.library_id
    where i.status = 'active' and i.file_category = 'image' and i.content_hash > ${after} and i.size > 0 and i.symlink_target is null and l.source_agent_id is null
      and not exists (select from photo_hashes p where p.content_hash = i.content_hash) order by i.content_hash limit ${limit}`.execute(db);
  return rows;
}

export async function insertHash(db: Db, contentHash: string, hash: Buffer | null): Promise<void> {
  await sql`insert into photo_hashes (content_hash, hash, compared) values (${contentHash}, ${hash}, ${hash === null}) on conflict do nothing`.execute(
    db,
  );
}

export interface PhotoHash {
  id: number;
  hash: Buffer;
  compared: boolean;
  group_id: number | null;
}

export async function photoHashes(db: Db, after: number, limit: number): Promise<PhotoHash[]> {
  const { rows } =
    await sql<PhotoHash>`select id, hash, compared, group_id from photo_hashes where id > ${after} and hash is not null order by id limit ${limit}`.execute(
      db,
    );
  return rows;
}

/** Stores the groups of pictures that were compared. */
export async function saveGroups(db: Db, compared: readonly number[], groups: ReadonlyMap<number, number>): Promise<void> {
  if (groups.size > 0)
    await sql`update photo_hashes p set group_id = g.group_id from unnest(${[...groups.keys()]}::int[], ${[...groups.values()]}::int[]) as g (id, group_id)
      where p.id = g.id`.execute(db);
  await sql`update photo_hashes set compared = true where id = any(${compared}::int[])`.execute(db);
}
