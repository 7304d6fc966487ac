import type { ExtractErrorKind } from '../../src/contract.ts';

/** How a hostile file may end: with a result, or with an error of one of the named kinds. */
export type Ending = 'result' | ExtractErrorKind;

export interface HostileCase {
  /** What it tries, for the table. */
  family: string;
  name: string;
  /** The file's name; its extension chooses the extractor. */
  filename: string;
  build(): Buffer | Promise<Buffer>;
  endings: readonly Ending[];
  /** What is asked of the file: its facts (the usual), or its thumbnails. */
  task?: 'thumbs';
  /** Its own clock, for a file that is known to use it up. */
  seconds?: number;
}

/** Numbers that look random and are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
