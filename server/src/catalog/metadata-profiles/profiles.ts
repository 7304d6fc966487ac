import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { type ProfileField, shippedProfiles, profileVersion } from './registry.ts';

export interface MetadataProfile {
  id: string;
  file_category: string;
  version: number;
  created_at: string;
  fields: Record<string, ProfileField>;
}

/** Puts the profiles of this program into the database; an equal or newer one stays. */
export async function seedMetadataProfiles(db: Db): Promise<void> {
  for (const [category, fields] of Object.entries(shippedProfiles))
    await sql`insert into metadata_profiles (file_category, version, fields) values (${category}, ${profileVersion}, ${JSON.stringify(fields)}::jsonb)
      on conflict (file_category) do update set version = excluded.version, fields = excluded.fields, created_at = now()
      where metadata_profiles.version < excluded.version`.execute(db);
}

export async function metadataProfiles(db: Db, category?: string): Promise<MetadataProfile[]> {
  const { rows } = await sql<Omit<MetadataProfile, 'created_at'> & { created_at: Date }>`
    select id, file_category, version, fields, created_at from metadata_profiles
    where ${category === undefined ? sql`true` : sql`file_category = ${category}`} order by file_category`.execute(db);
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}
