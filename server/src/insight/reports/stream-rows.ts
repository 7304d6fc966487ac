import { type RawBuilder, sql } from 'kysely';
import { copyRows, type Database, type Db, one } from '../../platform/database/index.ts';

/** Limit of one export in the database. A download that is slower than this belongs in the background. */
const longestSeconds = 3600;
/** Rights are checked after this many rows, and once more at the end. */
const rowsBetweenChecks = 2000;

interface StreamOptions {
  signal?: AbortSignal | undefined;
  /** Called when any right in the catalog has changed; throws when the reader's own rights have. */
  check: (() => Promise<void>) | null;
  maxSeconds?: number;
}

interface Turns {
  free: number;
  waiting: (() => void)[];
}

const turnsOf = new WeakMap<Database['pool'], Turns>();

/**
 * A stream keeps its connection for as long as its reader takes, and needs another one to check rights. So all streams together take half of
 * a pool at most, and further ones wait. Returns how to end the turn.
 */
async function takeTurn(pool: Database['pool']): Promise<() => void> {
  const turns = turnsOf.get(pool) ?? { free: Math.max(1, Math.floor(pool.options.max / 2)), waiting: [] };
  turnsOf.set(pool, turns);
  if (turns.free > 0) turns.free -= 1;
  else await new Promise<void>((resolve) => turns.waiting.push(resolve));
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    const next = turns.waiting.shift();
    if (next) next();
    else turns.free += 1;
  };
}

/** All rows of a query as arrays, from one snapshot. */
export async function* streamRows(database: Database, query: RawBuilder<unknown>, options: StreamOptions): AsyncGenerator<unknown[][]> {
  const endTurn = await takeTurn(database.pool);
  try {
    yield* streamNow(database, query, options, endTurn);
  } finally {
    endTurn();
  }
}

async function* streamNow(
  { pool, db }: Database,
  query: RawBuilder<unknown>,
  { signal, check, maxSeconds = longestSeconds }: StreamOptions,
  endTurn: () => void,
): AsyncGenerator<unknown[][]> {
  signal?.throwIfAborted();
  const client = await pool.connect();
  let complete = false;
  let expired = false;
  // The database does not end a statement that waits for its reader, and a reader can pause for ever. A little later than its own limit.
  const expiry = setTimeout(() => {
    expired = true;
    client.release(true);
    endTurn();
  }, maxSeconds * 1050).unref();
  try {
    await client.query('begin transaction isolation level repeatable read read only');
    await client.query(`set local statement_timeout = '${maxSeconds}s'; set local work_mem = '32MB'`);
    let generation = check ? await readGeneration(db) : null;
    const checkRights = async (): Promise<void> => {
      if (!check) return;
      const current = await readGeneration(db);
      if (current !== generation) await check();
      generation = current;
    };
    // Rights may have changed since the query was built.
    await check?.();
    let unchecked = 0;
    for await (const rows of copyRows(client, query)) {
      signal?.throwIfAborted();
      unchecked += rows.length;
      if (unchecked >= rowsBetweenChecks) {
        await checkRights();
        unchecked = 0;
      }
      yield rows;
    }
    await checkRights();
    await client.query('commit');
    complete = true;
  } catch (error) {
    throw expired ? new Error(`The rows were not read within ${maxSeconds} seconds.`, { cause: error }) : error;
  } finally {
    clearTimeout(expiry);
    // An unfinished statement ends with its connection.
    if (!expired) client.release(!complete);
  }
}

async function readGeneration(db: Db): Promise<string> {
  const { rows } = await sql<{ generation: string }>`select generation from access_generation`.execute(db);
  return one(rows).generation;
}
