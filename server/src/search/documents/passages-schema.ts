import type { Schema } from '@catalog/engine';
import { type IndexedVectors, itemsSchema } from './schema.ts';

/** Increase it whenever the meaning of a passage document changes: an index of another version is rebuilt automatically. */
const passageVersion = 1;

/**
 * A passage has the facts of its item, so that every filter, and the rights and status of the item, apply inside the passage index as they do
 * in the item index.
 */
export const passagesSchema: Schema = {
  version: itemsSchema.version * 1000 + passageVersion,
  text: [{ name: 'text' }, { name: 'filename' }],
  keyword: [...itemsSchema.keyword, { name: 'item_id' }],
  number: [...itemsSchema.number, 'chunk_no', 'page'],
  sortable: [],
  ...(itemsSchema.geo ? { geo: itemsSchema.geo } : {}),
  ...(itemsSchema.scope ? { scope: itemsSchema.scope } : {}),
};

/** With vectors, the version also names the model, as that of the item index does. */
export function passagesSchemaWith(vectors: IndexedVectors | null): Schema {
  if (!vectors) return passagesSchema;
  const { modelId, dimension, quantise } = vectors;
  return { ...passagesSchema, version: passagesSchema.version + 1_000_000 * modelId, vector: { name: 'meaning', dimension, quantise } };
}
