/** One measured value of a benchmark. */
export interface Row {
  name: string;
  value: number;
  unit: string;
  /** The same measurement of other programs, as text; empty if there is none. */
  peer: string;
  /** The value divided by that of the first peer. */
  ratio: number | null;
  /** The limit for the value, as text; empty if there is none. */
  limit: string;
  ok: boolean;
  /** Other values of the same measurement. */
  detail?: string;
}

export type Bench = (options: { scale: number; json: boolean }) => Promise<{ rows: Row[]; notes?: string[] }>;
