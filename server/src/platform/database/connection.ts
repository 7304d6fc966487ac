import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

/** bigint columns here are counts and sizes below 2^53. */
pg.types.setTypeParser(20, Number);

export type Db = Kysely<Tables>;

export interface DatabaseAddress {
  connectionString?: string;
  host?: string;
  port?: number;
  user?: string;
  database?: string;
}

export interface Database {
  db: Db;
  pool: pg.Pool;
  address: DatabaseAddress;
  close(): Promise<void>;
}

export function connect(address: DatabaseAddress, options: { max?: number; name?: string; queryTimeoutSeconds?: number } = {}): Database {
  const pool = new pg.Pool({
    ...address,
    max: options.max ?? 12,
    application_name: options.name ?? 'catalog',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // Only for callers whose statements are short: a half-open connection would otherwise be waited for a quarter of an hour.
    ...(options.queryTimeoutSeconds === undefined ? {} : { query_timeout: options.queryTimeoutSeconds * 1_000 }),
  });
  // A connection that dies is replaced by the pool, and whoever waits for an answer on it is told. Without these listeners the process would
  // end: the first hears of those that lie idle, the second of those in somebody's hands, between two statements of a transaction.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const close = async (): Promise<void> => {
    // Kysely ends the pool only if it has been used through it.
    await db.destroy();
    if (!pool.ending) await pool.end();
  };
  return { db, pool, address, close };
}

/** A client of its own, for LISTEN and session-level advisory locks. The caller ends it. */
export async function connectClient(address: DatabaseAddress, name: string): Promise<pg.Client> {
  const client = new pg.Client({ ...address, application_name: name });
  client.on('error', () => {});
  await client.connect();
  return client;
}

export const minServerVersion = 18;

/** Each refusal is one sentence that says what to do; `retry` tells whether waiting can help. */
export class UnusableDatabaseError extends Error {
  readonly retry: boolean;
  constructor(message: string, retry: boolean) {
    super(message);
    this.retry = retry;
  }
}

/** Asks the server who it is; throws a UnusableDatabaseError in words. */
export async function checkServer(db: Db): Promise<{ version: string }> {
  let row: { num: string; version: string } | undefined;
  try {
    const answer = await sql<{
      num: string;
      version: string;
    }>`select current_setting('server_version_num') num, current_setting('server_version') version`.execute(db);
    row = answer.rows[0];
  } catch (error) {
    throw explainConnectionError(error);
  }
  if (Math.floor(Number(row!.num) / 10_000) < minServerVersion) {
    throw new UnusableDatabaseError(
      `The database server is PostgreSQL ${row!.version}; Catalog needs version ${minServerVersion} or newer. Upgrade the server or unset SVC_DATABASE_URL to use the embedded one.`,
      false,
    );
  }
  return { version: row!.version };
}

export function explainConnectionError(error: unknown): UnusableDatabaseError {
  const { code, message } = error as { code?: string; message: string };
  if (code === '28P01' || code === '28000')
    return new UnusableDatabaseError('The database refused the user or password. Check SVC_DATABASE_URL.', false);
  if (code === '3D000')
    return new UnusableDatabaseError('The database named in SVC_DATABASE_URL does not exist. Create it, then start again.', false);
  if (code === '57P03') return new UnusableDatabaseError('The database is starting up.', true);
  return new UnusableDatabaseError(`The database does not answer (${code ?? message}).`, true);
}

/** The first row of a statement that always returns one, such as a count or an insert with `returning`. */
export function one<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('The statement returned no row.');
  return row;
}

/** PostgreSQL stores no NUL character and no half of a surrogate pair; both can come from a broken file name or an error text. */
export function storableText(text: string, longest: number): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed().slice(0, longest).toWellFormed();
}

export function storableJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part) => (typeof part === 'string' ? part.replaceAll('\0', '\uFFFD').toWellFormed() : part)) ?? 'null'
  );
}
