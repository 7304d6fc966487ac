/**
 * Creates objects in shared memory on first use, by whichever thread needs them first. Two words, initially zero, represent an object:
 *
 *  free → claimed    a thread has stored the key in the first word; other threads that need the object wait
 *  claimed → ready   the object is complete and its address is in the second word; from now on it is read-only
 *  claimed → failed  creation threw an error; waiting threads fail as well
 *
 * Waiting threads give up after a timeout, in case the creating thread has died.
 */
export const createOnceBytes = 8;
const failed = -1;
const defaultTimeoutMs = 30_000;

/** Returns the address of the object with this non-zero key, or null when the words at `at` belong to another key. */
export function createOnce(
  memory: WebAssembly.Memory,
  at: number,
  key: number,
  make: () => number,
  timeoutMs = defaultTimeoutMs,
): number | null {
  const pair = new Int32Array(memory.buffer, at, 2);
  const owner = Atomics.compareExchange(pair, 0, 0, key);
  if (owner === 0) return publish(pair, make);
  return owner === key ? waitFor(pair, timeoutMs) : null;
}

function publish(pair: Int32Array, make: () => number): number {
  let address = failed;
  try {
    address = make();
  } finally {
    Atomics.store(pair, 1, address);
    Atomics.notify(pair, 1);
  }
  return address;
}

function waitFor(pair: Int32Array, timeoutMs: number): number {
  Atomics.wait(pair, 1, 0, timeoutMs);
  const address = Atomics.load(pair, 1);
  if (address === failed || address === 0) throw new Error('Another thread failed to create an object in shared memory.');
  return address >>> 0;
}

/** Maximum number of term subsets per segment; the last slot is for the subset of all fields. */
export const maxSubsets = 8;
export const subsetsBytes = maxSubsets * createOnceBytes;

/** Sizes of the per-thread scratch memory for term lookups: the word, the kernels' working memory and their results. */
const needleBytes = 256;
const maxLetters = 64;
export const maxRanges = 2048;
const workBytes = 4224;

interface TermScratch {
  needle: number;
  letters: number;
  work: number;
  out: number;
}

export const termScratchBytes = needleBytes + maxLetters * 4 + workBytes + maxRanges * 12;

export function termScratchAt(start: number): TermScratch {
  const letters = start + needleBytes;
  const work = letters + maxLetters * 4;
  return { needle: start, letters, work, out: work + workBytes };
}
