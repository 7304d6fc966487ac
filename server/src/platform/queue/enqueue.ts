import { sql } from 'kysely';
import type { Static, TSchema } from 'typebox';
import { type Db, storableJson } from '../database/index.ts';
import { readyChannel, type EnqueueOptions, queues, type Task, checkPayload } from './contract.ts';

const rowsPerStatement = 5_000;

/**
 * Adds a job; answers its id, or null when an open job already holds `options.lock`. Inside a transaction the job appears with its
 * commit, so work and the data it is about become visible together.
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

/** Adds many jobs of one task; answers how many were added. `lockOf` names each job's lock; a payload whose lock is held adds nothing. */
export async function enqueueMany<Payload extends TSchema>(
  db: Db,
  task: Task<Payload>,
  payloads: readonly Static<Payload>[],
  options: Omit<EnqueueOptions, 'lock'> & { lockOf?: (payload: Static<Payload>) => string } = {},
): Promise<number> {
  // All of them first: a wrong one must not leave half of the others behind.
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
        part.map((payload) => options.lockOf?.(payload) ?? null),
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
      insert into jobs (queue, task, payload, priority, lock, max_attempts, age_exempt, run_at)
      select ${task.queue}, ${task.name}, payload::jsonb, ${options.priority ?? queues[task.queue]}, lock, ${task.attempts}, ${task.ageExempt ?? false}, coalesce(${options.runAt ?? null}::timestamptz, now())
      from unnest(${payloads}::text[], ${locks}::text[]) with ordinality as given (payload, lock, place)
      order by place
      on conflict (lock) where lock is not null and state in ('todo', 'doing', 'aborting') do nothing
      returning id
    ), told as materialized (
      select pg_notify(${readyChannel}, ${task.queue}) from added limit 1
    )
    select id from added left join told on true`.execute(db);
  return inserted.rows.map(({ id }) => id);
}
