/** p50, p95 and the largest of a list of milliseconds. */
export interface Spread {
  p50: number;
  p95: number;
  max: number;
  count: number;
  /** Mean of what the questions answered with: how many documents matched. */
  hits: number;
}

export function spread(times: number[], hits = 0): Spread {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), max: sorted.at(-1) ?? Number.NaN, count: sorted.length, hits: hits / Math.max(1, sorted.length) };
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
  let hits = 0;
  for (const question of questions) {
    let best = Number.POSITIVE_INFINITY;
    let answer = 0;
    for (let turn = 0; turn < 3; turn++) {
      const start = performance.now();
      answer = await ask(question);
      const taken = performance.now() - start;
      best = Math.min(best, taken);
      if (taken > 400) break;
    }
    times.push(best);
    hits += answer;
    if (performance.now() > end) break;
  }
  return spread(times, hits);
}

/** What making the records costs, so that it can be taken off a build. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
