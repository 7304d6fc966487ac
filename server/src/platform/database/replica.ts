/**
 * A streaming replica of the database for reads that may be a moment old: rows of hits, and pages of reports. Rights are always read from the
 * primary.
 *
 * unchecked  before the first check.
 * in use     it replays the log of the same database and is at most the limit behind.
 * left out   it is down, lags too far, or is not a replica of this database. Every read goes to the primary.
 *
 * A check runs every second and decides between "in use" and "left out". A read that fails on the replica is repeated on the primary.
 *
 * Read your writes: after each request that may write, the position of the log is stored for its caller (table caller_writes), before the
 * response is sent and for all processes. The caller reads from the primary until the replica has replayed that position.
 */
import { sql } from 'kysely';
import type { Settings } from '../../settings/index.ts';
import type { Log } from '../log/contract.ts';
import type { Principal } from '../principal.ts';
import { connect, type Database, type Db, one } from './connection.ts';
import { databaseFailure } from './failure.ts';

export interface Replica {
  /** Runs read-only statements on the replica if it includes what the caller wrote, otherwise on the primary. */
  read<T>(caller: Principal, query: (database: Database) => Promise<T>, options?: ReadOptions): Promise<T>;
  /** Stores how far the replica must be before this caller may read from it. */
  recordWrite(caller: Principal): Promise<void>;
  state(): ReplicaState;
  close(): Promise<void>;
}

interface ReadOptions {
  /** The replica must include everything that is committed by now, for example totals that were settled for this read. */
  upToNow?: boolean;
}

export interface ReplicaState {
  inUse: boolean;
  /** Null when it is not known. */
  lagSeconds: number | null;
  /** Why it is left out; null while it is in use. */
  reason: string | null;
}

const checkMs = 1000;
/** A state may be this many seconds old, because a check waits for a replica that does not answer. */
const checkMargin = 15;
const catchUpMs = 200;
const pollMs = 10;
/** Above the limit of a report page, so that only a lost connection reaches it. */
const queryTimeoutSeconds = 25;
/** Callers without an account share one position. */
const openCallerId = '00000000-0000-0000-0000-000000000000';
/** Conflicts with recovery, statements that write, and a schema that the replica does not have yet. */
const onlyOnPrimary = new Set(['40001', '25006', '42P01', '42703', '42883']);

const callerKey = ({ id }: Principal): string => id ?? openCallerId;

/** Runs a read on the replica of the process, or on the primary when there is none. */
export function readFrom<T>(
  deps: { database: Database; replica?: Replica | undefined },
  caller: Principal,
  query: (database: Database) => Promise<T>,
  options: ReadOptions = {},
): Promise<T> {
  return deps.replica ? deps.replica.read(caller, query, options) : query(deps.database);
}

/** The replica of SVC_DATABASE_REPLICA_URL; undefined when it is not set. */
export function openReplica(
  settings: Pick<Settings, 'databaseReplicaUrl' | 'databaseReplicaMaxLagSeconds'>,
  primary: Database,
  log: Log,
): Replica | undefined {
  const { databaseReplicaUrl: connectionString, databaseReplicaMaxLagSeconds: maxLagSeconds } = settings;
  if (connectionString === undefined) return undefined;
  const replica = connect({ connectionString }, { name: 'catalog-replica', queryTimeoutSeconds });
  const monitor = connect({ connectionString }, { name: 'catalog-replica-check', max: 1, queryTimeoutSeconds: 5 });
  const lag = createLag();
  let state: ReplicaState = { inUse: false, lagSeconds: null, reason: 'It has not been checked yet.' };
  /** How far the replica was at the last check; by now it is there or further. */
  let replayed = 0n;
  /** Every read goes to the primary until this time, because the position of a write could not be stored. */
  let primaryOnlyUntil = 0;
  let isChecked = false;
  let closed = false;

  const change = (next: ReplicaState): void => {
    if (closed) return;
    if (next.inUse !== state.inUse || !isChecked) {
      isChecked = true;
      if (next.inUse) log.info('The replica of the database is in use.');
      else log.warning(`The replica of the database is left out. ${next.reason} Reads go to the primary.`);
    }
    state = next;
  };

  const inspect = async (): Promise<ReplicaState> => {
    const at = performance.now();
    const here = await describePrimary(primary.db);
    lag.sample(at, toPosition(here.position));
    const there = await describeReplica(monitor.db);
    if (there.system !== here.system || there.name !== here.name)
      return leftOut('It belongs to another database. Check SVC_DATABASE_REPLICA_URL.');
    if (!there.recovering || there.position === null)
      return leftOut('It is not a streaming replica, or was promoted. Check SVC_DATABASE_REPLICA_URL.');
    replayed = toPosition(there.position);
    const behind = lag.of(replayed, performance.now());
    if (behind === null) return leftOut('It is not known yet how far it is behind.');
    const lagSeconds = Math.round(behind / 100) / 10;
    if (lagSeconds <= maxLagSeconds) return { inUse: true, lagSeconds, reason: null };
    return {
      inUse: false,
      lagSeconds,
      reason: `It is more than ${maxLagSeconds} seconds behind the primary (SVC_DATABASE_REPLICA_MAX_LAG_SECONDS).`,
    };
  };
  const check = (): Promise<void> => inspect().then(change, (error: unknown) => change(leftOut(`It does not answer (${codeOf(error)}).`)));
  let wake = (): void => {};
  const loop = async (): Promise<void> => {
    while (!closed) {
      await check();
      if (closed) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, checkMs).unref();
      });
    }
  };
  const running = loop();

  const reaches = async (position: bigint): Promise<boolean> => {
    for (const until = performance.now() + catchUpMs; ; ) {
      if (replayed >= position) return true;
      const there = await replayedPosition(replica.db);
      if (there !== null && toPosition(there) > replayed) replayed = toPosition(there);
      if (replayed >= position) return true;
      if (performance.now() > until) return false;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  };

  return {
    async read(caller, query, options = {}) {
      if (!state.inUse || performance.now() < primaryOnlyUntil) return query(primary);
      const { now, own } = await readPositions(primary.db, callerKey(caller), maxLagSeconds);
      if (own !== null && toPosition(own) > replayed) return query(primary);
      try {
        if (!options.upToNow || (await reaches(toPosition(now)))) return await query(replica);
      } catch (error) {
        const lost = databaseFailure(error) !== null;
        if (!lost && !onlyOnPrimary.has(String((error as { code?: unknown }).code))) throw error;
        if (lost) change(leftOut(`A read failed (${codeOf(error)}).`));
      }
      return query(primary);
    },
    async recordWrite(caller) {
      try {
        await storePosition(primary.db, callerKey(caller));
      } catch (error) {
        // Where it is not known who wrote, nobody reads from the replica until it must have replayed the write.
        primaryOnlyUntil = performance.now() + maxLagSeconds * 1000;
        log.warning('The position of a write was not stored. Reads go to the primary for a while.', { error });
      }
    },
    state: () => state,
    async close() {
      closed = true;
      wake();
      await running;
      await Promise.all([replica.close(), monitor.close()]);
    },
  };
}

