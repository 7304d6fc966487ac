import { sql } from 'kysely';
import type { Static, TSchema } from 'typebox';
import type { Clock } from '../clock.ts';
import { type Db, one } from '../database/index.ts';
import type { Log } from '../log/index.ts';
import type { Task } from './contract.ts';
import { nextOccurrence, parseCron, previousOccurrence } from './cron.ts';
import { enqueue } from './enqueue.ts';
import { createSleeper } from './listener.ts';

/**
 * A schedule fires once per occurrence across all processes, even if their clocks differ.
 *
 * unknown -> waiting  the schedule is new or its cron has changed: past occurrences do not fire.
 * waiting -> fired    the latest occurrence is newer than the last one fired and not older than the catch-up limit. Earlier missed
 *                     occurrences do not fire separately.
 * fired -> fired      the same for the next occurrence. An equal or older one never fires, so a process with a slow clock cannot repeat one.
 *
 * fired -> waiting    the last occurrence is in the future, because the clock was ahead when it fired: it is set to the current time.
 *
 * An occurrence whose work cannot start yet (`notYet()`) stays due and is tried again at the next check, until it is too old.
 *
 * The clock of the database decides, so that processes with different clocks agree.
 *
 * A schedule that is not checked (maintenance mode) keeps its state: its latest missed occurrence fires when it is checked again. A schedule
 * that is switched off must be deleted, so that occurrences missed meanwhile do not fire when it is switched on.
 */
export interface Schedule {
  /** Identifies the schedule across processes and restarts: the task name, with an id where there are several (`scan_library:<id>`). */
  key: string;
  cron: string;
  /** How old a missed occurrence may be and still fire. */
  maxCatchupMinutes?: number;
  /** Runs in the transaction that marks the occurrence as fired: both happen or neither. May throw `notYet()`. */
  fire(db: Db, occurrence: Date): Promise<void>;
}

/** SVC_SCAN_SCHEDULE_MAX_CATCHUP_MINUTES. */
const twoDays = 2_880;
/** Schedules are checked every few seconds, so an occurrence is never older than this because of the check alone. */
const minCatchupMinutes = 2;

class NotYet extends Error {}

/** `throw notYet()` leaves an occurrence due without reporting an error. */
export const notYet = (): Error => new NotYet('The occurrence stays due.');

/** A schedule that enqueues a task, unless an earlier job of it is unfinished. */
export function scheduledTask<Payload extends TSchema>(task: Task<Payload>, cron: string, payload: Static<Payload>): Schedule {
  return {
    key: task.name,
    cron,
    async fire(db) {
      await enqueue(db, task, payload, { lock: task.name });
    },
  };
}

/** Fires a schedule if its latest occurrence is due, and returns that occurrence or null. Throws CronError when its cron is invalid. */
export async function fireIfDue(db: Db, schedule: Schedule, clock: Clock): Promise<Date | null> {
  const { key, maxCatchupMinutes = twoDays } = schedule;
  const cron = parseCron(schedule.cron);
  const now = clock.now();
  if (await recordIfNew(db, key, cron.text, now)) return null;
  const occurrence = previousOccurrence(cron, now);
  const limitMinutes = Math.max(maxCatchupMinutes, minCatchupMinutes);
  if (!occurrence || now.getTime() - occurrence.getTime() > limitMinutes * 60_000) return null;
  const firing = db.transaction().execute(async (trx) => {
    if (!(await claimOccurrence(trx, key, cron.text, occurrence))) return null;
    await schedule.fire(trx, occurrence);
    return occurrence;
  });
  return firing.catch((error: unknown) => {
    if (error instanceof NotYet) return null;
    throw error;
  });
}

/** Stores a new or changed schedule with the current time as its last occurrence. Returns whether it was new or changed. */
async function recordIfNew(db: Db, key: string, cron: string, now: Date): Promise<boolean> {
  const noted = await sql`
    insert into cron_schedules (key, cron, last_occurrence) values (${key}, ${cron}, ${now})
    on conflict (key) do update set cron = excluded.cron, last_occurrence = greatest(cron_schedules.last_occurrence, excluded.last_occurrence)
    where cron_schedules.cron <> excluded.cron
    returning key`.execute(db);
  return noted.rows.length > 0;
}

