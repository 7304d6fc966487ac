import type { Schema } from '@catalog/engine';
import { vectorMapping } from './vectors.ts';

/** Increased when documents are stored differently. An index of another format is rebuilt. */
const storageFormat = 1;

/** Fields that the adapter adds to the schema's. */
export const wholeField = 'catalog_whole';
export const wordsField = 'catalog_words';
export const locatedField = 'catalog_located';

/** Lengths of the beginnings that are indexed to find words with a typo while they are typed. */
export const beginnings = { shortest: 4, longest: 12 };

/** Identifies documents of this schema in this storage format. */
export function formatOf({ version, vector }: Schema): string {
  return `${storageFormat}.${version}${vector?.quantise ? '.signs' : ''}`;
}

/**
 * Settings and mappings of an index. Text is tokenised by the engine's tokenizer before it is sent, so that all engines have the same terms:
 * tokens are separated by spaces, and the tokens of one position by `|`, which the analyser splits without changing the position.
 */
export function indexBody(schema: Schema, shards: number): Record<string, unknown> {
  const exact = { type: 'keyword', ignore_above: 8000 };
  const properties: Record<string, unknown> = {
    id: { type: 'keyword' },
    fingerprint: { type: 'keyword', index: false },
    [wholeField]: { type: 'keyword', ignore_above: 600, doc_values: false },
    [wordsField]: exact,
    [locatedField]: { type: 'byte' },
    ...vectorMapping(schema),
  };
  for (const { name, infix } of schema.text)
    properties[name] = {
      ...textField('tokens'),
      position_increment_gap: 8,
      ...(infix
        ? {
            fields: {
              beginnings: { ...textField('beginnings'), index_options: 'docs' },
              infix: { type: 'wildcard' },
            },
          }
        : {}),
    };
  for (const { name } of schema.keyword) properties[name] = exact;
  for (const name of schema.number) properties[name] = { type: 'double' };
  for (const name of schema.sortable) properties[name] = { type: 'keyword', index: false };
  if (schema.geo) properties[schema.geo] = { type: 'geo_point' };
  if (schema.scope) properties[schema.scope] = { type: 'keyword', doc_values: false };
  return {
    settings: {
      index: {
        number_of_shards: shards,
        // One copy as soon as there is a second node, so that losing a node loses nothing.
        auto_expand_replicas: '0-1',
        refresh_interval: '1s',
        max_result_window: 1_000_000,
        mapping: { total_fields: { limit: 2000 } },
      },
      analysis: {
        filter: {
          same_position: { type: 'pattern_capture', preserve_original: false, patterns: ['([^|]+)'] },
          beginnings: { type: 'edge_ngram', min_gram: beginnings.shortest, max_gram: beginnings.longest },
        },
        analyzer: {
          tokens: { type: 'custom', tokenizer: 'whitespace', filter: ['same_position'] },
          beginnings: { type: 'custom', tokenizer: 'whitespace', filter: ['same_position', 'beginnings'] },
        },
      },
    },
    mappings: {
      dynamic: false,
      _meta: { catalog: formatOf(schema) },
      // Vectors are read as doc values only.
      _source: { excludes: Object.keys(vectorMapping(schema)) },
      properties,
    },
  };
}

const textField = (analyzer: string) => ({ type: 'text', analyzer, search_analyzer: 'whitespace', norms: false, similarity: 'boolean' });
