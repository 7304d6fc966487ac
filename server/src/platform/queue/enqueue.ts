import { sql } from 'kysely';
import type { Static, TSchema } from 'typebox';
import { type Db, storableJson } from '../database/index.ts';
import { checkPayload, type EnqueueOptions, queues, readyChannel, type Task } from './contract.ts';

const rowsPerStatement = 5_000;

/**
 * Adds a job and returns its id, or null when an unfinished job already has `options.lock`. In a transaction, the job becomes visible with
 * the data it refers to.
 */
export async function enqueue<Payload extends TSchema>(
  db: Db,
  task: Task<Payload>,
  payload: Static<Payload>,
  options: EnqueueOptions = {},
): Promise<string | null> {
  const ids = await insertJobs(db, task, [storableJson(checkPayload(task, payload))], [options.lock ?? null], options);
  return ids[0] ?? null;
}

/** Adds many jobs of one task and returns how many were added. Payloads whose lock (`lockOf`) is already taken are skipped; null means no lock. */
export async function enqueueMany<Payload extends TSchema>(
  db: Db,
  task: Task<Payload>,
  payloads: readonly Static<Payload>[],
  options: Omit<EnqueueOptions, 'lock'> & { lockOf?: (payload: Static<Payload>, index: number) => string | null } = {},
): Promise<number> {
  // Validate all payloads before the first insert, so that an invalid one cannot leave a partial result.
  for (const payload of payloads) checkPayload(task, payload);
  let added = 0;
  for (let from = 0; from < payloads.length; from += rowsPerStatement) {
    const part = payloads.slice(from, from + rowsPerStatement);
    const texts = part.map((payload) => storableJson(payload));
    added += (
      await insertJobs(
        db,
        task,
        texts,
        part.map((payload, index) => options.lockOf?.(payload, from + index) ?? null),
        options,
      )
    ).length;
  }
  return added;
}

async function insertJobs<Payload extends TSchema>(
  db: Db,
  task: Task<Payload>,
  payloads: string[],
  locks: (string | null)[],
  options: { priority?: number; runAt?: Date },
): Promise<string[]> {
  const inserted = await sql<{ id: string }>`
    with added as (
      insert into jobs (queue, task, payload, priority, lock, max_attempts, age_exempt, run_at, place)
      select ${task.queue}, ${task.name}, payload::jsonb, ${options.priority ?? queues[task.queue]}, lock, ${task.attempts}, ${task.ageExempt ?? false}, coalesce(${options.runAt ?? null}::timestamptz, now()), (payload::jsonb ->> ${task.placeField ?? null}::text)::uuid
      from unnest(${payloads}::text[], ${locks}::text[]) with ordinality as given (payload, lock, place)
      order by place
      on conflict (lock) where lock is not null and state in ('todo', 'doing', 'aborting') do nothing
      returning id
    ), notified as materialized (
      select pg_notify(${readyChannel}, ${task.queue}) from added limit 1
    )
    select id from added left join notified on true`.execute(db);
  return inserted.rows.map(({ id }) => id);
}
