import { createHash } from 'node:crypto';
import type { Db } from '../../platform/database/index.ts';
import { queueChangedItems, queueItemsOfText, sourceText } from '../passages/index.ts';
import {
  isItemChanging,
  nextUnembeddedText,
  passagesWithoutVector,
  recordEmbeddedText,
  recordTextFailure,
  writePassageVectors,
} from './passage-store.ts';
import { type Embedder, EmbedderUnavailable } from './port.ts';

/** Passages in one transaction. */
const batchSize = 32;

/**
 * Embeds some passages of the next text that lacks vectors of the model. The items with this text are indexed again when its last passage has
 * a vector. Returns the number of passages, or of texts that were completed; 0 means that nothing is left.
 */
export async function embedPassages(
  db: Db,
  { embedder, modelId, signal }: { embedder: Embedder; modelId: number; signal: AbortSignal },
): Promise<number> {
  const next = await nextUnembeddedText(db, modelId);
  if (!next) return 0;
  try {
    const text = sourceText(next)?.text ?? '';
    if (createHash('sha256').update(text).digest('hex') !== next.hash) {
      // The item has another text by now, but others may still have this one. A queued item is not chosen again.
      if (await isItemChanging(db, next.item_id)) await queueChangedItems(db, [next.item_id]);
      else await recordTextFailure(db, next.hash);
      return 1;
    }
    const passages = await passagesWithoutVector(db, next.hash, modelId, batchSize);
    if (passages.length === 0) {
      await recordEmbeddedText(db, next.hash, modelId);
      await queueItemsOfText(db, next.hash);
      return 1;
    }
    const vectors = await embedder.embed(
      passages.map(({ start, end }) => text.slice(start, end).toWellFormed()),
      'passage',
      signal,
    );
    await writePassageVectors(
      db,
      { hash: next.hash, modelId },
      passages.map(({ chunk_no }, at) => ({ chunk_no, vector: vectors[at] as Float32Array })),
    );
    return passages.length;
  } catch (error) {
    if (error instanceof EmbedderUnavailable || signal.aborted) throw error;
    // One text may have caused the failure; the others must not wait for it.
    await recordTextFailure(db, next.hash);
    return 1;
  }
}
