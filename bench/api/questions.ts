import { recordAt } from '../search/corpus.ts';
import { seeded } from '../search/random.ts';

/** Beginnings of words in file names, no two alike and none that is known: questions nobody has asked before. */
export function freshWords(size: number, count: number, known: ReadonlySet<string>): string[] {
  const random = seeded(0xf2e5);
  const fresh = new Set<string>();
  // A corpus has only so many words; more letters make more of them.
  for (let tries = 0; fresh.size < count; tries += 1) {
    const words = recordAt(random.below(size))
      .name.toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => word.length >= 4);
    const word = words.length > 0 ? random.pick(words).slice(0, 4 + Math.floor(tries / (count * 20))) : '';
    if (word !== '' && !known.has(word)) fresh.add(word);
  }
  return [...fresh];
}
