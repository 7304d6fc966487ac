import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-file.ts';
import type { WalkFileSystem } from './file-layer.ts';
import { type WalkBatch, type WalkOptions, walk } from './walk.ts';

/** Starts a walk and yields its batches; leaving the loop early ends the walk. */
export type StartWalk = (options: WalkOptions) => AsyncIterable<WalkBatch>;

const inFlight = 4;

export const walkInThread: StartWalk = async function* (options) {
  const credits = new Int32Array(new SharedArrayBuffer(4));
  credits[0] = inFlight;
  const thread = new Worker(threadFile('walker-thread'), {
    workerData: { options, credits },
    // What it finds leaves it at once: little room for what is new is enough.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
  const arrived: (WalkBatch | null | { failed: string })[] = [];
  let wake: (() => void) | undefined;
  thread.on('message', (message) => {
    arrived.push(message);
    wake?.();
  });
  thread.on('error', (error) => {
    arrived.push({ failed: error.message });
    wake?.();
  });
  try {
    for (;;) {
      while (arrived.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const next = arrived.shift();
      if (!next) return;
      if ('failed' in next) throw new Error(`The walk stopped: ${next.failed}`);
      yield next;
      Atomics.add(credits, 0, 1);
      Atomics.notify(credits, 0);
    }
  } finally {
    Atomics.store(credits, 0, -1_000_000);
    Atomics.notify(credits, 0);
    await thread.terminate();
  }
};

/** The same walk without a thread, over any file layer. */
export function createInlineWalk(files: WalkFileSystem): StartWalk {
  return async function* (options) {
    yield* walk(options, files);
  };
}
