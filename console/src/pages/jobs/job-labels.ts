import type { Job } from '../../api/types.ts';
import { serverText, t } from '../../language/text.ts';

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

/** Thumbnails are drawn while contents are read, so their queue has work only after an update from a version that used it. */
const UNUSED = ['thumbs'];

type Queues = Record<string, Record<string, number>>;

/** Queues that can have work: one of a part that is switched off is left out unless it still has jobs. */
export function usedQueues(queues: Queues, semantic: boolean): Queues {
  const off = semantic ? UNUSED : [...UNUSED, 'embed'];
  const hasJobs = (counts: Record<string, number>) => ['todo', 'doing', 'aborting', 'failed'].some((state) => (counts[state] ?? 0) > 0);
  return Object.fromEntries(Object.entries(queues).filter(([name, counts]) => !off.includes(name) || hasJobs(counts)));
}

/** Tasks outside of the maintenance schedule, whose tasks have titles. */
const TASKS: Record<string, string> = {
  scan_library: t('scan a library'),
  extract_batch: t('read files'),
  reconcile_index: t('compare the search index'),
  reproject_library: t('index a library again'),
  remove_library: t('remove a library'),
  sniff_library: t('recognise file types'),
  rehash_library: t('hash a library again'),
  reclassify_extensions: t('apply file types'),
  run_report_schedule: t('write a scheduled report'),
  run_export: t('write an export'),
  find_similar_photos: t('compare photos'),
  prove_duplicates: t('compare copies'),
  verify_backup: t('verify a backup'),
};

export const taskLabel = (task: string): string => TASKS[task] ?? (task.split(/[.:]/).at(-1) ?? task).replaceAll('_', ' ');

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
      reason: serverText(reason),
      jobs: list,
      advice: ADVICE.find(([pattern]) => pattern.test(reason))?.[1] ?? t('See the log for details.'),
    }))
    .sort((a, b) => b.jobs.length - a.jobs.length);
}
