import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { EngineError } from '../errors.ts';
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
  // Batches of two callers must not mix in the thread.
  let turn: Promise<unknown> = Promise.resolve();

  const send = async (documents: readonly Document[]) => {
    if (!Array.isArray(documents)) throw new EngineError('bad_document', 'Documents must be a list.');
    for (let from = 0; from < documents.length; ) {
      const to = endOfPiece(documents, from);
      const last = to === documents.length;
      const piece = documents.slice(from, to);
      await caller.call<void>('upsert', { documents: piece, first: from === 0, last }).catch(explainClone);
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

function endOfPiece(documents: readonly Document[], from: number): number {
  let characters = 0;
  let to = from;
  while (to < documents.length && to - from < pieceDocuments && characters < pieceCharacters) {
    const document = documents[to++];
    if (typeof document !== 'object' || document === null) continue;
    for (const value of Object.values(document)) {
      if (typeof value === 'string') characters += value.length;
      else if (Array.isArray(value)) for (const each of value) characters += typeof each === 'string' ? each.length : 8;
      else if (value instanceof Float32Array) characters += value.length * 4;
    }
  }
  return to;
}

/** What cannot be copied to a thread cannot be a document either. */
function explainClone(error: unknown): never {
  if (error instanceof Error && error.name === 'DataCloneError')
    throw new EngineError('bad_document', `A document holds something that is no data: ${error.message}`);
  throw error;
}
