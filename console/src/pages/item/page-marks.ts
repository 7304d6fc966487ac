import { findMarks } from '../../parts/marked.tsx';

/** A word of a page and where it stands: fractions of the page as drawn. */
export interface PageWord {
  text: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

const BETWEEN = /[^\p{L}\p{N}\p{M}]+/u;

/** The stretches of a page's words that were searched for, in reading order. A part of a word takes its share of the word's box. */
export function pageMarks(words: readonly PageWord[], searched: string[]): Omit<PageWord, 'text'>[] {
  const wanted = searched.flatMap((word) => word.split(BETWEEN)).filter(Boolean);
  return words.flatMap((word) =>
    findMarks(word.text, wanted).map(([from, to]) => {
      const { length } = word.text;
      // Words that stand on end run down the page.
      return word.h > word.w * 1.5 && length > 2
        ? { x: word.x, w: word.w, y: word.y + (word.h * from) / length, h: (word.h * (to - from)) / length }
        : { y: word.y, h: word.h, x: word.x + (word.w * from) / length, w: (word.w * (to - from)) / length };
    }),
  );
}
