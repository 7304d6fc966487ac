import type { Worker } from 'node:worker_threads';
import { fromPlainError, type PlainError } from '../errors.ts';

/** Waits until a thread says that it is ready (call 0), or fails with what kept it from starting. */
export function startThread(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('message', (message: { call: number; error?: PlainError }) => {
      worker.removeListener('error', reject);
      if (message.error) worker.terminate().then(() => reject(fromPlainError(message.error!)), reject);
      else resolve();
    });
    worker.once('error', reject);
  });
}
