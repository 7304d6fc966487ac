import { seedMetadataProfiles } from '../catalog/metadata-profiles/index.ts';
import { seedTaxonomy } from '../catalog/taxonomy/index.ts';
import type { Db } from '../platform/database/index.ts';

/** What a new database starts with. Each seeder may run any number of times and adds only what was never there. */
const seeders: ((db: Db) => Promise<unknown>)[] = [seedTaxonomy, seedMetadataProfiles];

export async function seed(db: Db): Promise<void> {
  for (const each of seeders) await each(db);
}
