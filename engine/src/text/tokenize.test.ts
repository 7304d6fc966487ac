import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokenize, tokenizeInto } from './tokenize.ts';

/** Terms by position; extra tokens in brackets. */
const seen = (text: string) => tokenize(text).map(({ term, position, extra }) => (extra ? `[${position} ${term}]` : `${position} ${term}`));

test('separators, camel case and digits split a chunk; its case-folded whole has the position of the first part', () => {
  expect(seen('quarterlyReport_2024-final.xlsx')).toEqual([
    '0 quarterly',
    '1 report',
    '[0 quarterlyreport]',
    '2 2024',
    '3 final',
    '4 xlsx',
  ]);
  expect(seen('XMLFile')).toEqual(['0 xml', '1 file', '[0 xmlfile]']);
  expect(seen('report2024')).toEqual(['0 report', '1 2024', '[0 report2024]']);
  expect(seen('a/b/IMG0001.JPG')).toEqual(['0 a', '1 b', '2 img', '3 0001', '[2 img0001]', '4 jpg']);
});

test('letters keep a suffix of ++ or #, and are also found without it', () => {
  expect(seen('C++ c# MyF#')).toEqual(['0 c++', '[0 c]', '1 c#', '[1 c]', '2 my', '3 f#', '[3 f]', '[2 myf#]', '[2 myf]']);
  expect(seen('report#2.pdf')).toEqual(['0 report#', '[0 report]', '1 2', '2 pdf']);
  expect(seen('a+b 1++ #')).toEqual(['0 a', '1 b', '2 1']);
  expect(seen('É++')).toEqual(['0 e++', '[0 e]']);
  expect(seen(`${'x'.repeat(64)}#`)).toEqual([`0 ${'x'.repeat(64)}`]);
});

test('case, diacritics and special letters are folded', () => {
  expect(seen('Crème BRÛLÉE straße Æther Łódź ﬁle')).toEqual(['0 creme', '1 brulee', '2 strasse', '3 aether', '4 lodz', '5 file']);
  expect(seen('éCole')).toEqual(['0 e', '1 cole', '[0 ecole]']);
  expect(seen('ΟΔΟΣ')[0]).toBe(seen('οδος')[0]);
});

test('scripts without spaces are segmented into words and yield no whole chunk', () => {
  expect(tokenize('東京都の天気2024').some((token) => token.extra)).toBe(false);
  expect(
    tokenize('東京タワー')
      .map((token) => token.term)
      .join(''),
  ).toBe('東京タワー');
  expect(tokenize('สวัสดีชาวโลก').length).toBeGreaterThan(1);
  expect(seen('iPhone東京')).toEqual(['0 i', '1 phone', '2 東京']);
});

test('lone surrogates and NUL separate', () => {
  expect(seen('a\ud800b\0c\udc00')).toEqual(['0 a', '1 b', '2 c']);
});

test('a term is cut to 64 code units, never inside a surrogate pair', () => {
  expect(tokenize('x'.repeat(100))[0]?.term).toBe('x'.repeat(64));
  expect(tokenize(`x${'𐐨'.repeat(60)}`)[0]?.term).toBe(`x${'𐐨'.repeat(31)}`);
});

test('a chunk of more than 40 characters yields no whole-chunk token', () => {
  expect(tokenize(`${'a'.repeat(39)}B`).filter((token) => token.extra)).toHaveLength(1);
  expect(tokenize(`${'a'.repeat(40)}B`).filter((token) => token.extra)).toHaveLength(0);
});

test('a value holds at most 65,535 tokens', () => {
  expect(tokenizeInto('a '.repeat(70_000), () => {})).toBe(65_535);
  expect(tokenizeInto('é '.repeat(70_000), () => {}, 10)).toBe(65_545);
});

test('terms are lower case without combining marks, at consecutive positions', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      const tokens = tokenize(text);
      for (const { term } of tokens)
        expect(/[\p{Lu}\p{Mn}\s]/u.test(term.replace(/[^\p{Changes_When_Lowercased}\p{Mn}\s]/gu, ''))).toBe(false);
      const places = tokens.filter((token) => !token.extra).map((token) => token.position);
      expect(places).toEqual(places.map((_, index) => index));
    }),
    { numRuns: 500 },
  );
});

// The dictionary of a script is loaded on first use, so each case needs its own process.
test.each(['ーが', '東京都', 'สวัสดีครับ'])('the first text of a process is segmented like every later one: %s', (text) => {
  const script = `import { tokenize } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
    const cut = () => JSON.stringify(tokenize(${JSON.stringify(text)}));
    const first = cut(); tokenize('タワーが 東京 ไทย'); process.stdout.write(first === cut() ? 'same' : first + ' then ' + cut());`;
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })).toBe('same');
});
