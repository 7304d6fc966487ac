import { readlinkSync } from 'node:fs';
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openModel } from './run-model.ts';

/** Loads one model and embeds texts, one at a time: vectors of an int8 model depend on the other texts of a batch. */
interface ThreadOptions {
  folder: string;
  name: string;
  lowPriority: boolean;
}

const { folder, name, lowPriority } = workerData as ThreadOptions;

const port = parentPort;
if (!port) throw new Error('This module must run in a worker thread.');
const model = await openModel(folder, name);
// After loading, which is short and which others may wait for.
if (lowPriority) lowerPriority();
port.on('message', async ({ call, text }: { call: number; text: string }) => {
  try {
    const vector = await model.embed(text);
    port.postMessage({ call, vector }, [vector.buffer as ArrayBuffer]);
  } catch (error) {
    port.postMessage({ call, error: (error as Error).message });
  }
});
port.postMessage({ call: 0, dimension: model.dimension, revision: model.revision, runtime: model.runtime });

/** Embedding must not slow down searches. On Linux the priority of one thread is set by its own id. */
function lowerPriority(): void {
  try {
    os.setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), os.constants.priority.PRIORITY_LOW);
  } catch {
    // Without /proc the thread runs at the priority of the process.
  }
}
