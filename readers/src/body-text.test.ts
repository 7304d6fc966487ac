import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collapseWhitespace, countWords } from './body-text.ts';

/** A simple reference implementation. */
function foldPlainly(text: string): string {
  const folded = text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[\t\v \u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n');
  const pages = folded.split('\f').map((page) => page.replace(/^[ \n]+|[ \n]+$/g, ''));
  return pages.join('\f').replace(/\f+$/, '');
}

const character = fc.constantFrom(..."ab1é\u0000\u001e -'’\t\v\u00a0\r\n\n\f\u2028\u2029", '𝒳', '😀', '\ud800', '中', '\r\n', '  ');
const texts = fc.array(character, { maxLength: 60 }).map((list) => list.join(''));

describe('whitespace of a document', () => {
  test('is collapsed as in the reference implementation, for any text', () => {
    fc.assert(
      fc.property(texts, (text) => collapseWhitespace(text) === foldPlainly(text)),
      { numRuns: 5000 },
    );
  });
  test('is kept within a line, between lines and between pages', () => {
    expect(collapseWhitespace(' one\t two \r\n\r\n\r\n three\f\f four \f')).toBe('one two\n\nthree\f\ffour');
  });
});

describe('words', () => {
  test('are counted as runs of letters and digits, for any text', () => {
    fc.assert(
      fc.property(texts, (text) => countWords(text) === [...text.matchAll(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)].length),
      { numRuns: 5000 },
    );
  });
  test('may contain a hyphen or an apostrophe', () => {
    expect(countWords("It's a well-known rule - no. 7, l’été")).toBe(7);
  });
});
