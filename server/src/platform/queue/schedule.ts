import { sql } from 'kysely';
import type { Static, TSchema } from 'typebox';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/index.ts';
import type { Log } from '../log/index.ts';
import type { Task } from './contract.ts';
import { parseCron, previousOccurrence } from './cron.ts';
import { enqueue } from './enqueue.ts';
import { createSleeper } from './listener.ts';

/**
 * A schedule fires once per occurrence, whichever process gets there first and whatever its clock says.
 *
 * unknown -> waiting  seen for the first time, or with another cron: its past is taken as done, it does not fire backwards.
 * waiting -> fired    the latest occurrence is newer than the last one fired and not older than the catch-up limit. Occurrences missed in
 *                     between are collapsed into this one.
 * fired -> fired      the same with the next occurrence. An equal or older one never fires: a process whose clock is behind finds it done.
 *
 * A schedule that nobody asks about (maintenance mode) consumes nothing: its latest missed occurrence fires once when asked again. One that
 * was switched off must be forgotten, so that switching it on starts afresh.
 */
export interface Schedule {
  /** Names it across processes and restarts: the task, and what it is about when there are many (`scan_library:<id>`). */
  key: string;
  cron: string;
  /** How old a missed occurrence may be and still fire. */
  maxCatchupMinutes?: number;
  /** Runs in the transaction that marks the occurrence as fired: both happen or neither. */
  fire(db: Db, occurrence: Date): Promise<void>;
}

/** SVC_SCAN_SCHEDULE_MAX_CATCHUP_MINUTES. */
const twoDays = 2_880;

/** A schedule that enqueues a task. While an earlier one is still open, nothing is added. */
export function scheduledTask<Payload extends TSchema>(task: Task<Payload>, cron: string, payload: Static<Payload>): Schedule {
  return {
    key: task.name,
    cron,
    async fire(db) {
      await enqueue(db, task, payload, { lock: task.name });
    },
  };
}

/** Fires a schedule if its latest occurrence is due; answers that occurrence, or null. Throws CronError when its cron is wrong. */
export async function fireIfDue(db: Db, schedule: Schedule, clock: Clock): Promise<Date | null> {
  const { key, maxCatchupMinutes = twoDays } = schedule;
  const cron = parseCron(schedule.cron);
  const now = clock.now();
  if (await recordIfNew(db, key, cron.text, now)) return null;
  const occurrence = previousOccurrence(cron, now);
  if (!occurrence || now.getTime() - occurrence.getTime() > maxCatchupMinutes * 60_000) return null;
  return db.transaction().execute(async (trx) => {
    if (!(await claimOccurrence(trx, key, cron.text, occurrence))) return null;
    await schedule.fire(trx, occurrence);
    return occurrence;
  });
}

/** Notes a schedule that is unknown or has changed, as of now. */
async function recordIfNew(db: Db, key: string, cron: string, now: Date): Promise<boolean> {
  const noted = await sql`
    insert into cron_schedules (key, cron, last_occurrence) values (${key}, ${cron}, ${now})
    on conflict (key) do update set cron = excluded.cron, last_occurrence = greatest(cron_schedules.last_occurrence, excluded.last_occurrence)
    where cron_schedules.cron <> excluded.cron
    returning key`.execute(db);
  return noted.rows.length > 0;
}

/** The row lock makes processes wait for each other here; only the first finds the occurrence newer than the last one. */
async function claimOccurrence(db: Db, key: string, cron: string, occurrence: Date): Promise<boolean> {
  const taken = await sql`
    update cron_schedules set last_occurrence = ${occurrence}, fired_at = now()
    where key = ${key} and cron = ${cron} and last_occurrence < ${occurrence}
    returning key`.execute(db);
  return taken.rows.length > 0;
}

/** Forgets a schedule that was removed or switched off. */
export async function deleteSchedule(db: Db, key: string): Promise<void> {
  await sql`delete from cron_schedules where key = ${key}`.execute(db);
}

export interface Scheduler {
  start(): void;
  stop(): Promise<void>;
}

/**
 * Asks for the schedules every few seconds and fires what is due. Every worker may run one. A schedule that cannot be fired is logged once
 * per reason and does not hold up the others.
 */
export function createScheduler(options: {
  db: Db;
  clock: Clock;
  log: Log;
  schedules(): Promise<readonly Schedule[]>;
  tickSeconds?: number;
}): Scheduler {
  const { db, clock, log, schedules, tickSeconds = 15 } = options;
  const wake = createSleeper();
  const complaints = new Map<string, string>();
  let stopped = false;
  let running: Promise<void> = Promise.resolve();

  const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      complaints.delete(what);
    } catch (error) {
      const message = (error as Error).message;
      if (complaints.get(what) !== message) log.error(`${what}: ${message}`, { error });
      complaints.set(what, message);
    }
  };
  const tick = async (): Promise<void> => {
    for (const schedule of await schedules())
      await attempt(`The schedule ${schedule.key} did not fire`, () => fireIfDue(db, schedule, clock));
  };

  return {
    start() {
      running = (async () => {
        while (!stopped) {
          await attempt('The schedules could not be read', tick);
          if (!stopped) await wake.sleep(tickSeconds * 1_000);
        }
      })();
    },
    async stop() {
      stopped = true;
      wake.wake();
      await running;
    },
  };
}
