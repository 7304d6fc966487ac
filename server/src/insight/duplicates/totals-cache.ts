import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';

/** Plans whose totals are kept. */
const maxEntries = 100;

/** The state of everything a plan depends on. */
interface PlanVersion {
  /** How many statements have changed it. */
  changes: string;
  /** Transactions that had not ended: their statements are counted, but their rows are not seen yet. */
  open: string[];
}

async function countChanges(db: Db): Promise<string> {
  const { rows } = await sql<{ changes: string }>`select last_value::text as changes from plan_changes`.execute(db);
  return one(rows).changes;
}

/** Those that the snapshot lists, and those with newer ids up to one that is assigned here. */
async function openTransactions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ open: string[] }>`select array(
      select x::text from pg_snapshot_xip(s.snapshot) x
      union all select generate_series(pg_snapshot_xmax(s.snapshot)::text::bigint, pg_current_xact_id()::text::bigint - 1)::text) as open
    from (select pg_current_snapshot() as snapshot) s`.execute(db);
  return one(rows).open;
}

/** In this order: a transaction whose statements are counted has its id before the second query. */
async function readVersion(db: Db): Promise<PlanVersion> {
  const changes = await countChanges(db);
  return { changes, open: await openTransactions(db) };
}

/** Nothing has been committed since the version was read. */
async function isCurrent(db: Db, { changes, open }: PlanVersion): Promise<boolean> {
  const { rows } = await sql<{ current: boolean }>`select last_value = ${changes}::bigint and not exists (
      select from unnest(${open}::xid8[]) x where coalesce(pg_xact_status(x), 'committed') = 'committed') as current
    from plan_changes`.execute(db);
  return one(rows).current;
}

/** Keeps results about the whole of a plan until something changes that a plan depends on. Callers that come together share one computation. */
export interface TotalsCache<T> {
  /** `identity` is what the result depends on besides the database: rules, rights, disks that are offline. */
  get(db: Db, identity: unknown, compute: () => Promise<T>): Promise<T>;
}

export function createTotalsCache<T>(): TotalsCache<T> {
  const entries = new Map<string, { version: PlanVersion; result: Promise<T> }>();
  return {
    async get(db, identity, compute) {
      const key = hash('sha256', JSON.stringify(identity));
      const known = entries.get(key);
      if (known && (await isCurrent(db, known.version))) return known.result;
      // Read first, so that a change during the computation makes its result outdated.
      const entry = { version: await readVersion(db), result: compute() };
      entries.delete(key);
      entries.set(key, entry);
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries) break;
        entries.delete(oldest);
      }
      entry.result.catch(() => entries.get(key) === entry && entries.delete(key));
      return entry.result;
    },
  };
}
