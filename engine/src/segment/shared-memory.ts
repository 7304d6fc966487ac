/**
 * Things in shared memory that are made when a question first wants them, by whichever thread that is, and then used by all. Two words
 * stand for such a thing, both zero in the beginning:
 *
 *   free → claimed    a thread has set the key (first word); whoever wants the same thing waits
 *   claimed → ready   the thing is filled and its address set (second word); from now on it is only read
 *   claimed → failed  the making threw; whoever wants the thing is told so
 *
 * A thread may also die while it makes something; whoever waits for it gives up after a while.
 */
export const pairBytes = 8;
const failed = -1;
const defaultPatienceMs = 30_000;

/** The address of the thing with this key, which is not 0; null when the words at `at` stand for another one. */
export function madeOnce(
  memory: WebAssembly.Memory,
  at: number,
  key: number,
  make: () => number,
  patienceMs = defaultPatienceMs,
): number | null {
  const pair = new Int32Array(memory.buffer, at, 2);
  const holder = Atomics.compareExchange(pair, 0, 0, key);
  if (holder === 0) return publish(pair, make);
  return holder === key ? awaited(pair, patienceMs) : null;
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

function awaited(pair: Int32Array, patienceMs: number): number {
  Atomics.wait(pair, 1, 0, patienceMs);
  const address = Atomics.load(pair, 1);
  if (address === failed || address === 0) throw new Error('Another thread failed to make a part of a segment.');
  return address >>> 0;
}

/** Subsets of terms a segment has at most; the last is that of all fields. */
export const mostSubsets = 8;
export const subsetsBytes = mostSubsets * pairBytes;

/** Where a thread that looks up terms keeps the word, what the kernels note down while they read, and what they find. */
const needleRoom = 256;
const mostLetters = 64;
export const mostRanges = 2048;
const workBytes = 4224;

export interface TermRoom {
  needle: number;
  letters: number;
  work: number;
  out: number;
}

export const termRoomBytes = needleRoom + mostLetters * 4 + workBytes + mostRanges * 12;

export function termRoomAt(start: number): TermRoom {
  const letters = start + needleRoom;
  const work = letters + mostLetters * 4;
  return { needle: start, letters, work, out: work + workBytes };
}
