import { categories, drawLibrary, libraries, recordAt } from './corpus.ts';
import { type Random, seeded } from './random.ts';

/** The classes of the table. */
export const classes = [
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
export type ClassName = (typeof classes)[number];

export interface Question {
  text: string;
  library: string;
  category: string;
}

const common = new Set(['jpeg', 'docx', 'xlsx', 'json', 'html', 'webp', 'heic', 'flac']);

function nameWords(random: Random, size: number): string[] {
  for (;;) {
    const { name } = recordAt(random.below(size));
    const split = name
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z0-9]+/);
    const telling = split.filter((word) => /^[a-z]{4,}$/.test(word) && !common.has(word));
    if (telling.length > 0) return telling;
  }
}

function slip(random: Random, word: string): string {
  const at = 1 + random.below(word.length - 1);
  const letter = String.fromCharCode(97 + random.below(26));
  const kind = random.below(4);
  if (kind === 0) return word.slice(0, at) + word.slice(at + 1);
  if (kind === 1) return word.slice(0, at) + letter + word.slice(at);
  if (kind === 2 || at === word.length - 1) return word.slice(0, at) + letter + word.slice(at + 1);
  return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
}

/** 200 questions a class (100 where the answer does not hang on the words), made from words of the corpus. */
export function makeQuestions(size: number): Record<ClassName, Question[]> {
  const random = seeded(0x9e57);
  const words = () => nameWords(random, size);
  const list = (count: number, text: () => string): Question[] =>
    Array.from({ length: count }, () => ({ text: text(), library: libraries[drawLibrary(random)]!, category: random.pick(categories) }));
  const long = (least: number) => {
    for (;;) {
      const word = random.pick(words());
      if (word.length >= least) return word;
    }
  };
  const two = () => {
    for (;;) {
      const found = words();
      if (found.length > 1) return `${found[0]} ${found[1]}`;
    }
  };
  const begun = () => {
    const found = words();
    const last = found.at(-1)!;
    const start = last.slice(0, 2 + random.below(Math.max(1, last.length - 2)));
    return found.length > 1 && random.next() < 0.5 ? `${found[0]} ${start}` : start;
  };
  return {
    'one word': list(200, () => random.pick(words())),
    'two words': list(200, two),
    prefix: list(200, begun),
    'one typo': list(200, () => slip(random, long(5))),
    'all fields': list(200, () => (random.next() < 0.5 ? begun() : slip(random, long(5)))),
    'filter + 4 facets': list(100, () => random.pick(words()).slice(0, 4)),
    'browse + 60 values': list(100, () => ''),
    'browse + 300 tags': list(100, () => ''),
    'sort + filter': list(100, () => ''),
    infix: list(100, () => long(6).slice(1, 5)),
  };
}
