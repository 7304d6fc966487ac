import { expect, test } from 'vitest';
import type { Job } from '../../api/types.ts';
import { groupFailures, usedQueues } from './job-labels.ts';

test('failed jobs are grouped by their error, ignoring the file name in it', () => {
  const job = (error: string) => ({ error, queue: 'extract' }) as Job;
  const groups = groupFailures([job('Timed out reading /a/b.pdf'), job('Timed out reading /c.pdf'), job('The file needs a password.')]);
  expect(groups.map((g) => g.jobs.length)).toEqual([2, 1]);
  expect(groups[1]!.advice).toBe('Remove the password protection, then retry.');
});

test('queues of parts that are switched off are shown only while they have jobs', () => {
  const queues = { scan: {}, thumbs: { todo: 0, succeeded: 3 }, embed: { failed: 0 } };
  expect(Object.keys(usedQueues(queues, false))).toEqual(['scan']);
  expect(Object.keys(usedQueues(queues, true))).toEqual(['scan', 'embed']);
  expect(Object.keys(usedQueues({ ...queues, embed: { failed: 1 } }, false))).toEqual(['scan', 'embed']);
});