/** Small steps of a clock that is being synchronised must not repeat an occurrence. */
const maxClockStepMinutes = 5;

/** Resets schedules whose last occurrence is in the future; they would not fire until then. Returns them with the time they waited for. */
async function correctFuture(db: Db, now: Date): Promise<{ key: string; waited_for: Date }[]> {
  const { rows } = await sql<{ key: string; waited_for: Date }>`
    update cron_schedules set last_occurrence = ${now}
    where last_occurrence > ${now}::timestamptz + ${maxClockStepMinutes} * interval '1 minute'
    returning key, old.last_occurrence as waited_for`.execute(db);
  return rows;
}

/** The clock that decides when schedules fire. */
async function databaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return one(rows).now;
}

/** When each schedule will fire next, by key: never again before its last occurrence, which may be ahead of a clock that was set back. */
export async function nextFirings(db: Db, schedules: readonly Pick<Schedule, 'key' | 'cron'>[]): Promise<Map<string, Date | null>> {
  const now = await databaseTime(db);
  const { rows } = await sql<{ key: string; last_occurrence: Date }>`
    select key, last_occurrence from cron_schedules
    where last_occurrence > ${now} and last_occurrence <= ${now}::timestamptz + ${maxClockStepMinutes} * interval '1 minute'`.execute(db);
  const ahead = new Map(rows.map((row) => [row.key, row.last_occurrence]));
  return new Map(schedules.map(({ key, cron }) => [key, nextOccurrence(parseCron(cron), ahead.get(key) ?? now)]));
}

/** Returns true in exactly one process per occurrence: the row lock serialises the updates, and only the first finds a newer occurrence. */
async function claimOccurrence(db: Db, key: string, cron: string, occurrence: Date): Promise<boolean> {
  const taken = await sql`
    update cron_schedules set last_occurrence = ${occurrence}, fired_at = now()
    where key = ${key} and cron = ${cron} and last_occurrence < ${occurrence}
    returning key`.execute(db);
  return taken.rows.length > 0;
}

/**
 * Should be called when a schedule is added or its cron has changed. Otherwise it is new when a scheduler first reads it, and an occurrence
 * before that is missed.
 */
export async function noteSchedule(db: Db, key: string, cron: string): Promise<void> {
  await recordIfNew(db, key, parseCron(cron).text, await databaseTime(db));
}

/** Must be called when a schedule is removed or switched off. */
export async function deleteSchedule(db: Db, key: string): Promise<void> {
  await sql`delete from cron_schedules where key = ${key}`.execute(db);
}

interface Scheduler {
  start(): void;
  stop(): Promise<void>;
}

/**
 * Reads the schedules every few seconds and fires those that are due. Every worker may run a scheduler. A schedule that fails is logged once
 * per error message and does not block the others.
 */
export function createScheduler(options: {
  db: Db;
  log: Log;
  /** The clock of the database when omitted. */
  now?(): Promise<Date>;
  schedules(): Promise<readonly Schedule[]>;
  tickSeconds?: number;
}): Scheduler {
  const { db, log, now = () => databaseTime(db), schedules, tickSeconds = 15 } = options;
  const sleeper = createSleeper();
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
    const at = await now();
    for (const { key, waited_for } of await correctFuture(db, at))
      log.warning(`The schedule ${key} waited for ${waited_for.toISOString()} because a clock was ahead. It continues from now.`);
    for (const schedule of await schedules())
      await attempt(`The schedule ${schedule.key} did not fire`, () => fireIfDue(db, schedule, { now: () => at }));
  };

  return {
    start() {
      running = (async () => {
        while (!stopped) {
          await attempt('The schedules could not be read', tick);
          if (!stopped) await sleeper.sleep(tickSeconds * 1_000);
        }
      })();
    },
    async stop() {
      stopped = true;
      sleeper.wake();
      await running;
    },
  };
}
