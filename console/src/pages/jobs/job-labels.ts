import type { Job } from '../../api/types.ts';

const QUEUES: Record<string, string> = {
  scan: 'Scan',
  hash: 'Hashing',
  extract: 'Reading contents',
  thumbs: 'Thumbnails',
  index: 'Search index',
  maintenance: 'Maintenance',
  alerts: 'Alerts',
  exports: 'Exports',
  embed: 'Semantic search',
  default: 'Other',
};

export const queueLabel = (queue: string): string => QUEUES[queue] ?? queue.charAt(0).toUpperCase() + queue.slice(1).replaceAll('_', ' ');
export const taskLabel = (task: string): string => (task.split(/[.:]/).at(-1) ?? task).replaceAll('_', ' ');

export interface FailureGroup {
  reason: string;
  advice: string;
  jobs: Job[];
}

const ADVICE: [RegExp, string][] = [
  [/password|encrypt/i, 'Remove the password protection, then retry.'],
  [/timed? ?out|longer than|too long/i, 'Raise the limit in the library settings, then retry.'],
  [/corrupt|damaged|truncat|unexpected end/i, 'The file is damaged. Restore it from a backup, then retry.'],
  [/ENOENT|no such file|not found/i, 'The file was moved or removed. The next scan updates it.'],
  [/EACCES|permission/i, 'Give the server read permission, then retry.'],
  [/ENOSPC|no space|disk full/i, 'Free some space on the server, then retry.'],
  [/heartbeat|reaper|stalled|lost worker/i, 'The worker stopped responding. Retry the job.'],
];

/** Groups failed jobs by error message, ignoring IDs and paths in it. */
export function groupFailures(jobs: Job[]): FailureGroup[] {
  const groups = new Map<string, Job[]>();
  for (const job of jobs) {
    const first = (job.error ?? 'Unknown error').split('\n')[0] ?? '';
    const key = first
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, '…')
      .replace(/\/\S+/g, '…')
      .slice(0, 140);
    groups.set(key, [...(groups.get(key) ?? []), job]);
  }
  return [...groups]
    .map(([reason, list]) => ({
      reason,
      jobs: list,
      advice: ADVICE.find(([pattern]) => pattern.test(reason))?.[1] ?? 'See the log for details.',
    }))
    .sort((a, b) => b.jobs.length - a.jobs.length);
}
