import { loadTaxonomy } from '../../catalog/taxonomy/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { ParsedQuery } from './ast.ts';
import { statusValues } from './filter-term.ts';
import { filterTerms } from './parse.ts';
import { queryError } from './query-error.ts';
import { abbreviate } from './values.ts';

/** Rejects unknown kinds and groups, listing those that exist. */
export async function checkKinds(db: Db, { filters }: Pick<ParsedQuery, 'filters'>): Promise<void> {
  const terms = filters.flatMap(filterTerms).filter(({ key }) => key === 'kind' || key === 'group');
  if (terms.length === 0) return;
  const { categories, groups } = await loadTaxonomy(db);
  for (const { key, test, start } of terms) {
    const known = key === 'kind' ? [...categories] : [...groups.keys()];
    const wrong = test.type === 'values' ? test.exact.find((value) => !known.includes(value)) : undefined;
    if (wrong !== undefined)
      throw queryError(
        key === 'kind' ? 'unknown_kind' : 'unknown_group',
        start,
        `No ${key} is named "${abbreviate(wrong)}". Use one of: ${known.sort().join(', ')}.`,
      );
  }
}

/** True when the query filters by status or sidecar itself; the defaults (active items, no sidecars) do not apply then. */
export function filtersBy(what: 'status' | 'sidecar', { filters }: Pick<ParsedQuery, 'filters'>): boolean {
  const values = filters
    .flatMap(filterTerms)
    .flatMap(({ key, test }) =>
      key === 'is' && test.type === 'values'
        ? test.exact
        : key === 'has' && test.type === 'values' && test.exact.includes('parent')
          ? ['sidecar']
          : [],
    );
  return what === 'sidecar' ? values.includes('sidecar') : values.some((value) => (statusValues as readonly string[]).includes(value));
}
