import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import '../tables.ts';
import { reclassifiedVersion, taxonomyVersion } from './version.ts';

/** The whole live taxonomy as a tree, in its display order. */
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
