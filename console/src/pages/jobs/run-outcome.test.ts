import { expect, test } from 'vitest';
import { outcomeText } from './run-outcome.ts';

test('what a run counted is told in words with numbers of the language', () => {
  expect(outcomeText({ outcome: 'Removed files 1, removed bytes 5 MB.', counts: { removed_files: 1, removed_bytes: 5_000_000 } })).toBe(
    '1 file removed, 5 MB freed',
  );
  expect(outcomeText({ outcome: 'Changed 1,200.', counts: { changed: 1200 } })).toBe('1,200 changed');
});

test('sentences, and counts that have no name here, stay in the words of the server', () => {
  expect(outcomeText({ outcome: 'Nothing to do.', counts: {} })).toBe('Nothing to do.');
  expect(outcomeText({ outcome: 'Counted 3 of a new kind.', counts: { new_kind: 3 } })).toBe('Counted 3 of a new kind.');
  expect(outcomeText({ outcome: null, counts: {} })).toBe('');
});
