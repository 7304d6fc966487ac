import { hash } from 'node:crypto';
import type { Document } from '@catalog/engine';
import { readPassageVectors } from '../../content/embeddings/index.ts';
import { type ItemPassages, itemsWithPassages, type Passage, sourceText, storePassagesOf } from '../../content/passages/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Settings } from '../../settings/index.ts';
import { documentsOf, type IndexedVectors, passagesSchema } from '../documents/index.ts';

/** The id of a passage in the index. Padded, so that ids sort like the passages. */
export function passageId(itemId: string, chunkNo: number): string {
  return `${itemId}_${String(chunkNo).padStart(6, '0')}`;
}

export function parsePassageId(id: string): { itemId: string; chunkNo: number } {
  const at = id.lastIndexOf('_');
  return { itemId: id.slice(0, at), chunkNo: Number(id.slice(at + 1)) };
}

/** The fingerprint of the documents of an item; it changes with the item, its text, the way the text is divided, and the vectors. */
export function passageFingerprint({
  item_fingerprint,
  text_hash,
  shape,
  model_id,
}: Pick<ItemPassages, 'item_fingerprint' | 'text_hash' | 'shape' | 'model_id'>): string {
  return hash('sha256', `${item_fingerprint}:${text_hash}:${shape}${model_id === null ? '' : `:${model_id}`}`).slice(0, 16);
}

/** The passage documents of one item, and what to record about them. */
interface PassageDocuments {
  row: ItemPassages;
  documents: Document[];
}

const facts = new Set([
  ...passagesSchema.keyword.map(({ name }) => name),
  ...(passagesSchema.number ?? []),
  passagesSchema.geo,
  passagesSchema.scope,
  'filename',
]);

/** The documents of those items that have a text and whose library has passages. A text that was divided before is not divided again. */
export async function passageDocuments(
  db: Db,
  settings: Settings,
  ids: readonly string[],
  wantedVectors: IndexedVectors | null,
): Promise<PassageDocuments[]> {
  const wanted = await itemsWithPassages(db, ids);
  const items = wanted.size === 0 ? [] : await documentsOf(db, [...wanted]);
  const found: PassageDocuments[] = [];
  for (const item of items) {
    const text = sourceText({ body: joined(item['body_text']), ocr: joined(item['ocr_text']) })?.text;
    if (!text) continue;
    const { hash: text_hash, shape, passages } = await storePassagesOf(db, settings, text);
    const vectors = wantedVectors && (await readPassageVectors(db, text_hash, wantedVectors.modelId));
    const row: ItemPassages = {
      item_id: item.id,
      text_hash,
      shape,
      documents: passages.length,
      item_fingerprint: String(item['fingerprint']),
      model_id: vectors ? (wantedVectors?.modelId ?? null) : null,
    };
    found.push({ row, documents: toDocuments(item, text, row, passages, vectors) });
  }
  return found;
}

/** A long text is a list of consecutive parts. */
function joined(value: unknown): string | null {
  if (Array.isArray(value)) return value.join('');
  return typeof value === 'string' ? value : null;
}

function toDocuments(
  item: Document,
  text: string,
  row: ItemPassages,
  passages: readonly Passage[],
  vectors: ReadonlyMap<number, Float32Array> | null,
): Document[] {
  const shared = Object.fromEntries(Object.entries(item).filter(([name]) => facts.has(name)));
  const fingerprint = passageFingerprint(row);
  return passages.map(({ start, end, page }, chunk_no) => ({
    ...shared,
    id: passageId(item.id, chunk_no),
    fingerprint,
    item_id: item.id,
    chunk_no,
    ...(page === null ? {} : { page }),
    text: text.slice(start, end),
    ...(vectors?.has(chunk_no) ? { meaning: vectors.get(chunk_no) as Float32Array } : {}),
  }));
}
