import { expect, test } from 'vitest';
import { permissionChangeText, verbsText } from './permissions.ts';

test('verbs of permissions are words', () => {
  expect(verbsText(['read', 'delete_child'])).toBe('read, delete files in it');
  expect(verbsText([])).toBe('do nothing');
});

test('the message of a changed permission is told in words', () => {
  expect(permissionChangeText('plans: a/b.txt: owner ada -> bo; +allow CORP\\vera: read, write; -deny everyone: full')).toBe(
    'plans: a/b.txt: owner ada → bo; CORP\\vera can read, write; everyone was not allowed to do everything',
  );
  expect(permissionChangeText('The folder of the library: ~allow bo: read -> nothing; ... +3 more')).toBe(
    'The folder of the library: bo: read → do nothing; 3 more changes',
  );
});

test('another message stays as it is', () => {
  expect(permissionChangeText('The disk is full: 3 GB are free.')).toBe('The disk is full: 3 GB are free.');
});
