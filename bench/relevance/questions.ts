// biome-ignore-all lint/style/noNonNullAssertion: every index is drawn below the length of its array
import { type Random, seeded } from '../search/random.ts';
import { type NamedFile, wordsOf } from './corpus.ts';

/** How a question is made from the name of the file it asks for. */
export const questionKinds = ['all words', 'last word cut', 'one typo', 'words shuffled', 'folder + two words'] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** Enough that the result hardly depends on which names are drawn. With 100, it varies by one percent. */
export const questionsPerKind = 300;

export interface Question {
  kind: QuestionKind;
  text: string;
  /** The id of the file that was meant. */
  wanted: number;
}

const seed = 0x7e1e5;
const maxWords = 10;

/**
 * Asks for files whose name has words that no other name has in any order, so that there is one right answer. Only the folder and two words
 * may describe several files; all systems share that limit.
 */
export function makeQuestions(files: readonly NamedFile[], perKind: number): Question[] {
  const random = seeded(seed);
  const keyOf = ({ words }: NamedFile) => words.toSorted().join(' ');
  const counts = new Map<string, number>();
  for (const file of files) counts.set(keyOf(file), (counts.get(keyOf(file)) ?? 0) + 1);
  const unique = files.filter((file) => file.words.length >= 2 && file.words.length <= maxWords && counts.get(keyOf(file)) === 1);
  if (unique.length === 0) return [];
  return questionKinds.flatMap((kind) => {
    const questions: Question[] = [];
    for (let tries = 0; questions.length < perKind && tries < perKind * 100; tries++) {
      const file = random.pick(unique);
      const text = ask[kind](random, file);
      if (text !== null) questions.push({ kind, text, wanted: file.id });
    }
    return questions;
  });
}

/** Null when the file has no such question. */
const ask: Record<QuestionKind, (random: Random, file: NamedFile) => string | null> = {
  'all words': (_, { words }) => words.join(' '),
  'last word cut': (random, { words }) => {
    const last = words.at(-1)!;
    return last.length < 3 ? null : [...words.slice(0, -1), last.slice(0, 2 + random.below(last.length - 2))].join(' ');
  },
  'one typo': (random, { words }) => {
    const long = words.flatMap((word, index) => (/^[a-z]{5,}$/.test(word) ? [index] : []));
    if (long.length === 0) return null;
    const at = random.pick(long);
    return words.with(at, misspell(random, words[at]!)).join(' ');
  },
  'words shuffled': (random, { words }) => {
    const mixed = shuffled(random, words);
    return mixed.join(' ') === words.join(' ') ? null : mixed.join(' ');
  },
  'folder + two words': (random, { words, folder }) => {
    const parent = wordsOf(folder.slice(folder.lastIndexOf('/') + 1));
    if (parent.length === 0) return null;
    const first = random.below(words.length - 1);
    const second = first + 1 + random.below(words.length - first - 1);
    return [...parent, words[first]!, words[second]!].join(' ');
  },
};

/** One letter deleted, inserted, replaced or swapped with its neighbour, never the first. */
function misspell(random: Random, word: string): string {
  for (;;) {
    const at = 1 + random.below(word.length - 1);
    const letter = String.fromCharCode(97 + random.below(26));
    const kind = random.below(4);
    const [start, end] = [word.slice(0, at), word.slice(at + 1)];
    const changed =
      kind === 0 ? start + end : kind === 1 ? start + letter + word[at] + end : kind === 2 ? start + letter + end : swapped(word, at);
    if (changed !== word) return changed;
  }
}

function swapped(word: string, at: number): string {
  return at + 1 < word.length ? word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2) : word;
}

function shuffled(random: Random, words: readonly string[]): string[] {
  const list = [...words];
  for (let at = list.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [list[at], list[other]] = [list[other]!, list[at]!];
  }
  return list;
}
