import { parentPort, workerData } from 'node:worker_threads';
import { createWalkFileSystem } from './file-system.ts';
import { sharedNumbers, type ThreadMessage, type ThreadTask } from './thread-messages.ts';
import { type WalkOptions, walk } from './walk.ts';

const { options, shared } = workerData as { options: WalkOptions; shared: Int32Array };
const files = createWalkFileSystem(options);
const send = (message: ThreadMessage, moved: ArrayBuffer[] = []): void => parentPort?.postMessage(message, moved);

/** Takes one, if there is one. */
function take(index: number): boolean {
  for (let count = Atomics.load(shared, index); count > 0; ) {
    const found = Atomics.compareExchange(shared, index, count, count - 1);
    if (found === count) return true;
    count = found;
  }
  return false;
}

/** Waits until a batch may be sent; false means that the walk must stop. */
function waitForCredit(): boolean {
  while (!take(sharedNumbers.credits)) {
    if (Atomics.load(shared, sharedNumbers.credits) < 0) return false;
    Atomics.wait(shared, sharedNumbers.credits, 0);
  }
  return true;
}

const handOver = (): number | null => (take(sharedNumbers.free) ? Atomics.add(shared, sharedNumbers.parts, 1) + 1 : null);

parentPort?.on('message', (task: ThreadTask) => {
  try {
    for (const batch of walk(options, files, { ...task, handOver })) {
      if (!waitForCredit()) return;
      send(batch, [batch.rows.buffer as ArrayBuffer]);
    }
    send(null);
  } catch (error) {
    send({ failed: (error as Error).message });
  }
});
