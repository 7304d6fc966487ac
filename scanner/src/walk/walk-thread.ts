import { parentPort, workerData } from 'node:worker_threads';
import { createWalkFileSystem } from './file-system.ts';
import { type WalkOptions, walk } from './walk.ts';

const { options, credits } = workerData as { options: WalkOptions; credits: Int32Array };

try {
  for (const batch of walk(options, createWalkFileSystem(options))) {
    // Each batch costs a credit, which the consumer returns; this bounds the batches in memory. A negative value means stop.
    Atomics.wait(credits, 0, 0);
    if (Atomics.load(credits, 0) < 0) break;
    Atomics.sub(credits, 0, 1);
    parentPort?.postMessage(batch, [batch.rows.buffer as ArrayBuffer]);
  }
  parentPort?.postMessage(null);
} catch (error) {
  parentPort?.postMessage({ failed: (error as Error).message });
}
