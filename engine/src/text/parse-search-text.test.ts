import { expect, test } from 'vitest';
import { parseSearchText, typoBudget } from './parse-search-text.ts';

/** Formats as word, word* (prefix) and "phrase", with exclusions after a bar. */
function read(text: string, prefix?: boolean): string {
  const { parts, exclusions } = parseSearchText(text, { prefix });
  const shown = parts.map((part) => (part.kind === 'phrase' ? `"${part.terms.join(' ')}"` : part.term + (part.prefix ? '*' : '')));
  return [...shown, ...(exclusions.length > 0 ? ['|', ...exclusions.map((terms) => terms.join('+'))] : [])].join(' ');
}

test('the last word is a prefix unless white space follows, it is quoted, or prefixes are off', () => {
  expect(read('annual rep')).toBe('annual rep*');
  expect(read('annual rep ')).toBe('annual rep');
  expect(read('annual "rep"')).toBe('annual "rep"');
  expect(read('annual rep', false)).toBe('annual rep');
  expect(read('rep -draft')).toBe('rep | draft');
});

test('only the last token of a word is the prefix', () => {
  expect(read('quarterlyReport_20')).toBe('quarterly report 20*');
});

test('a word without tokens is dropped', () => {
  expect(read('foo !!!')).toBe('foo*');
  expect(read('"" - foo')).toBe('foo*');
  expect(read(' \t')).toBe('');
});

test('a minus excludes only at the start of a word', () => {
  expect(read('a-b -c -"d e" -f_g')).toBe('a b | c d+e f+g');
  expect(read('"x"-y')).toBe('"x" y*');
});

test('an unclosed quote extends to the end', () => {
  expect(read('one "two three')).toBe('one "two three"');
  expect(read('one"two" three')).toBe('one "two" three*');
});

test('at most ten words and phrases are considered', () => {
  expect(read('a b c d e f g h i j k -z')).toBe('a b c d e f g h i j | z');
  expect(read('a b c d e f g h i jK')).toBe('a b c d e f g h i j');
  expect(parseSearchText('word '.repeat(10_000)).parts).toHaveLength(10);
});

test('the typo budget depends on the length in code points', () => {
  expect(['abcd', 'abcde', 'abcdefgh', 'abcdefghi', '𐐨𐐨𐐨𐐨', 'abc1efghi'].map(typoBudget)).toEqual([0, 1, 1, 2, 0, 0]);
});
