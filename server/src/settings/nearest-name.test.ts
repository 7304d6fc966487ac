import { expect, test } from 'vitest';
import { editDistance, nearestName } from './load.ts';

test('the distance counts inserted, deleted, replaced and swapped letters', () => {
  expect([editDistance('PORT', 'PORT'), editDistance('PRT', 'PORT'), editDistance('PORTS', 'PORT')]).toEqual([0, 1, 1]);
  expect([editDistance('PART', 'PORT'), editDistance('PROT', 'PORT'), editDistance('', 'PORT')]).toEqual([1, 1, 4]);
});

test('the nearest name is the one with the fewest changes', () => {
  expect(nearestName('SVC_SCAN_BACTH_SIZE', ['SVC_PORT', 'SVC_SCAN_BATCH_SIZE', 'SVC_SCAN_EMPTY_GUARD'])).toBe('SVC_SCAN_BATCH_SIZE');
});

test('a name unlike any setting gets no suggestion', () => {
  expect(nearestName('SVC_ZZZZZZZZZZ', ['SVC_PORT', 'SVC_HOST'])).toBeUndefined();
});
