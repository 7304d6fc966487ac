import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareBytes, diskPath, mayHaveLostBytes, pathBytes, pathText, displayPath } from './path-text.ts';

test('any bytes become text and come back unharmed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(pathBytes(pathText(bytes))).toEqual(Buffer.from(bytes));
    }),
    { numRuns: 3000 },
  );
});

test('no two names share a text', () => {
  const stray = Buffer.from([0xe9]);
  const lookalike = Buffer.from('\u{10fee9}');
  expect(pathText(stray)).toBe('\u{10fee9}');
  expect(pathText(lookalike)).not.toBe(pathText(stray));
  expect(pathBytes(pathText(lookalike))).toEqual(lookalike);
});

test('well-formed names, newlines and normal forms stay as they are', () => {
  for (const name of ['plain.txt', 'two\nlines', 'é', 'e\u0301', '日本語', '😀', '\u{10fe00}', '\ufeffbom']) {
    expect(pathText(Buffer.from(name))).toBe(name);
    expect(diskPath(name)).toBe(name);
  }
});

test('a stray byte is shown as the replacement character and reaches the disk as itself', () => {
  const text = pathText(Buffer.from('caf\xe9.txt', 'latin1'));
  expect(displayPath(text)).toBe('caf\uFFFD.txt');
  expect(diskPath(text)).toEqual(Buffer.from('caf\xe9.txt', 'latin1'));
  expect(mayHaveLostBytes('caf\uFFFD.txt')).toBe(true);
});

test('text is ordered as its bytes are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});
