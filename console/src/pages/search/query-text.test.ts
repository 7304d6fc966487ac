import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainWords, tokenizeQuery, withoutSpans } from './query-text.ts';

test('filter keys are distinguished from words', () => {
  const tokens = tokenizeQuery('harbour modified:2022..2024 -tag:"old town" size:>1g');
  expect(tokens.map((t) => [t.key, t.value, t.negated])).toEqual([
    [undefined, undefined, false],
    ['modified', '2022..2024', false],
    ['tag', 'old town', true],
    ['size', '>1g', false],
  ]);
});

test('before < and > the colon may be left out where the filter is a range', () => {
  expect(tokenizeQuery('-size>1g tag<a').map((t) => [t.key, t.value, t.negated])).toEqual([
    ['size', '>1g', true],
    [undefined, undefined, false],
  ]);
});

test('an unknown key is a word', () => {
  expect(tokenizeQuery('https://example.org')[0]!.key).toBeUndefined();
  expect(plainWords('note:this')).toEqual(['note:this']);
});

test('only words that must occur are highlighted', () => {
  expect(plainWords('harbour -storm kind:image AND (crane OR "north pier")')).toEqual(['harbour', 'crane', 'north pier']);
});

test('tokens never overlap, and their positions match their text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (q) => {
      let from = 0;
      for (const token of tokenizeQuery(q)) {
        expect(token.start).toBeGreaterThanOrEqual(from);
        expect(q.slice(token.start, token.end)).toBe(token.text);
        from = token.end;
      }
    }),
  );
});

test('removing a range leaves no double blank', () => {
  const q = 'harbour kind:image  pier';
  expect(withoutSpans(q, [tokenizeQuery(q)[1]!])).toBe('harbour pier');
});

test('removing a filter leaves names with parentheses and values with quotes as they are', () => {
  for (const rest of ['path:Photos(2020)', 'copy(2).jpg', 'tag:"12\\" vinyl"', '(tag:a OR tag:b)']) {
    const q = `kind:image ${rest}`;
    expect(withoutSpans(q, [tokenizeQuery(q)[0]!])).toBe(rest);
  }
});
