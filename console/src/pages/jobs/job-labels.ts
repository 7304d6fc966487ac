import type { Job } from '../../api/types.ts';
import { t } from '../../language/text.ts';

const QUEUES: Record<string, string> = {
  scan: t('Scan'),
  hash: t('Hashing'),
  extract: t('Reading contents'),
  thumbs: t('Thumbnails'),
  index: t('Search index'),
  maintenance: t('Maintenance'),
  alerts: t('Alerts'),
  exports: t('Exports'),
  embed: t('Semantic search'),
  default: t('Other'),
};

export const queueLabel = (queue: string): string => QUEUES[queue] ?? queue.charAt(0).toUpperCase() + queue.slice(1).replaceAll('_', ' ');
export const taskLabel = (task: string): string => (task.split(/[.:]/).at(-1) ?? task).replaceAll('_', ' ');

export interface FailureGroup {
  reason: string;
  advice: string;
  jobs: Job[];
}

const ADVICE: [RegExp, string][] = [
  [/password|encrypt/i, t('Remove the password protection, then retry.')],
  [/timed? ?out|longer than|too long/i, t('Raise the limit in the library settings, then retry.')],
  [/corrupt|damaged|truncat|unexpected end/i, t('The file is damaged. Restore it from a backup, then retry.')],
  [/ENOENT|no such file|not found/i, t('The file was moved or removed. The next scan updates it.')],
  [/EACCES|permission/i, t('Give the server read permission, then retry.')],
  [/ENOSPC|no space|disk full/i, t('Free some space on the server, then retry.')],
  [/heartbeat|reaper|stalled|lost worker/i, t('The worker stopped responding. Retry the job.')],
];

/** Groups failed jobs by error message, ignoring IDs and paths in it. */
export function groupFailures(jobs: Job[]): FailureGroup[] {
  const groups = new Map<string, Job[]>();
  for (const job of jobs) {
    const first = (job.error ?? t('Unknown error')).split('\n')[0] ?? '';
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
      advice: ADVICE.find(([pattern]) => pattern.test(reason))?.[1] ?? t('See the log for details.'),
    }))
    .sort((a, b) => b.jobs.length - a.jobs.length);
}
