import type { QueryClass } from './queries.ts';

/** Percentiles of a list of times in milliseconds. */
export interface Latency {
  p50: number;
  p95: number;
  max: number;
  count: number;
  /** Mean number of documents that matched. */
  hits: number;
  /** p95 of the CPU time of this process, which other load on the machine does not increase. Excludes an external server. */
  cpuP95: number;
}

/** What one search system measured. A value that it cannot measure is undefined. */
export interface Measurements {
  classes: Partial<Record<QueryClass, Latency>>;
  /** The server's own times, without the connection and the client. */
  serverTimes?: Partial<Record<QueryClass, Latency>>;
  docsPerSecond?: number;
  /** Documents per second of CPU time, summed over all threads. */
  docsPerCpuSecond?: number;
  /** The same, including a separate index for infixes. */
  docsPerCpuSecondWithInfix?: number;
  diskBytes?: number;
  bytesPerDocument?: number;
  /** The minimum time to read the bitmaps of 60 values on this machine. */
  minReadMs?: number;
  openMs?: number;
  upsertMs?: number;
  /** Latency with facets counted over in-memory columns. */
  columns?: Partial<Record<QueryClass, Latency>>;
  concurrent?: { p95: number; perSecond: number };
  merge?: { idleP95: number; duringP95: number; seconds: number };
  /** Why the system was not measured. */
  skipped?: string;
}

export interface MeasureOptions {
  size: number;
  directory: string;
}

const percentile = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

export function latencyOf(times: number[], hits = 0, cpuTimes: number[] = []): Latency {
  const sorted = times.toSorted((a, b) => a - b);
  return {
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    max: sorted.at(-1) ?? Number.NaN,
    count: sorted.length,
    hits: hits / Math.max(1, sorted.length),
    cpuP95: percentile(
      cpuTimes.toSorted((a, b) => a - b),
      0.95,
    ),
  };
}

/** Runs each query three times and keeps the best time. Stops after `budgetMs`, so that a slow system does not run for hours. */
export async function timeEach<T>(queries: readonly T[], run: (query: T) => Promise<number> | number, budgetMs = 25_000): Promise<Latency> {
  for (const query of queries.slice(0, 5)) await run(query);
  const end = performance.now() + budgetMs;
  const times: number[] = [];
  const cpuTimes: number[] = [];
  let hits = 0;
  for (const query of queries) {
    let best = Number.POSITIVE_INFINITY;
    let bestCpu = Number.POSITIVE_INFINITY;
    let total = 0;
    for (let turn = 0; turn < 3; turn++) {
      const cpuBefore = cpuSeconds();
      const start = performance.now();
      total = await run(query);
      const elapsed = performance.now() - start;
      best = Math.min(best, elapsed);
      bestCpu = Math.min(bestCpu, (cpuSeconds() - cpuBefore) * 1000);
      if (elapsed > 400) break;
    }
    times.push(best);
    cpuTimes.push(bestCpu);
    hits += total;
    if (performance.now() > end) break;
  }
  return latencyOf(times, hits, cpuTimes);
}

/** CPU time of this process so far, summed over all threads. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
