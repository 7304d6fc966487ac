import type { Db } from '../../platform/database/index.ts';
import { itemText, textHash } from './item-text.ts';
import { type Embedder, EmbedderUnavailable } from './port.ts';
import {
  addAllPending,
  addToOutbox,
  countAttempt,
  deletePending,
  readCurrentModel,
  readPending,
  readVectors,
  registerModel,
  writeCurrentModel,
  writeItemVectors,
  writeVectors,
} from './store.ts';

/** An item whose text cannot be embedded is given up after this many runs; a change of the item resets the count. */
export const maxAttempts = 3;
/** Items in one transaction. */
const batchSize = 64;

/** Loads the model and makes it the one whose vectors are searched. A new model queues every item. Returns its id. */
export async function adoptModel(db: Db, embedder: Embedder): Promise<number> {
  const id = await registerModel(db, await embedder.model());
  const current = await readCurrentModel(db);
  if (current?.id === id) return id;
  await db.transaction().execute(async (transaction) => {
    await writeCurrentModel(transaction, id);
    await addAllPending(transaction, id);
  });
  return id;
}

/**
 * The vectors of texts to be found, by hexadecimal hash. Stored ones are read, the others are embedded and stored, so equal texts are embedded
 * once.
 */
export async function vectorsOfTexts(
  db: Db,
  { embedder, modelId, signal }: { embedder: Embedder; modelId: number; signal?: AbortSignal },
  texts: readonly string[],
): Promise<Map<string, Float32Array>> {
  const byHash = new Map(texts.map((text) => [textHash(text).toString('hex'), text]));
  const vectors = await readVectors(
    db,
    modelId,
    [...byHash.keys()].map((hash) => Buffer.from(hash, 'hex')),
  );
  const missing = [...byHash].filter(([hash]) => !vectors.has(hash));
  const embedded = await embedder.embed(
    missing.map(([, text]) => text),
    'passage',
    signal,
  );
  for (const [at, [hash]] of missing.entries()) vectors.set(hash, embedded[at] as Float32Array);
  if (missing.length > 0)
    await writeVectors(
      db,
      modelId,
      missing.map(([hash], at) => ({ hash: Buffer.from(hash, 'hex'), vector: embedded[at] as Float32Array })),
    );
  return vectors;
}

interface Backfill {
  embedder: Embedder;
  modelId: number;
  signal: AbortSignal;
}

/** Embeds the next items that wait. Returns how many were read; 0 means that nothing is left. */
export async function embedPending(db: Db, backfill: Backfill): Promise<number> {
  const pending = await readPending(db, batchSize, maxAttempts);
  const items = pending.map((item) => {
    const text = itemText(item);
    return { id: item.id, seq: item.seq, text, hash: textHash(text) };
  });
  try {
    if (items.length > 0) await settle(db, backfill, items);
  } catch (error) {
    if (error instanceof EmbedderUnavailable || backfill.signal.aborted) throw error;
    // One text may have caused the failure; the others must not wait for it.
    for (const item of items) {
      await settle(db, backfill, [item]).catch((failure: unknown) => {
        if (failure instanceof EmbedderUnavailable || backfill.signal.aborted) throw failure;
        return countAttempt(db, [item.id]);
      });
    }
  }
  return pending.length;
}

async function settle(
  db: Db,
  { embedder, modelId, signal }: Backfill,
  items: readonly { id: string; seq: string; text: string; hash: Buffer }[],
): Promise<void> {
  await vectorsOfTexts(
    db,
    { embedder, modelId, signal },
    items.map(({ text }) => text),
  );
  await db.transaction().execute(async (transaction) => {
    await writeItemVectors(transaction, modelId, items);
    await deletePending(transaction, items);
    await addToOutbox(
      transaction,
      items.map(({ id }) => id),
    );
  });
}
