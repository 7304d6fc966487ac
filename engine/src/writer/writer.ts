import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { documentChecker } from '../check-document.ts';
import { EngineError } from '../errors.ts';
import { plainSchema } from '../schema.ts';
import { buffersOf, parcelPacker } from '../segment/parcel.ts';
import { callsTo } from '../threads/calls.ts';
import { startThread } from '../threads/start.ts';
import type { Document, IndexStats, Schema, Writer } from '../types.ts';

/** Documents cross to the writer's thread in pieces this large, with the event loop free between them. */
const pieceCharacters = 200_000;
const pieceDocuments = 200;

export async function openWriter(directory: string, schema: Schema): Promise<Writer> {
  const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), {
    workerData: { directory, schema },
    resourceLimits: { maxOldGenerationSizeMb: 8192 },
  });
  await startThread(worker);
  const caller = callsTo(worker);
  const plain = plainSchema(schema);
  const check = documentChecker(plain);
  const pack = parcelPacker(plain);
  // Batches of two callers must not mix in the thread.
  let turn: Promise<unknown> = Promise.resolve();

  const send = async (documents: readonly Document[]) => {
    if (!Array.isArray(documents)) throw new EngineError('bad_document', 'Documents must be a list.');
    for (let from = 0; from < documents.length; ) {
      const to = checkPiece(documents, from, check);
      const last = to === documents.length;
      const parcel = pack(documents, from, to);
      await caller.call<void>('upsert', { parcel, first: from === 0, last }, buffersOf(parcel));
      if (!last) await nextTurn();
      from = to;
    }
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

/** Checks documents until they are enough for a piece; answers where it ends. */
function checkPiece(documents: readonly Document[], from: number, check: (document: Document) => number): number {
  let characters = 0;
  let to = from;
  while (to < documents.length && to - from < pieceDocuments && characters < pieceCharacters) characters += check(documents[to++]!);
  return to;
}
