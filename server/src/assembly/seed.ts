import { seedMetadataProfiles } from '../catalog/metadata-profiles/index.ts';
import { seedTaxonomy } from '../catalog/taxonomy/index.ts';
import { seedAlertRules } from '../insight/alerts/index.ts';
import type { Db } from '../platform/database/index.ts';

/** Adds the initial data of a new database. Every seeder is idempotent and does not restore rows that a user has deleted. */
const seeders: ((db: Db) => Promise<unknown>)[] = [seedTaxonomy, seedMetadataProfiles, seedAlertRules];

export async function seed(db: Db): Promise<void> {
  for (const each of seeders) await each(db);
}
