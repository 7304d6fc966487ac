import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-file.ts';
import { sharedNumbers, type ThreadMessage, type ThreadTask } from './thread-messages.ts';
import type { StartWalk } from './walk.ts';

/** Batches in memory, whatever the number of threads. */
const maxBatchesInFlight = 4;

/**
 * Walks in threads of its own. The first one starts alone, because most walks are over within its first batch. After that, whenever a thread is
 * free or not started yet, a walking one hands over half of the folders it has left. They are passed on only after the batch that lists the
 * folder above them, so every folder arrives after its parent.
 */
export const walkInThreads: StartWalk = async function* ({ threads: limit = 1, ...options }) {
  const shared = new Int32Array(new SharedArrayBuffer(12));
  shared[sharedNumbers.credits] = maxBatchesInFlight;
  const received: { from: Worker; message: ThreadMessage }[] = [];
  let wake: (() => void) | undefined;
  const threads: Worker[] = [];
  const idle: Worker[] = [];
  const start = (): Worker => {
    const thread = new Worker(threadFile('walk-thread'), {
      workerData: { options, shared },
      // Batches leave the thread at once, so a small young generation is enough.
      resourceLimits: { maxYoungGenerationSizeMb: 12 },
    });
    const receive = (message: ThreadMessage): void => {
      received.push({ from: thread, message });
      wake?.();
    };
    thread.on('message', receive);
    thread.on('error', (error) => receive({ failed: error.message }));
    threads.push(thread);
    return thread;
  };
  try {
    start().postMessage({ number: 0, starts: [options.start] } satisfies ThreadTask);
    let isFirst = true;
    for (;;) {
      while (received.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const { from, message } = received.shift() as (typeof received)[number];
      if (message === null) {
        idle.push(from);
        if (idle.length === threads.length) return;
        Atomics.add(shared, sharedNumbers.free, 1);
        continue;
      }
      if ('failed' in message) throw new Error(`The walk stopped: ${message.failed}`);
      const { handedOver } = message;
      if (handedOver) (idle.pop() ?? start()).postMessage({ number: handedOver.part, starts: handedOver.starts } satisfies ThreadTask);
      if (isFirst) Atomics.add(shared, sharedNumbers.free, limit - 1);
      isFirst = false;
      yield message;
      Atomics.add(shared, sharedNumbers.credits, 1);
      Atomics.notify(shared, sharedNumbers.credits);
    }
  } finally {
    Atomics.store(shared, sharedNumbers.credits, -1_000_000);
    Atomics.notify(shared, sharedNumbers.credits);
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
};
