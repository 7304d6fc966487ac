import { Worker } from 'node:worker_threads';
import { networkShares } from '../hash/index.ts';
import { shippedPresets } from '../presets/index.ts';
import type { Count, CountOptions } from './count.ts';

const mostAtOnce = 3;
/** Listing one very large folder cannot be interrupted; a share that does not answer by then will not soon. */
const graceMs = 3000;
let running = 0;

const nothingKnown = (): Count => ({ files: 0, unreadable: 0, complete: false, left_out: [], dirs: [] });
const startThread = (options: CountOptions): Worker => new Worker(new URL('./count-thread.ts', import.meta.url), { workerData: options });

/**
 * Counts for at most so long, and never longer: what is known by then is the answer. The thread is asked to stop and ends by itself:
 * killed while it loads native code it would take the process with it. One that hangs in a share that went away ends when the share
 * answers; until then it takes one of the places, and when all are taken nothing is counted, at once.
 */
export async function countFolder(
  folder: string,
  milliseconds: number,
  gone: AbortSignal,
  start: (options: CountOptions) => Worker = startThread,
): Promise<Count> {
  if (running >= mostAtOnce || gone.aborted) return nothingKnown();
  running += 1;
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const thread = start({ root: folder, shares: networkShares(), presets: shippedPresets, milliseconds, stop });
  thread.once('exit', () => {
    running -= 1;
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Count>((resolve, reject) => {
      timer = setTimeout(() => resolve(nothingKnown()), milliseconds + graceMs);
      gone.addEventListener('abort', () => resolve(nothingKnown()), { once: true });
      thread.once('message', resolve);
      thread.once('error', reject);
    });
  } finally {
    clearTimeout(timer);
    Atomics.store(stop, 0, 1);
    // A service that stops does not wait for it.
    thread.unref();
  }
}
