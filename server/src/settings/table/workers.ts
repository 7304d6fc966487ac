import { boolean, choice, decimal, integer, json, list, matching, textList } from '../kinds.ts';
import { logLevels } from './core.ts';

/** The queues of platform/queue. */
export const queueNames = ['scan', 'extract', 'index', 'maintenance', 'alerts', 'thumbs', 'embed', 'exports'] as const;

/** Workers, queues and the reaper of stalled jobs. */
export const workerSettings = {
  SVC_WORKER_CONCURRENCY: integer({
    default: 4,
    min: 1,
    max: 256,
    unit: 'jobs',
    description: 'Number of jobs a worker runs at the same time.',
  }),
  SVC_WORKER_QUEUES: list({
    default: ['all'],
    description: 'Queues this worker processes.',
    check: matching(new RegExp(`^(all|${queueNames.join('|')})$`), `all, or names of queues (${queueNames.join(', ')})`),
  }),
  SVC_WORKER_LABELS: list({
    default: [],
    origin: 'added',
    description:
      'Labels of the disks that this worker can reach. It reads the files of libraries with one of these labels, and of libraries without labels. Libraries with other labels are left to other workers.',
    check: matching(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'lower-case letters, digits, dots, - and _'),
  }),
  SVC_JOB_HISTORY_RETENTION_DAYS: integer({ default: 14, min: 0, unit: 'days', description: 'How long finished jobs are kept.' }),
  SVC_JOB_STALL_HEARTBEAT_SECONDS: integer({
    default: 30,
    min: 1,
    unit: 'seconds',
    description: 'A running job without a heartbeat for this long is requeued.',
  }),
  SVC_JOB_STALL_SECONDS: integer({
    default: 3600,
    min: 1,
    unit: 'seconds',
    description: 'A file, index or alert job that runs longer than this is requeued. Long tasks are exempt.',
  }),
  SVC_JOB_STALL_AGE_EXEMPT_TASKS: json({
    default: [] as readonly string[],
    bounds: 'a JSON list of task names, such as ["my_task"]',
    check: textList,
    description: 'Additional tasks that may run longer than SVC_JOB_STALL_SECONDS.',
  }),
  SVC_REAP_MAX_ATTEMPTS: integer({
    default: 10,
    min: 0,
    unit: 'times',
    description: 'How often a stalled job is requeued before it fails. Scans are always requeued.',
  }),
  SVC_SCAN_SCHEDULE_MAX_CATCHUP_MINUTES: integer({
    default: 2880,
    min: 0,
    unit: 'minutes',
    description: 'A missed scheduled scan still starts if it is not older than this.',
  }),
  SVC_SCAN_RUN_RECONCILE_GRACE_SECONDS: integer({
    default: 600,
    min: 0,
    unit: 'seconds',
    description: 'A scan whose job no longer exists is closed after this long.',
  }),
};

/** How extraction slows down while the machine is busy. */
export const backpressureSettings = {
  SVC_EXTRACT_BACKPRESSURE: boolean({ default: true, description: 'Runs fewer extractions at a time while the machine is busy.' }),
  SVC_EXTRACT_BACKPRESSURE_MIN_CONCURRENCY: integer({
    default: 1,
    min: 1,
    unit: 'jobs',
    description: 'Number of extractions that may always run.',
  }),
  SVC_EXTRACT_BACKPRESSURE_MAX_CONCURRENCY: integer({
    default: 0,
    min: 0,
    unit: 'jobs',
    description: 'Maximum number of parallel extractions. 0 uses SVC_WORKER_CONCURRENCY.',
  }),
  SVC_EXTRACT_BACKPRESSURE_HIGH_LOAD: decimal({
    default: 0.85,
    min: 0,
    unit: 'load per core',
    description: 'One-minute load at which fewer extractions run.',
  }),
  SVC_EXTRACT_BACKPRESSURE_LOW_LOAD: decimal({
    default: 0.6,
    min: 0,
    unit: 'load per core',
    description: 'One-minute load below which more extractions run again.',
  }),
  SVC_EXTRACT_BACKPRESSURE_SAMPLE_SECONDS: integer({
    default: 15,
    min: 1,
    unit: 'seconds',
    description: 'How often the load is measured.',
  }),
  SVC_EXTRACT_BACKPRESSURE_DECREASE_FACTOR: decimal({
    default: 0.5,
    min: 0.01,
    max: 0.99,
    description: 'Factor applied to the number of extractions at high load.',
  }),
  SVC_EXTRACT_BACKPRESSURE_EXPAND_COOLDOWN_SECONDS: integer({
    default: 60,
    min: 0,
    unit: 'seconds',
    description: 'After a decrease, the number of extractions does not rise for this long.',
  }),
};

/** The log that the console shows. */
export const logSettings = {
  SVC_LOG_DB_ENABLED: boolean({
    default: true,
    description: 'Stores log messages of app and worker in the database, where the console shows them.',
  }),
  SVC_LOG_DB_LEVEL: choice(logLevels, {
    default: 'INFO',
    description: 'Lowest level of messages that are stored. For third-party libraries it is always WARNING.',
  }),
  SVC_LOG_RETENTION_DAYS: integer({ default: 7, min: 0, unit: 'days', description: 'How long stored messages are kept.' }),
  SVC_LOG_MAX_ROWS: integer({ default: 200_000, min: 0, unit: 'rows', description: 'Maximum number of stored messages.' }),
};

/** Exports of reports, searches and folders. */
export const exportSettings = {
  SVC_EXPORT_MAX_ROWS: integer({
    default: 5_000_000,
    min: 1,
    unit: 'rows',
    origin: 'added',
    description: 'Maximum number of rows of a background export.',
  }),
  SVC_EXPORT_DIRECT_MAX_ROWS: integer({
    default: 100_000,
    min: 1,
    unit: 'rows',
    origin: 'added',
    description: 'Maximum number of rows of an export that is sent directly. Larger ones run in the background.',
  }),
  SVC_EXPORT_MAX_ACTIVE: integer({
    default: 3,
    min: 1,
    unit: 'exports',
    origin: 'added',
    description: 'Number of exports that one person can have waiting or running.',
  }),
  SVC_EXPORT_TTL_HOURS: integer({
    default: 168,
    min: 1,
    unit: 'hours',
    origin: 'added',
    description: 'How long the file of an export is kept.',
  }),
  SVC_REPORT_EMAIL_MAX_BYTES: integer({
    default: 10_485_760,
    min: 0,
    unit: 'bytes',
    origin: 'added',
    description: 'A scheduled report up to this size is attached to its mail. Larger ones are sent as a link.',
  }),
};
