import type { ClassName } from './questions.ts';
import type { Spread } from './timing.ts';

/** What one contender measured; a figure it has no answer for is absent. */
export interface Figures {
  classes: Partial<Record<ClassName, Spread>>;
  docsPerSecond?: number;
  /** Documents per second of processor time, over all its threads. */
  docsPerCpuSecond?: number;
  /** The same with what questions inside words need, where that is built apart. */
  docsPerCpuSecondWithInside?: number;
  diskBytes?: number;
  bytesPerDocument?: number;
  /** What reading the bitmaps of 60 values takes at least, in the same minute. */
  floorMs?: number;
  openMs?: number;
  upsertMs?: number;
  /** Columns held in memory beside the text index. */
  columns?: Partial<Record<ClassName, Spread>>;
  concurrent?: { p95: number; perSecond: number };
  merge?: { quietP95: number; duringP95: number; seconds: number };
  /** Why it did not run. */
  skipped?: string;
}

export interface Task {
  size: number;
  directory: string;
}
