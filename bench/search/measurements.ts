/** p50, p95 and the largest of a list of milliseconds. */
export interface Spread {
  p50: number;
  p95: number;
  max: number;
  count: number;
  /** Mean of what the questions answered with: how many documents matched. */
  hits: number;
  /** p95 of the processor time of this process, which a busy machine does not stretch. A server of its own is not in it. */
  cpuP95: number;
}

const atShare = (sorted: number[], share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

export function spread(times: number[], hits = 0, cpuTimes: number[] = []): Spread {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => atShare(sorted, share);
  const cpuP95 = atShare(
    [...cpuTimes].sort((a, b) => a - b),
    0.95,
  );
  return {
    p50: at(0.5),
    p95: at(0.95),
    max: sorted.at(-1) ?? Number.NaN,
    count: sorted.length,
    hits: hits / Math.max(1, sorted.length),
    cpuP95,
  };
}

/** Each question three times, the best counts; a slow contender is cut off after `budgetMs`. */
export async function timeEach<T>(
  questions: readonly T[],
  ask: (question: T) => Promise<number> | number,
  budgetMs = 25_000,
): Promise<Spread> {
  for (const question of questions.slice(0, 5)) await ask(question);
  const end = performance.now() + budgetMs;
  const times: number[] = [];
  const cpuTimes: number[] = [];
  let hits = 0;
  for (const question of questions) {
    let best = Number.POSITIVE_INFINITY;
    let bestCpu = Number.POSITIVE_INFINITY;
    let answer = 0;
    for (let turn = 0; turn < 3; turn++) {
      const cpuBefore = cpuSeconds();
      const start = performance.now();
      answer = await ask(question);
      const taken = performance.now() - start;
      best = Math.min(best, taken);
      bestCpu = Math.min(bestCpu, (cpuSeconds() - cpuBefore) * 1000);
      if (taken > 400) break;
    }
    times.push(best);
    cpuTimes.push(bestCpu);
    hits += answer;
    if (performance.now() > end) break;
  }
  return spread(times, hits, cpuTimes);
}

/** Processor time of this process so far, all threads together. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
