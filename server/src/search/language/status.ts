import type { ParsedQuery } from './ast.ts';
import { statusValues } from './filter-term.ts';
import { filterTerms } from './parse.ts';

/** Does the query itself speak of statuses or sidecars? Then the defaults (active, no sidecars) step back. */
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
