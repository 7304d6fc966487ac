import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import { fieldProblem, problem } from '../../platform/problem.ts';
import '../tables.ts';
import type { TaxonomyMap } from './classify.ts';

export interface LiveTaxonomy {
  version: number;
  /** Extension to group and category, for the classifier. */
  map: TaxonomyMap;
  categories: ReadonlySet<string>;
  groups: ReadonlyMap<string, string>;
  /** Category to the extractor it routes to; null for none. */
  extractors: ReadonlyMap<string, string | null>;
}

const cache = new WeakMap<Db, LiveTaxonomy>();

/** The current taxonomy, cached until its version changes. */
export async function loadTaxonomy(db: Db): Promise<LiveTaxonomy> {
  const version = await taxonomyVersion(db);
  const known = cache.get(db);
  if (known?.version === version) return known;
  const categories = await db.selectFrom('categories').select(['key', 'extractor']).execute();
  const groups = await db.selectFrom('groups').select(['key', 'category']).execute();
  const extensions = await db
    .selectFrom('extensions as e')
    .innerJoin('groups as g', 'g.key', 'e.group_key')
    .select(['e.ext', 'e.group_key', 'g.category'])
    .execute();
  const live: LiveTaxonomy = {
    version,
    map: new Map(extensions.map(({ ext, group_key, category }) => [ext, { category, group: group_key }])),
    categories: new Set(categories.map(({ key }) => key)),
    groups: new Map(groups.map(({ key, category }) => [key, category])),
    extractors: new Map(categories.map(({ key, extractor }) => [key, extractor])),
  };
  cache.set(db, live);
  return live;
}

/** Refuses unknown categories and groups in filters and settings, which would otherwise match nothing. */
export async function checkTaxonomyKeys(
  db: Db,
  named: { categories?: readonly string[] | undefined; groups?: readonly string[] | undefined },
  at: { categories: (string | number)[]; groups: (string | number)[] } = { categories: ['query', 'category'], groups: ['query', 'group'] },
): Promise<void> {
  if (!named.categories?.length && !named.groups?.length) return;
  const live = await loadTaxonomy(db);
  const wrongCategory = named.categories?.find((key) => !live.categories.has(key));
  if (wrongCategory !== undefined) throw unknownValue(at.categories, 'category', wrongCategory, [...live.categories]);
  const wrongGroup = named.groups?.find((key) => !live.groups.has(key));
  if (wrongGroup !== undefined) throw unknownValue(at.groups, 'group', wrongGroup, [...live.groups.keys()]);
}

function unknownValue(loc: (string | number)[], what: string, value: string, known: string[]) {
  const msg = `There is no ${what} "${value.slice(0, 80)}". Choose one of: ${known.sort().join(', ')}.`;
  return problem('taxonomy_unknown', msg, { errors: fieldProblem(loc, msg, 'taxonomy_unknown').extras.errors ?? [] });
}

/** Increases with every change of the taxonomy. Processes compare it before they use a cached map. */
export async function taxonomyVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`select value::int version from service_state where key = 'taxonomy_version'`.execute(db);
  return rows[0]?.version ?? 0;
}

export async function increaseTaxonomyVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`insert into service_state (key, value) values ('taxonomy_version', '1')
    on conflict (key) do update set value = to_jsonb(service_state.value::int + 1), updated_at = now() returning value::int version`.execute(
    db,
  );
  return one(rows).version;
}

/** The newest version that has been applied to all items. */
export async function reclassifiedVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`select value::int version from service_state where key = 'taxonomy_reclassified'`.execute(
    db,
  );
  return rows[0]?.version ?? 0;
}

export async function recordReclassified(db: Db, version: number): Promise<void> {
  await sql`insert into service_state (key, value) values ('taxonomy_reclassified', to_jsonb(${version}::int))
    on conflict (key) do update set value = to_jsonb(greatest(service_state.value::int, ${version}::int)), updated_at = now()`.execute(db);
}

/** The current taxonomy as a tree in display order. */
export async function taxonomyTree(db: Db) {
  const version = await taxonomyVersion(db);
  const categories = await db.selectFrom('categories').selectAll().orderBy('sort_order').orderBy('key').execute();
  const groups = await db
    .selectFrom('groups as g')
    .leftJoin('extensions as e', 'e.group_key', 'g.key')
    .select(['g.key', 'g.label', 'g.description', 'g.category', 'g.sort_order', 'g.is_builtin'])
    .select(sql<string[]>`coalesce(array_agg(e.ext order by e.ext) filter (where e.ext is not null), '{}')`.as('extensions'))
    .groupBy('g.key')
    .orderBy('g.sort_order')
    .orderBy('g.key')
    .execute();
  return {
    version,
    reclassified_version: Math.min(version, await reclassifiedVersion(db)),
    tree: categories.map((category) => ({ ...category, groups: groups.filter((group) => group.category === category.key) })),
  };
}
