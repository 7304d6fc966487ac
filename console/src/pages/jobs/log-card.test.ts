import { expect, test } from 'vitest';
import { sentenceOf } from './log-card.tsx';

test('the details of a log line are no part of its sentence', () => {
  expect(sentenceOf('Compared photos. (library_id=4f, groups=3)')).toBe('Compared photos.');
  expect(sentenceOf('Listening on 127.0.0.1:8484.')).toBe('Listening on 127.0.0.1:8484.');
  expect(sentenceOf('The port (80) is taken.')).toBe('The port (80) is taken.');
});
