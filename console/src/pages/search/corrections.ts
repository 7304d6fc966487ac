import { plainWords, tokenizeQuery } from './query-text.ts';

/** A word of a query and the word of a file that was found for it. */
export interface Correction {
  typed: string;
  found: string;
}

/** Shorter words have no typo tolerance (engine/RULES.md, section 3). */
const MIN_LENGTH = 5;
const MAX_TYPOS = 2;

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();

/** The words that were not found as typed, although `marked`, the words marked in the best hit, has one that is spelled almost the same. */
export function correctedWords(q: string, marked: readonly string[]): Correction[] {
  const found = marked.map((text) => ({ text, folded: fold(text) }));
  const phrases = new Set(tokenizeQuery(q).flatMap(({ text }) => (text.startsWith('"') ? [text.replaceAll('"', '')] : [])));
  return plainWords(q).flatMap((typed) => {
    const word = fold(typed);
    if (word.length < MIN_LENGTH || /\d/.test(word) || phrases.has(typed)) return [];
    // A mark may be a part of a compound word, and an infix of a name counts as typed.
    if (found.some(({ folded }) => folded.includes(word) || word.includes(folded))) return [];
    const nearest = found
      .filter(({ folded }) => folded[0] === word[0])
      .map(({ text, folded }) => ({ text, typos: prefixDistance(word, folded) }))
      .sort((a, b) => a.typos - b.typos)[0];
    return nearest && nearest.typos <= MAX_TYPOS ? [{ typed, found: nearest.text.toLowerCase() }] : [];
  });
}

/** The smallest number of insertions, deletions, substitutions and swaps that make `word` a prefix of `text`. */
function prefixDistance(word: string, text: string): number {
  let before: number[] = [];
  let last = Array.from({ length: text.length + 1 }, (_, j) => j);
  for (let i = 1; i <= word.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= text.length; j += 1) {
      const same = word[i - 1] === text[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && word[i - 1] === text[j - 2] && word[i - 2] === text[j - 1]) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return Math.min(...last);
}
