import { problem, fieldProblem } from '../../platform/problem.ts';
import type { Db } from '../../platform/database/index.ts';

import '../tables.ts';
import type { TaxonomyMap } from './classify.ts';
import { taxonomyVersion } from './version.ts';

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

/** The live taxonomy; read again only when its version has moved on. */
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

/** Every filter that names categories or groups asks here first: an unknown value is told, never silently dropped. */
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
  const msg = `No ${what} is named "${value.slice(0, 80)}". There are: ${known.sort().join(', ')}.`;
  return problem('taxonomy_unknown', msg, { errors: fieldProblem(loc, msg, 'taxonomy_unknown').extras.errors ?? [] });
}
