import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createDocumentChecker } from '../check-document.ts';
import { EngineError } from '../errors.ts';
import { normalizeSchema } from '../schema.ts';
import { type BatchPacker, createBatchPacker, transferList } from '../segment/document-batch.ts';
import { createCaller, threadFile, waitUntilReady } from '../threads/calls.ts';
import type { Document, IndexStats, IndexWriter, Schema } from '../types.ts';

/** The amount of work per turn of the event loop while documents are checked and packed. */
const chunkCharacters = 200_000;
const chunkDocuments = 200;
/** Approximate batch size, because waking the writer thread costs as much as packing a hundred documents. */
const batchUnits = 500_000;

export async function openWriter(directory: string, schema: Schema): Promise<IndexWriter> {
  const worker = new Worker(threadFile('writer-thread'), {
    workerData: { directory, schema },
    resourceLimits: { maxOldGenerationSizeMb: 8192 },
  });
  await waitUntilReady(worker);
  const caller = createCaller(worker);
  const plain = normalizeSchema(schema);
  const check = createDocumentChecker(plain);
  const packer = createBatchPacker(plain);
  // Serialises calls, because the batches of two upserts must not be mixed.
  let queue: Promise<unknown> = Promise.resolve();

  const send = async (documents: readonly Document[]) => {
    if (!Array.isArray(documents)) throw new EngineError('bad_document', 'Documents must be a list.');
    if (documents.length === 0) return;
    let first = true;
    const take = () => {
      const batch = packer.take();
      const message = { batch, first };
      first = false;
      return [message, transferList(batch)] as const;
    };
    try {
      for (let from = 0; ; ) {
        from = packChunk(documents, from, check, packer);
        if (from === documents.length) break;
        if (packer.units() > batchUnits) caller.send('appendBatch', ...take());
        await nextTurn();
      }
    } catch (error) {
      packer.take();
      throw error;
    }
    await caller.call<void>('upsert', ...take());
  };
  return {
    upsert(documents) {
      const next = queue.then(() => send(documents));
      // The caller receives the error; later calls must still run.
      queue = next.catch(() => undefined);
      return next;
    },
    delete: (ids) => caller.call('delete', [...ids]),
    commit: () => caller.call<IndexStats>('commit'),
    compact: () => caller.call<IndexStats>('compact'),
    stats: () => caller.call<IndexStats>('stats'),
    close: () => caller.close(),
  };
}

/** Checks and packs one chunk of documents, and returns the index of the next document. */
function packChunk(documents: readonly Document[], from: number, check: (document: Document) => number, packer: BatchPacker): number {
  let characters = 0;
  let to = from;
  for (const document of documents.slice(from, from + chunkDocuments)) {
    if (characters >= chunkCharacters) break;
    to++;
    characters += check(document);
    packer.add(document);
  }
  return to;
}
