import type { SearchReader } from '../engines/index.ts';

/** Words of the index that differ from a word in few letters, nearest first. They share its beginning, where people seldom slip. */
export async function similarWords(reader: SearchReader, word: string, most: number): Promise<string[]> {
  const lower = word.toLowerCase();
  const beginning = lower.slice(0, Math.max(2, Math.ceil(lower.length / 2)));
  const slips = Math.max(1, Math.floor(lower.length / 3));
  const known = await reader.suggest(beginning, 200).catch(() => []);
  return known
    .map((each) => ({ each, apart: distance(lower, each) }))
    .filter(({ apart }) => apart > 0 && apart <= slips)
    .sort((a, b) => a.apart - b.apart)
    .slice(0, most)
    .map(({ each }) => each);
}

/** Letters to insert, remove or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...a].entries()) {
    const next = [at + 1];
    for (let n = 0; n < b.length; n += 1) next.push(Math.min(row[n + 1]! + 1, next[n]! + 1, row[n]! + (b[n] === letter ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}
