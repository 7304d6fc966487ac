import { type RawBuilder, sql } from 'kysely';

/** The two nets of the reaper, as settings give them. */
export interface StallLimits {
  /** SVC_JOB_STALL_HEARTBEAT_SECONDS: no heartbeat for this long. */
  heartbeatSeconds: number;
  /** SVC_JOB_STALL_SECONDS: running for longer than this, unless the task is exempt. */
  stallSeconds: number;
  /** SVC_JOB_STALL_AGE_EXEMPT_TASKS: exempt beside the shipped list and the tasks that declare themselves `ageExempt`. */
  exemptTasks: readonly string[];
}

/** Whole-catalog tasks may take hours: only the heartbeat net applies to them. */
const alwaysExempt = [
  'scan_library',
  'nightly_reconcile',
  'rebuild_index',
  'reproject_library',
  'rebuild_chunks_index',
  'embed_missing',
  'chunk_missing',
  'backup_now',
  'compact_meili',
  'content_sniff',
  'rehash_small_files',
];

/** A condition on `jobs`: caught by one of the nets. A running job always has both times. */
export function isStalled({ heartbeatSeconds, stallSeconds, exemptTasks }: StallLimits): RawBuilder<boolean> {
  return sql<boolean>`(${hasLostHeartbeat(heartbeatSeconds)} or (
    jobs.started_at < now() - ${stallSeconds} * interval '1 second' and not jobs.age_exempt and jobs.task <> all(${[...alwaysExempt, ...exemptTasks]}::text[])))`;
}

export function hasLostHeartbeat(heartbeatSeconds: number): RawBuilder<boolean> {
  return sql<boolean>`(jobs.heartbeat_at < now() - ${heartbeatSeconds} * interval '1 second')`;
}

/** Since when: its last heartbeat when it is silent, otherwise the end of the time it had. Null for a job that no net caught. */
export function stalledSince(limits: StallLimits): RawBuilder<Date | null> {
  return sql<Date | null>`(case
    when ${hasLostHeartbeat(limits.heartbeatSeconds)} then jobs.heartbeat_at
    when ${isStalled(limits)} then jobs.started_at + ${limits.stallSeconds} * interval '1 second' end)`;
}
