import type { Filter, Query } from '@catalog/engine';
import type { SearchReader } from '../engines/index.ts';
import type { NamedFilter } from './filters.ts';
import { similarWords } from './near-words.ts';
import { countMatches, type Partition } from './shares.ts';

/** Near words of the index, as whole lines; only those that find something the caller may see: the words of hidden files stay hidden. */
export async function suggestQueries(reader: SearchReader, shares: readonly Partition[], { text = '', filter }: Query): Promise<string[]> {
  const words = text
    .split(/\s+/)
    .filter((word) => /^[\p{L}\p{N}]{3,}$/u.test(word))
    .slice(-3);
  const near = await Promise.all(
    words.map(async (word) => (await similarWords(reader, word, 3)).map((each) => text.replace(word, each).trim())),
  );
  const lines = await Promise.all(
    [...new Set(near.flat())].map(async (line) =>
      (await countMatches(reader, shares, { text: line, ...(filter ? { filter } : {}) })) > 0 ? [line] : [],
    ),
  );
  return lines.flat().slice(0, 5);
}

/** For each filter: how many would be there without it. */
export async function countWithoutEachFilter(
  reader: SearchReader,
  shares: readonly Partition[],
  { text = '' }: Query,
  named: readonly NamedFilter[],
  always: readonly Filter[],
) {
  const removable = named.filter(({ name }) => !['include_sidecars'].includes(name)).slice(0, 12);
  const rows = await Promise.all(
    removable.map(async (left) => {
      const rest: Filter = { and: [...named.filter((each) => each !== left).map(({ filter }) => filter), ...always] };
      return { filter: left.name, value: left.value, without: await countMatches(reader, shares, { text, filter: rest }) };
    }),
  );
  return rows.filter(({ without }) => without > 0).sort((a, b) => b.without - a.without);
}
