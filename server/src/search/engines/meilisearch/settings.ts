import type { Schema } from '@catalog/engine';
import type { Settings as MeiliSettings } from 'meilisearch';

/** Increased when documents are stored differently. An index of another format is rebuilt. */
const storageFormat = 2;

/** A dictionary word that stores the version and format of the documents, because an index has no other place for it. */
export function versionWord({ version }: Schema): string {
  return `catalogdocumentsversion${version}format${storageFormat}`;
}

/** How many values a facet lists, and how many hits can be paged through; the server's defaults are far lower. */
export const maxFacetValues = 1000;
const maxHits = 1_000_000;

/** The vectors of documents. The catalog computes them; the server only compares them. */
export const meaningField = 'meaning';

/**
 * Digests of the folders of a document, for scope filters. Format 1 stored paths in the scope field: an index of that format lacks this
 * field, so a scope filter fails there instead of finding nothing.
 */
export const foldersField = 'catalog_folders';

/** The schema as server settings. The ranking rules have the order of the embedded engine. */
export function settingsOf(schema: Schema, cutoffMs: number): MeiliSettings {
  const { text, keyword, number, sortable, geo, scope, vector } = schema;
  const names = keyword.map(({ name }) => name);
  return {
    searchableAttributes: text.map(({ name }) => name),
    filterableAttributes: [...names, ...number, 'id', ...(geo ? [geo] : []), ...(scope ? [foldersField] : [])],
    sortableAttributes: [...number, ...sortable, 'id', ...(geo ? [geo] : [])],
    displayedAttributes: ['*'],
    rankingRules: ['sort', 'words', 'typo', 'proximity', 'attribute', 'exactness', 'mtime_sort:desc'],
    typoTolerance: {
      minWordSizeForTypos: { oneTypo: 5, twoTypos: 9 },
      disableOnAttributes: text.filter(({ typos }) => typos === false).map(({ name }) => name),
      disableOnNumbers: true,
    },
    // Split file names at these characters, but keep C++ and C# as words.
    separatorTokens: ['_', '-', '.', '/', '~', '@', '&'],
    nonSeparatorTokens: ['++', '#'],
    dictionary: [versionWord(schema)],
    faceting: { maxValuesPerFacet: maxFacetValues, sortFacetValuesBy: { '*': 'count' } },
    pagination: { maxTotalHits: maxHits },
    searchCutoffMs: cutoffMs,
    ...(vector
      ? {
          embedders: { [vector.name]: { source: 'userProvided', dimensions: vector.dimension, binaryQuantized: vector.quantise === true } },
        }
      : {}),
  } as MeiliSettings;
}