/** Without the message, which may contain addresses of machines: every reader sees the state. */
const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? 'no connection');

const leftOut = (reason: string): ReplicaState => ({ inUse: false, lagSeconds: null, reason });

/** A position in the log, such as 16/B374D848, as a number. */
function toPosition(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/**
 * How old the data of the replica is: the time since the primary was where the replica is now. The replica's own time of the last transaction
 * would grow while nothing is written.
 */
function createLag() {
  let samples: { at: number; position: bigint }[] = [];
  const kept = 4000;
  return {
    sample(at: number, position: bigint): void {
      samples.push({ at, position });
      if (samples.length > kept) samples = samples.slice(-kept / 2);
    },
    /** In milliseconds; null while the replica is behind the first sample. */
    of(position: bigint, now: number): number | null {
      const reached = samples.findLastIndex((sample) => sample.position <= position);
      if (reached < 0) return null;
      if (reached === samples.length - 1) return 0;
      samples = samples.slice(reached);
      return now - (samples[0]?.at ?? now);
    },
  };
}

interface Described {
  system: string;
  name: string;
  position: string;
}

async function describePrimary(db: Db): Promise<Described> {
  const { rows } = await sql<Described>`select system_identifier::text as system, current_database()::text as name,
      pg_current_wal_flush_lsn()::text as position
    from pg_control_system()`.execute(db);
  return one(rows);
}

async function describeReplica(db: Db): Promise<Omit<Described, 'position'> & { recovering: boolean; position: string | null }> {
  const { rows } = await sql<Omit<Described, 'position'> & { recovering: boolean; position: string | null }>`
    select system_identifier::text as system, current_database()::text as name, pg_is_in_recovery() as recovering,
      pg_last_wal_replay_lsn()::text as position
    from pg_control_system()`.execute(db);
  return one(rows);
}

async function replayedPosition(db: Db): Promise<string | null> {
  const { rows } = await sql<{ position: string | null }>`select pg_last_wal_replay_lsn()::text as position`.execute(db);
  return one(rows).position;
}

/** The end of the log, and the last write of a caller. Older writes than the largest lag are on every replica that is in use. */
async function readPositions(db: Db, caller: string, maxLagSeconds: number): Promise<{ now: string; own: string | null }> {
  const { rows } = await sql<{ now: string; own: string | null }>`select pg_current_wal_insert_lsn()::text as now,
      (select w.position::text from caller_writes w where w.caller = ${caller} and w.at > now() - ${maxLagSeconds + checkMargin} * interval '1 second') as own`.execute(
    db,
  );
  return one(rows);
}

async function storePosition(db: Db, caller: string): Promise<void> {
  await sql`insert into caller_writes as w (caller, position, at) values (${caller}, pg_current_wal_insert_lsn(), clock_timestamp())
    on conflict (caller) do update set position = greatest(w.position, excluded.position), at = excluded.at`.execute(db);
}
