import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { documentChecker } from '../check-document.ts';
import { EngineError } from '../errors.ts';
import { plainSchema } from '../schema.ts';
import { buffersOf, createPacker, type Packer } from '../segment/document-batch.ts';
import { callsTo, threadFile, startThread } from '../threads/calls.ts';
import type { Document, IndexStats, Schema, IndexWriter } from '../types.ts';

/** So much is checked and packed before the event loop has its turn. */
const pieceCharacters = 200_000;
const pieceDocuments = 200;
/** Parcels are about this large: waking the writer's thread costs as much as packing a hundred documents. */
const parcelUnits = 500_000;

export async function openWriter(directory: string, schema: Schema): Promise<IndexWriter> {
  const worker = new Worker(threadFile('writer-thread'), {
    workerData: { directory, schema },
    resourceLimits: { maxOldGenerationSizeMb: 8192 },
  });
  await startThread(worker);
  const caller = callsTo(worker);
  const plain = plainSchema(schema);
  const check = documentChecker(plain);
  const packer = createPacker(plain);
  // Batches of two callers must not mix in the thread.
  let turn: Promise<unknown> = Promise.resolve();

  const send = async (documents: readonly Document[]) => {
    if (!Array.isArray(documents)) throw new EngineError('bad_document', 'Documents must be a list.');
    if (documents.length === 0) return;
    let first = true;
    const take = () => {
      const parcel = packer.take();
      const piece = { parcel, first };
      first = false;
      return [piece, buffersOf(parcel)] as const;
    };
    try {
      for (let from = 0; ; ) {
        from = addPiece(documents, from, check, packer);
        if (from === documents.length) break;
        if (packer.units() > parcelUnits) caller.tell('stage', ...take());
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
      const next = turn.then(() => send(documents));
      turn = next.catch(() => undefined);
      return next;
    },
    delete: (ids) => caller.call('delete', [...ids]),
    commit: () => caller.call<IndexStats>('commit'),
    compact: () => caller.call<IndexStats>('compact'),
    stats: () => caller.call<IndexStats>('stats'),
    close: () => caller.close(),
  };
}

/** Checks and packs documents until they are enough for a piece; answers where it ends. */
function addPiece(documents: readonly Document[], from: number, check: (document: Document) => number, packer: Packer): number {
  let characters = 0;
  let to = from;
  while (to < documents.length && to - from < pieceDocuments && characters < pieceCharacters) {
    const document = documents[to++]!;
    characters += check(document);
    packer.add(document);
  }
  return to;
}
