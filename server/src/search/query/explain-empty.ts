import type { Filter, Query } from '@catalog/engine';
import type { SearchReader } from '../engines/index.ts';
import type { ParsedQuery } from '../language/index.ts';
import type { NamedFilter } from './filters.ts';
import { countMatches, type Partition } from './partitions.ts';

/**
 * Suggests queries with similar words from the index; only those with visible hits, so that words of hidden files are not revealed. A suggestion
 * is the query as it was typed, with its filters, and one word replaced.
 */
export async function suggestQueries(
  reader: SearchReader,
  partitions: readonly Partition[],
  { text = '', filter }: Query,
  parsed: ParsedQuery,
): Promise<string[]> {
  const words = text
    .split(/\s+/)
    .filter((word) => /^[\p{L}\p{N}]{3,}$/u.test(word))
    .slice(-3);
  const near = await Promise.all(
    words.map(async (word) => (await similarWords(reader, word, 3)).map((each) => ({ line: withWord(parsed, word, each), word, each }))),
  );
  const lines = await Promise.all(
    near.flat().map(async ({ line, word, each }) => {
      // In quotes, because a visible file with a similar word would otherwise confirm a word that only hidden files have.
      const exact = `"${each}" ${text.replace(word, () => each).trim()}`;
      const found = line !== null && (await countMatches(reader, partitions, { text: exact, ...(filter ? { filter } : {}) })) > 0;
      return found ? [line] : [];
    }),
  );
  return [...new Set(lines.flat())].slice(0, 5);
}

/** The query as it was typed with another word; null if no search word of it has this one. */
function withWord({ text, words }: ParsedQuery, word: string, other: string): string | null {
  const place = words.find(({ start, end, negated }) => !negated && text.slice(start, end).includes(word));
  if (!place) return null;
  const { start, end } = place;
  return `${text.slice(0, start)}${text.slice(start, end).replace(word, () => other)}${text.slice(end)}`.trim();
}

/** For each filter, how many hits there would be without it. */
export async function countWithoutEachFilter(
  reader: SearchReader,
  partitions: readonly Partition[],
  { text = '' }: Query,
  named: readonly NamedFilter[],
  always: readonly Filter[],
) {
  const removable = named.filter(({ name }) => name !== 'include_sidecars').slice(0, 12);
  const rows = await Promise.all(
    removable.map(async (left) => {
      const rest: Filter = { and: [...named.filter((each) => each !== left).map(({ filter }) => filter), ...always] };
      return { filter: left.name, value: left.value, without: await countMatches(reader, partitions, { text, filter: rest }) };
    }),
  );
  return rows.filter(({ without }) => without > 0).sort((a, b) => b.without - a.without);
}

/** Words of the index within a small edit distance, nearest first. They must share its beginning, where typing errors are rare. */
async function similarWords(reader: SearchReader, word: string, most: number): Promise<string[]> {
  const lower = word.toLowerCase();
  const beginning = lower.slice(0, Math.max(2, Math.ceil(lower.length / 2)));
  const maxDistance = Math.max(1, Math.floor(lower.length / 3));
  // Suggestions are optional: without them the response is still complete.
  const known = await reader.suggest(beginning, 200).catch(() => []);
  return known
    .map((each) => ({ each, apart: distance(lower, each) }))
    .filter(({ apart }) => apart > 0 && apart <= maxDistance)
    .sort((a, b) => a.apart - b.apart)
    .slice(0, most)
    .map(({ each }) => each);
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...a].entries()) {
    const next = [at + 1];
    for (let n = 0; n < b.length; n += 1)
      next.push(Math.min((row[n + 1] ?? 0) + 1, (next[n] ?? 0) + 1, (row[n] ?? 0) + (b[n] === letter ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
