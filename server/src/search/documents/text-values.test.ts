import { expect, test } from 'vitest';
import { textValues } from './project.ts';

test('a long text becomes several values that end between words', () => {
  const text = 'lighthouse keeper '.repeat(10_000);
  const values = textValues(text) as string[];
  expect(values.join('')).toBe(text);
  expect(values.every((value) => value.length <= 60_000 && /\s$/.test(value))).toBe(true);
  expect(textValues('short')).toBe('short');
});
