import { boolean, choice, decimal, integer, json, list, matching, textList } from '../kinds.ts';
import { logLevels } from './core.ts';

/** Workers, queues and the reaper of stalled jobs. */
export const workerSettings = {
  SVC_WORKER_CONCURRENCY: integer({ default: 4, min: 1, max: 256, unit: 'jobs', sentence: 'Jobs a worker runs at the same time.' }),
  SVC_WORKER_QUEUES: list({
    default: ['all'],
    sentence: 'Queues this worker serves.',
    check: matching(/^[a-z][a-z0-9_-]*$/, 'all, or queue names'),
  }),
  SVC_JOB_HISTORY_RETENTION_DAYS: integer({ default: 14, min: 0, unit: 'days', sentence: 'Finished jobs are kept this long.' }),
  SVC_JOB_STALL_HEARTBEAT_SECONDS: integer({
    default: 30,
    min: 1,
    unit: 'seconds',
    sentence: 'A running job without a heartbeat for this long is put back into the queue.',
  }),
  SVC_JOB_STALL_SECONDS: integer({
    default: 3600,
    min: 1,
    unit: 'seconds',
    sentence: 'A per-file, index or alert job that runs longer than this is put back into the queue; long tasks are exempt.',
  }),
  SVC_JOB_STALL_AGE_EXEMPT_TASKS: json({
    default: [] as readonly string[],
    bounds: 'a JSON list of task names, such as ["my_task"]',
    check: textList,
    sentence: 'Further tasks that may run longer than SVC_JOB_STALL_SECONDS.',
  }),
  SVC_REAP_MAX_ATTEMPTS: integer({
    default: 10,
    min: 0,
    unit: 'times',
    sentence: 'A stalled job other than a scan fails after being put back this often.',
  }),
  SVC_SCAN_SCHEDULE_MAX_CATCHUP_MINUTES: integer({
    default: 2880,
    min: 0,
    unit: 'minutes',
    sentence: 'A scheduled scan that was missed is still started when it is not older than this.',
  }),
  SVC_SCAN_RUN_RECONCILE_GRACE_SECONDS: integer({
    default: 600,
    min: 0,
    unit: 'seconds',
    sentence: 'A scan without a living job is closed after this long.',
  }),
};

/** How extraction gives way when the machine is busy. */
export const backpressureSettings = {
  SVC_EXTRACT_BACKPRESSURE: boolean({ default: true, sentence: 'Run fewer extractions at a time while the machine is busy.' }),
  SVC_EXTRACT_BACKPRESSURE_MIN_CONCURRENCY: integer({ default: 1, min: 1, unit: 'jobs', sentence: 'Extractions that always may run.' }),
  SVC_EXTRACT_BACKPRESSURE_MAX_CONCURRENCY: integer({
    default: 0,
    min: 0,
    unit: 'jobs',
    sentence: 'Extractions that may run at most; 0 takes SVC_WORKER_CONCURRENCY.',
  }),
  SVC_EXTRACT_BACKPRESSURE_HIGH_LOAD: decimal({
    default: 0.85,
    min: 0,
    unit: 'load per core',
    sentence: 'From this one-minute load on, fewer extractions run.',
  }),
  SVC_EXTRACT_BACKPRESSURE_LOW_LOAD: decimal({
    default: 0.6,
    min: 0,
    unit: 'load per core',
    sentence: 'Down to this load, more extractions run again.',
  }),
  SVC_EXTRACT_BACKPRESSURE_SAMPLE_SECONDS: integer({ default: 15, min: 1, unit: 'seconds', sentence: 'How often the load is looked at.' }),
  SVC_EXTRACT_BACKPRESSURE_DECREASE_FACTOR: decimal({
    default: 0.5,
    min: 0.01,
    max: 0.99,
    sentence: 'The number of extractions is multiplied by this at high load.',
  }),
  SVC_EXTRACT_BACKPRESSURE_EXPAND_COOLDOWN_SECONDS: integer({
    default: 60,
    min: 0,
    unit: 'seconds',
    sentence: 'After a decrease the number does not rise for this long.',
  }),
};

/** The log that the console shows. */
export const logSettings = {
  SVC_LOG_DB_ENABLED: boolean({ default: true, sentence: 'Record log messages of app and worker in the database for the console.' }),
  SVC_LOG_DB_LEVEL: choice(logLevels, {
    default: 'INFO',
    sentence: 'Least severe message recorded; libraries record warnings and above only.',
  }),
  SVC_LOG_RETENTION_DAYS: integer({ default: 7, min: 0, unit: 'days', sentence: 'Recorded messages are kept this long.' }),
  SVC_LOG_MAX_ROWS: integer({ default: 200_000, min: 0, unit: 'rows', sentence: 'Recorded messages are never more than this.' }),
};
