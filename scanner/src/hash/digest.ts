import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-file.ts';

export const digestAlgorithms = ['md5', 'sha1', 'sha256', 'sha512'] as const;
export type DigestAlgorithm = (typeof digestAlgorithms)[number];

export type DigestResult =
  | { size: number; digests: Partial<Record<DigestAlgorithm, string>> }
  /** A system error code, `too_large`, `not_a_file`, or `changed` when the file changed while it was read. */
  | { refused: string };

/** Computes all digests of a file in one read, in a thread of its own. Aborting the signal terminates the thread and rejects. */
export function digestFile(
  path: string,
  algorithms: readonly DigestAlgorithm[],
  options: { maxBytes: number; signal?: AbortSignal },
): Promise<DigestResult> {
  const thread = new Worker(threadFile('digest-thread'), {
    workerData: { path, algorithms, maxBytes: options.maxBytes },
  });
  const stop = (): void => void thread.terminate();
  options.signal?.addEventListener('abort', stop);
  return new Promise<DigestResult>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(options.signal?.reason ?? new Error('The digest was interrupted.')));
  }).finally(() => options.signal?.removeEventListener('abort', stop));
}
