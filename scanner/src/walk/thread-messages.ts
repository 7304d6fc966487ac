import type { WalkBatch, WalkPart } from './walk.ts';

/** Indexes of the numbers that all threads of a walk share. */
export const sharedNumbers = {
  /** Batches that may still be sent. Each costs one, which the consumer returns; a negative number means stop. */
  credits: 0,
  /** Threads that could walk a part if another one handed it over. */
  free: 1,
  /** The highest number of a part. */
  parts: 2,
} as const;

/** What a thread receives. */
export type ThreadTask = Pick<WalkPart, 'number' | 'starts'>;

/** What a thread sends: a batch, null when its part is done, or why it failed. */
export type ThreadMessage = WalkBatch | null | { failed: string };
