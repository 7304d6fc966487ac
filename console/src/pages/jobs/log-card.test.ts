import { expect, test } from 'vitest';
import { logText } from './log-card.tsx';

test('the details of a log line stay as they are', () => {
  expect(logText('Compared photos. (library_id=4f, groups=3)')).toBe('Compared photos. (library_id=4f, groups=3)');
  expect(logText('Listening on 127.0.0.1:8484.')).toBe('Listening on 127.0.0.1:8484.');
  expect(logText('The port (80) is taken.')).toBe('The port (80) is taken.');
});
