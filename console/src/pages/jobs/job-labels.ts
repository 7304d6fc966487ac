import type { Job } from '../../api/types.ts';

/** Queues by the words people know. */
const QUEUES: Record<string, string> = {
  scan: 'Scan',
  hash: 'Hash',
  extract: 'Extract',
  thumbs: 'Thumbnails',
  index: 'Index',
  maintenance: 'Upkeep',
  alerts: 'Alerts',
  exports: 'Exports',
  embed: 'Meaning',
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
  [/password|encrypt/i, 'Unlock them at the source, then retry.'],
  [/timed? ?out|longer than|too long/i, 'Raise the limit for the library, or leave them without previews.'],
  [/corrupt|damaged|truncat|unexpected end/i, 'A copy elsewhere may be whole.'],
  [/ENOENT|no such file|not found/i, 'The file was moved or removed; the next scan settles it.'],
  [/EACCES|permission/i, 'Give the service the right to read it, then retry.'],
  [/ENOSPC|no space|disk full/i, 'Free some space on the server, then retry.'],
  [/heartbeat|reaper|stalled|lost worker/i, 'The worker gave no sign. A retry usually helps.'],
];

/** Failed jobs by their reason, numbers and names in it left aside. */
export function groupFailures(jobs: Job[]): FailureGroup[] {
  const groups = new Map<string, Job[]>();
  for (const job of jobs) {
    const first = (job.error ?? 'No reason given').split('\n')[0]!;
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
      advice: ADVICE.find(([pattern]) => pattern.test(reason))?.[1] ?? 'The log has the details.',
    }))
    .sort((a, b) => b.jobs.length - a.jobs.length);
}
