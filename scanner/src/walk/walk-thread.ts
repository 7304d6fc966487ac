import { parentPort, workerData } from 'node:worker_threads';
import { createWalkFileSystem } from './file-system.ts';
import { type WalkOptions, walk } from './walk.ts';

/** Walks in a thread of its own: the disk is asked synchronously here, and only here. */
const { options, credits } = workerData as { options: WalkOptions; credits: Int32Array };
const port = parentPort!;

try {
  for (const batch of walk(options, createWalkFileSystem({ network: options.network }))) {
    // One credit a batch; the reader gives them back, so at most a handful of batches exist at once. A negative value means stop.
    Atomics.wait(credits, 0, 0);
    if (Atomics.load(credits, 0) < 0) break;
    Atomics.sub(credits, 0, 1);
    port.postMessage(batch, [batch.rows.buffer as ArrayBuffer]);
  }
  port.postMessage(null);
} catch (error) {
  port.postMessage({ failed: (error as Error).message });
}
