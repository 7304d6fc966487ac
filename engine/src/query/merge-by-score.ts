import type { Answer, Hit } from '../types.ts';

/** One list from the answers of several indexes to the same question: by score, then by the order of the answers, then as they came. */
export function mergeByScore(
  answers: readonly Answer[],
  limit?: number,
): { hits: (Hit & { index: number })[]; total: number; degraded: boolean } {
  const hits = answers.flatMap((answer, index) => answer.hits.map((hit, place) => ({ hit, index, place })));
  hits.sort((a, b) => b.hit.score - a.hit.score || a.index - b.index || a.place - b.place);
  return {
    hits: hits.slice(0, limit).map(({ hit, index }) => ({ ...hit, index })),
    total: answers.reduce((sum, answer) => sum + answer.total, 0),
    degraded: answers.some((answer) => answer.degraded),
  };
}
