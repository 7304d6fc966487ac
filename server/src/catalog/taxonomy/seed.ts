import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { enqueue } from '../../platform/queue/index.ts';
import { increaseTaxonomyVersion, recordReclassified } from './live.ts';
import { registryCategories, registryGroups } from './registry.ts';
import { reclassifyTask } from './tasks.ts';

interface SeedAdditions {
  categories: string[];
  groups: string[];
  extensions: string[];
}

/**
 * Inserts the built-in taxonomy. Entries that were inserted before are skipped, so that an upgrade does not restore what an administrator
 * deleted. `everything` restores those as well.
 */
export async function seedTaxonomy(db: Db, { everything = false, dryRun = false } = {}): Promise<SeedAdditions> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('taxonomy'))`.execute(tx);
    const before = await previouslySeeded(tx);
    const known = everything ? new Set<string>() : before;
    const fresh = (kind: string, key: string): boolean => !known.has(`${kind}:${key}`);

    const present = await liveKeys(tx);
    const categories = registryCategories.filter(({ key }) => fresh('category', key) && !present.categories.has(key));
    const groups = registryGroups.filter(
      ({ key, category }) =>
        fresh('group', key) &&
        !present.groups.has(key) &&
        (present.categories.has(category) || categories.some((each) => each.key === category)),
    );
    const extensions = registryGroups
      .filter(({ key }) => present.groups.has(key) || groups.some((each) => each.key === key))
      .flatMap(({ key, extensions: list }) => list.map((ext) => ({ ext, group_key: key })))
      .filter(({ ext }) => fresh('ext', ext) && !present.extensions.has(ext));

    const additions: SeedAdditions = {
      categories: categories.map(({ key }) => key),
      groups: groups.map(({ key }) => key),
      extensions: extensions.map(({ ext }) => ext),
    };
    if (dryRun) return additions;
    for (const { key, label, description, extractor } of categories)
      await tx
        .insertInto('categories')
        .values({
          key,
          label,
          description,
          extractor,
          is_builtin: true,
          sort_order: registryCategories.findIndex((each) => each.key === key),
        })
        .execute();
    for (const { key, category, label, description } of groups)
      await tx
        .insertInto('groups')
        .values({ key, category, label, description, is_builtin: true, sort_order: registryGroups.findIndex((each) => each.key === key) })
        .execute();
    if (extensions.length > 0)
      await sql`insert into extensions (ext, group_key) select * from unnest(${extensions.map(({ ext }) => ext)}::text[], ${extensions.map(
        ({ group_key }) => group_key,
      )}::text[])`.execute(tx);
    await recordSeeded(tx);
    if (categories.length + groups.length + extensions.length === 0) return additions;
    const version = await increaseTaxonomyVersion(tx);
    // A new database has no items to reclassify.
    if (before.size === 0) await recordReclassified(tx, version);
    else await enqueue(tx, reclassifyTask, { version }, { lock: `reclassify_extensions:${version}` });
    return additions;
  });
}

async function liveKeys(db: Db): Promise<Record<'categories' | 'groups' | 'extensions', Set<string>>> {
  const keys = async (query: Promise<{ key: string }[]>): Promise<Set<string>> => new Set((await query).map(({ key }) => key));
  return {
    categories: await keys(db.selectFrom('categories').select('key').execute()),
    groups: await keys(db.selectFrom('groups').select('key').execute()),
    extensions: await keys(db.selectFrom('extensions').select('ext as key').execute()),
  };
}

async function previouslySeeded(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ value: string[] }>`select value from service_state where key = 'taxonomy_seeded'`.execute(db);
  return new Set(rows[0]?.value ?? []);
}

async function recordSeeded(db: Db): Promise<void> {
  const all = new Set([
    ...(await previouslySeeded(db)),
    ...registryCategories.map(({ key }) => `category:${key}`),
    ...registryGroups.flatMap(({ key, extensions }) => [`group:${key}`, ...extensions.map((ext) => `ext:${ext}`)]),
  ]);
  await sql`insert into service_state (key, value) values ('taxonomy_seeded', ${JSON.stringify([...all].sort())}::jsonb)
    on conflict (key) do update set value = excluded.value, updated_at = now() where service_state.value <> excluded.value`.execute(db);
}
