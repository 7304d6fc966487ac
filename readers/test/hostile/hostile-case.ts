import type { ExtractErrorKind } from '../../src/contract.ts';

/** The outcome of a hostile file: a result or a kind of error. */
export type Ending = 'result' | ExtractErrorKind;

export interface HostileCase {
  /** The row of the table it is counted in. */
  family: string;
  name: string;
  /** Its extension selects the extractor. */
  filename: string;
  build(): Buffer | Promise<Buffer>;
  endings: readonly Ending[];
  /** Draws thumbnails instead of extracting facts. */
  task?: 'thumbs';
  /** A time limit of its own, for a file that is known to reach it. */
  seconds?: number;
}

/** Pseudo-random numbers that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
