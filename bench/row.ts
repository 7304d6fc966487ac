/** What a benchmark prints: one line a figure. */
export interface Row {
  name: string;
  value: number;
  unit: string;
  /** What the same work costs elsewhere, in words; empty when nothing ran beside it. */
  peer: string;
  /** Our value divided by that of the first peer. */
  ratio: number | null;
  /** What is asked of the value, in words; empty when it is only shown. */
  limit: string;
  ok: boolean;
  /** Other figures of the same measurement. */
  detail?: string;
}

export type Bench = (options: { scale: number; json: boolean }) => Promise<{ rows: Row[]; notes?: string[] }>;
