import type { Schema } from '@catalog/engine';
import type { Settings as MeiliSettings } from 'meilisearch';

/** A word that no text holds; it carries the version of the documents, because an index has no other place for one. */
export function versionWord({ version }: Schema): string {
  return `catalogdocumentsversion${version}`;
}

/** Values a facet is counted for, and hits that can be paged through; both are far lower by default. */
export const maxFacetValues = 1000;
const mostHits = 1_000_000;

/** The schema as the server's settings. The order of ranking rules is that of the embedded engine. */
export function settingsOf(schema: Schema, cutoffMs: number): MeiliSettings {
  const { text, keyword, number, sortable, geo, scope } = schema;
  const names = keyword.map(({ name }) => name);
  return {
    searchableAttributes: text.map(({ name }) => name),
    filterableAttributes: [...names, ...number, 'id', ...(geo ? [geo] : []), ...(scope ? [scope] : [])],
    sortableAttributes: [...number, ...sortable, 'id', ...(geo ? [geo] : [])],
    displayedAttributes: ['*'],
    rankingRules: ['sort', 'words', 'typo', 'proximity', 'attribute', 'exactness', 'mtime_sort:desc'],
    typoTolerance: {
      minWordSizeForTypos: { oneTypo: 5, twoTypos: 9 },
      disableOnAttributes: text.filter(({ typos }) => typos === false).map(({ name }) => name),
      disableOnNumbers: true,
    },
    // File names are cut at these; C++ and C# are not.
    separatorTokens: ['_', '-', '.', '/', '~', '@', '&'],
    nonSeparatorTokens: ['++', '#'],
    dictionary: [versionWord(schema)],
    faceting: { maxValuesPerFacet: maxFacetValues, sortFacetValuesBy: { '*': 'count' } },
    pagination: { maxTotalHits: mostHits },
    searchCutoffMs: cutoffMs,
  } as MeiliSettings;
}
