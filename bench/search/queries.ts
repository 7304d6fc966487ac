import { categories, drawLibrary, recordAt } from './corpus.ts';
import { type Random, seeded } from './random.ts';

/** The kinds of queries that are measured, one row of the table each. */
export const queryClasses = [
  'one word',
  'two words',
  'prefix',
  'one typo',
  'all fields',
  'filter + 4 facets',
  'browse + 60 values',
  'browse + 300 tags',
  'sort + filter',
  'infix',
] as const;
export type QueryClass = (typeof queryClasses)[number];

export interface BenchQuery {
  text: string;
  library: string;
  category: string;
}

const commonExtensions = new Set(['jpeg', 'docx', 'xlsx', 'json', 'html', 'webp', 'heic', 'flac']);

/** Words of a random file name, without digits, short words and extensions. */
function nameWords(random: Random, size: number): string[] {
  for (;;) {
    const { name } = recordAt(random.below(size));
    const split = name
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z0-9]+/);
    const searchable = split.filter((word) => /^[a-z]{4,}$/.test(word) && !commonExtensions.has(word));
    if (searchable.length > 0) return searchable;
  }
}

/** The word with one letter deleted, inserted, replaced or swapped. */
function addTypo(random: Random, word: string): string {
  const at = 1 + random.below(word.length - 1);
  const letter = String.fromCharCode(97 + random.below(26));
  const kind = random.below(4);
  if (kind === 0) return word.slice(0, at) + word.slice(at + 1);
  if (kind === 1) return word.slice(0, at) + letter + word.slice(at);
  if (kind === 2 || at === word.length - 1) return word.slice(0, at) + letter + word.slice(at + 1);
  return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
}

/** 200 queries per class made from words of the corpus; 100 for the classes that are slow or have no words. */
export function makeQueries(size: number): Record<QueryClass, BenchQuery[]> {
  const random = seeded(0x9e57);
  const words = () => nameWords(random, size);
  const list = (count: number, text: () => string): BenchQuery[] =>
    Array.from({ length: count }, () => ({ text: text(), library: drawLibrary(random), category: random.pick(categories) }));
  const longWord = (minLength: number) => {
    for (;;) {
      const word = random.pick(words());
      if (word.length >= minLength) return word;
    }
  };
  const twoWords = () => {
    for (;;) {
      const found = words();
      if (found.length > 1) return `${found[0]} ${found[1]}`;
    }
  };
  const prefix = () => {
    const found = words();
    const last = found.at(-1) ?? '';
    const start = last.slice(0, 2 + random.below(Math.max(1, last.length - 2)));
    return found.length > 1 && random.next() < 0.5 ? `${found[0]} ${start}` : start;
  };
  return {
    'one word': list(200, () => random.pick(words())),
    'two words': list(200, twoWords),
    prefix: list(200, prefix),
    'one typo': list(200, () => addTypo(random, longWord(5))),
    'all fields': list(200, () => (random.next() < 0.5 ? prefix() : addTypo(random, longWord(5)))),
    'filter + 4 facets': list(100, () => random.pick(words()).slice(0, 4)),
    'browse + 60 values': list(100, () => ''),
    'browse + 300 tags': list(100, () => ''),
    'sort + filter': list(100, () => ''),
    infix: list(100, () => longWord(6).slice(1, 5)),
  };
}

/** Distinct prefixes of words in file names that are not in `exclude`, so that no response can come from a cache. */
export function makeUniquePrefixes(size: number, count: number, exclude: ReadonlySet<string>): string[] {
  const random = seeded(0xf2e5);
  const prefixes = new Set<string>();
  for (let tries = 0; prefixes.size < count; tries += 1) {
    const words = recordAt(random.below(size))
      .name.toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => word.length >= 4);
    // Longer prefixes after many tries, because a small corpus has too few short ones.
    const word = words.length > 0 ? random.pick(words).slice(0, 4 + Math.floor(tries / (count * 20))) : '';
    if (word !== '' && !exclude.has(word)) prefixes.add(word);
  }
  return [...prefixes];
}
