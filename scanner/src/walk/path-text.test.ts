import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareBytes, diskPath, mayHaveLostBytes, pathBytes, pathText } from './path-text.ts';

test('any bytes survive the round trip through text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(pathBytes(pathText(bytes))).toEqual(Buffer.from(bytes));
    }),
    { numRuns: 3000 },
  );
});

test('different names never map to the same text', () => {
  const stray = Buffer.from([0xe9]);
  const lookalike = Buffer.from('\u{10fee9}');
  expect(pathText(stray)).toBe('\u{10fee9}');
  expect(pathText(lookalike)).not.toBe(pathText(stray));
  expect(pathBytes(pathText(lookalike))).toEqual(lookalike);
});

test('names in valid UTF-8 are unchanged, including newlines and any normal form', () => {
  for (const name of ['plain.txt', 'two\nlines', 'é', 'e\u0301', '日本語', '😀', '\u{10fe00}', '\ufeffbom']) {
    expect(pathText(Buffer.from(name))).toBe(name);
    expect(diskPath(name)).toBe(name);
  }
});

test('a name that is not UTF-8 reaches the disk with its original bytes', () => {
  const text = pathText(Buffer.from('caf\xe9.txt', 'latin1'));
  expect(diskPath(text)).toEqual(Buffer.from('caf\xe9.txt', 'latin1'));
  expect(mayHaveLostBytes('caf\uFFFD.txt')).toBe(true);
});

test('text is ordered by its UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});
