/** Members of progress that describe the state of things or how far a run came, not what it did. */
const notCounts = /^(stage|total|of|table|tables|tables_done|ratio|store_bytes|used_bytes|files|bytes|waiting)$/;

/**
 * What a finished run did, in words: its error, the sentence that it reported, or its counts. "Nothing to do." means that every count is zero,
 * so that people can tell a task without work from one that did not run. Null while the run has not finished.
 */
export function describeOutcome(run: { status: string; error: string | null; progress: Record<string, unknown> | null }): string | null {
  if (run.status === 'failed') return run.error ?? 'The run failed without a reason.';
  if (run.status !== 'succeeded') return null;
  const { outcome, ...rest } = run.progress ?? {};
  if (typeof outcome === 'string') return outcome;
  const counts = countsOf(rest);
  if (counts.length === 0) return 'Nothing to do.';
  const text = counts.map(([key, value]) => words(key, value)).join(', ');
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}

/** What a finished run counted, for programs and for languages other than English. */
export function outcomeCounts(run: { status: string; progress: Record<string, unknown> | null }): Record<string, number> {
  const { outcome, ...rest } = run.progress ?? {};
  return run.status === 'succeeded' && typeof outcome !== 'string' ? Object.fromEntries(countsOf(rest)) : {};
}

function countsOf(progress: Record<string, unknown>): [key: string, value: number][] {
  return Object.entries(progress).flatMap(([key, value]) =>
    typeof value === 'number' && value !== 0 && !notCounts.test(key) ? [[key, value]] : [],
  );
}

function words(key: string, value: number): string {
  if (key.endsWith('_bytes'))
    return `${key.slice(0, -6).replaceAll('_', ' ')} ${(value / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
  return `${key.replaceAll('_', ' ')} ${value.toLocaleString('en')}`;
}
