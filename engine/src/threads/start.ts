import type { Worker } from 'node:worker_threads';
import { fromPlainError, type PlainError } from '../errors.ts';

/** Waits until a thread says that it is ready (call 0), or fails with what kept it from starting. */
export function startThread(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    const hear = (message: { call: number; error?: PlainError }) => {
      if (message.call !== 0) return;
      worker.off('error', reject);
      worker.off('message', hear);
      if (message.error) worker.terminate().then(() => reject(fromPlainError(message.error!)), reject);
      else resolve();
    };
    worker.on('message', hear);
    worker.once('error', reject);
  });
}
