import { expect, test } from 'vitest';
import { readParams, writeParams } from './report-params.ts';

test('a period includes its last day', () => {
  const search = 'since=2026-03-01&until=2026-03-10';
  expect(readParams(search)).toEqual({ since: '2026-03-01T00:00:00Z', until: '2026-03-10T23:59:59.999Z' });
  expect(writeParams(readParams(search))).toBe(search);
});
