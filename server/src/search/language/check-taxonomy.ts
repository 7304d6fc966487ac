import { loadTaxonomy } from '../../catalog/taxonomy/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { ParsedQuery } from './ast.ts';
import { filterTerms } from './parse.ts';
import { queryError } from './query-error.ts';
import { abbreviate } from './values.ts';

/** Kinds and groups must exist: a misspelt one is told, with what there is. */
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
        `No ${key} is named "${abbreviate(wrong)}". There are: ${known.sort().join(', ')}.`,
      );
  }
}
