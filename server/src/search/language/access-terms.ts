import { classesAllowing, classesOwnedBy, knownPeople, resolvePrincipal } from '../../catalog/permissions/index.ts';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { FilterTerm, ParsedQuery } from './ast.ts';
import { filterTerms } from './parse.ts';
import { queryError } from './query-error.ts';
import { abbreviate } from './values.ts';

const accessKeys = new Set<string>(['owner', 'readable-by', 'writable-by', 'perm-changed']);

/**
 * Looks up what filters by permissions mean: the access classes that match, and where the caller may see permissions. Without it such a filter
 * matches nothing.
 */
export async function resolveAccess(db: Db, visibility: Visibility, { filters }: Pick<ParsedQuery, 'filters'>): Promise<void> {
  for (const term of filters.flatMap(filterTerms))
    if (accessKeys.has(term.key)) term.access = { classes: await classesOf(db, term), visibility };
}

async function classesOf(db: Db, { key, test, start }: FilterTerm): Promise<number[]> {
  if (test.type !== 'values') return [];
  const found = new Set<number>();
  for (const value of test.exact) {
    const who = resolvePrincipal(value, await knownPeople(db));
    if (!who)
      throw queryError('unknown_value', start, `No user or group is named "${abbreviate(value)}". Use a name, uid:1000, gid:100 or a SID.`);
    const classes =
      key === 'owner'
        ? await classesOwnedBy(db, who.ids)
        : await classesAllowing(db, who.identity, key === 'writable-by' ? 'write' : 'read');
    for (const id of classes) found.add(id);
  }
  return [...found];
}
