import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

/** All bigint columns hold counts and sizes below 2^53. */
pg.types.setTypeParser(20, Number);

export type Db = Kysely<Tables>;

export interface DatabaseAddress {
  connectionString?: string;
  host?: string;
  port?: number;
  user?: string;
  password?: string;
  database?: string;
}

export interface Database {
  db: Db;
  pool: pg.Pool;
  /** For connections outside the pool that hold a session: LISTEN, session locks and the queue. Bypasses a pooler with SVC_QUEUE_DSN. */
  address: DatabaseAddress;
  close(): Promise<void>;
}

interface ConnectOptions {
  max?: number;
  name?: string;
  queryTimeoutSeconds?: number;
  /** `Database.address`, if it differs from the address of the pool. */
  sessionAddress?: DatabaseAddress;
}

export function connect(address: DatabaseAddress, options: ConnectOptions = {}): Database {
  const pool = new pg.Pool({
    ...address,
    max: options.max ?? 12,
    application_name: options.name ?? 'catalog',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // For callers with short statements only. Without it, a half-open connection is detected after 15 minutes.
    ...(options.queryTimeoutSeconds === undefined ? {} : { query_timeout: options.queryTimeoutSeconds * 1_000 }),
  });
  // The pool replaces lost connections, and pending queries on them fail. Without these listeners the process would exit on a lost connection:
  // the first one handles idle connections, the second those that are checked out between two statements.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const close = async (): Promise<void> => {
    // Kysely ends the pool only if it has been used through it.
    await db.destroy();
    if (!pool.ending) await pool.end();
  };
  return { db, pool, address: options.sessionAddress ?? address, close };
}

/** Queries on one connection, for example inside a transaction that was begun there. The connection stays open. */
export function dbOf(client: pg.ClientBase): Db {
  const lent = { query: client.query.bind(client), release: () => {} };
  const pool = { connect: async () => lent, end: async () => {} };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as unknown as pg.Pool }) });
}

/** A dedicated connection for LISTEN and session-level advisory locks. The caller must end it. Fails when connecting takes too long. */
export async function connectClient(address: DatabaseAddress, name: string, timeoutSeconds = 10): Promise<pg.Client> {
  const client = new pg.Client({ ...address, application_name: name, connectionTimeoutMillis: timeoutSeconds * 1_000 });
  // Without a listener a lost connection would end the process; callers notice it by the `end` event.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** The address of another database on the same server. */
export function databaseNamed(address: DatabaseAddress, database: string): DatabaseAddress {
  if (address.connectionString === undefined) return { ...address, database };
  const url = new URL(address.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

const minServerVersion = 18;

/** The database cannot be used. The message says what to do; `retry` is true when waiting may help. */
export class UnusableDatabaseError extends Error {
  readonly retry: boolean;
  constructor(message: string, retry: boolean) {
    super(message);
    this.retry = retry;
  }
}

/** The data belongs to a newer version of Catalog. `newest` is the newest schema that this version knows. */
export class NewerSchemaError extends UnusableDatabaseError {
  readonly newest: number;
  constructor(message: string, newest: number) {
    super(message, false);
    this.newest = newest;
  }
}

/** Checks that the server can be reached and is new enough; throws UnusableDatabaseError otherwise. */
export async function checkServer(db: Db): Promise<{ version: string }> {
  let row: { num: string; version: string } | undefined;
  try {
    const result = await sql<{
      num: string;
      version: string;
    }>`select current_setting('server_version_num') num, current_setting('server_version') version`.execute(db);
    row = result.rows[0];
  } catch (error) {
    throw explainConnectionError(error);
  }
  if (!row) throw new UnusableDatabaseError('The database server did not report its version.', false);
  if (Math.floor(Number(row.num) / 10_000) < minServerVersion) {
    throw new UnusableDatabaseError(
      `The database server is PostgreSQL ${row.version}; Catalog needs version ${minServerVersion} or newer. Upgrade the server or unset SVC_DATABASE_URL to use the embedded one.`,
      false,
    );
  }
  return { version: row.version };
}

export function explainConnectionError(error: unknown): UnusableDatabaseError {
  const { code, message } = error as { code?: string; message: string };
  if (code === '28P01' || code === '28000')
    return new UnusableDatabaseError('The database refused the user or password. Check SVC_DATABASE_URL.', false);
  if (code === '3D000')
    return new UnusableDatabaseError('The database named in SVC_DATABASE_URL does not exist. Create it, then start again.', false);
  if (code === '57P03') return new UnusableDatabaseError('The database is starting up.', true);
  return new UnusableDatabaseError(`The database is not responding (${code ?? message}).`, true);
}

/** The first row of a statement that always returns one, such as a count or an insert with `returning`. */
export function one<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('The statement returned no row.');
  return row;
}

/** Replaces what PostgreSQL cannot store: NUL characters and unpaired surrogates, which occur in broken file names and error messages. */
export function storableText(text: string, longest: number): string {
  return storable(text).slice(0, longest).toWellFormed();
}

const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();

/** The same for all texts and keys: names of facts come from files too. */
export function storableJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) => {
      if (typeof part === 'string') return storable(part);
      if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
      const entries = Object.entries(part);
      return entries.every(([key]) => storable(key) === key)
        ? part
        : Object.fromEntries(entries.map(([key, each]) => [storable(key), each]));
    }) ?? 'null'
  );
}
