import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findTextMatches } from './use-text-matches.ts';

test('the context of a match is cut between words', () => {
  const body = 'The three cranes of the north harbour were measured in June, and the drum stayed within the limit of its maker as before.';
  const [match] = findTextMatches(body, ['harbour']);
  expect(match!.text).toBe('The three cranes of the north harbour were measured in June, and the drum stayed within the limit of');
  const later = findTextMatches(body, ['limit'])[0]!;
  expect(body).toContain(` ${later.text}`);
  expect(later.text.slice(...later.marks[0]!)).toBe('limit');
});

test('the marked range is the match, whatever surrounds it', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-y]{1,90}$/), { maxLength: 12 }), fc.nat({ max: 12 }), (words, at) => {
      const body = [...words.slice(0, at), 'zebra', ...words.slice(at)].join(' ');
      const [match] = findTextMatches(body, ['zebra']);
      expect(match!.text.slice(...match!.marks[0]!)).toBe('zebra');
      expect(body).toContain(match!.text);
    }),
  );
});

test('a match has its page number, and its context does not cross a page break', () => {
  const found = findTextMatches('first harbour\fsecond\fthird harbour', ['harbour']);
  expect(found.map(({ page, text }) => [page, text])).toEqual([
    [1, 'first harbour'],
    [3, 'third harbour'],
  ]);
});
