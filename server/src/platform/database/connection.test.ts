import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import { expect, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import { checkServer, type Db, explainConnectionError } from './connection.ts';
import { migrate, readMigrations } from './migrate.ts';

/** A database that returns these rows for every query, to simulate an unsupported server. */
function answering(rows: unknown[]): Db {
  const driver = new DummyDriver();
  driver.acquireConnection = async () => ({ executeQuery: async () => ({ rows }) as never, streamQuery: async function* () {} });
  return new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

test('a server below version 18 is rejected and not retried', async () => {
  await expect(checkServer(answering([{ num: '170004', version: '17.4' }]))).rejects.toMatchObject({
    retry: false,
    message: expect.stringContaining('PostgreSQL 17.4; Catalog needs version 18'),
  });
  expect(await checkServer(answering([{ num: '180000', version: '18.0' }]))).toEqual({ version: '18.0' });
});

test('a wrong password, a missing database and an unresponsive server are distinguished, and only the last is retried', () => {
  expect(explainConnectionError({ code: '28P01', message: '' })).toMatchObject({
    retry: false,
    message: expect.stringContaining('password'),
  });
  expect(explainConnectionError({ code: '3D000', message: '' })).toMatchObject({
    retry: false,
    message: expect.stringContaining('does not exist'),
  });
  expect(explainConnectionError({ code: 'ECONNREFUSED', message: '' })).toMatchObject({ retry: true });
});

test('migrating ten times, several at once, applies each file once', async () => {
  const { pool } = await databaseForTest();
  const before = (await pool.query('select version, digest, applied_at from schema_migrations order by 1')).rows;
  const runs = await Promise.all(Array.from({ length: 10 }, () => migrate(pool)));
  expect(runs.flatMap((run) => run.applied)).toEqual([]);
  expect((await pool.query('select version, digest, applied_at from schema_migrations order by 1')).rows).toEqual(before);
  expect(before).toHaveLength(readMigrations().length);
});

test('an unknown migration below the newest is rejected and nothing is changed', async () => {
  const { pool } = await databaseForTest();
  const later = { version: 9000, name: '9000_later.sql', text: 'create table later (id int)', digest: 'x' };
  await pool.query("update schema_migrations set name = '0003_other.sql' where version = 3");
  await expect(migrate(pool, [...readMigrations(), later])).rejects.toThrow(/development version.*0003_other.sql.*Nothing was changed/);
  await pool.query('delete from schema_migrations where version = 3');
  await expect(migrate(pool, [...readMigrations(), later])).rejects.toThrow(/Nothing was changed/);
  expect((await pool.query("select to_regclass('later') as later")).rows[0].later).toBeNull();
});

test('a migration that fails leaves nothing behind and names its file', async () => {
  const { pool } = await databaseForTest();
  const broken = [
    ...readMigrations(),
    { version: 9000, name: '9000_broken.sql', text: 'create table half (id int); select nonsense', digest: 'x' },
  ];
  await expect(migrate(pool, broken)).rejects.toThrow(/9000_broken.sql failed/);
  expect((await pool.query("select to_regclass('half') as half")).rows[0].half).toBeNull();
});

test('losing a connection between two statements ends the transaction, not the process', async () => {
  const { db } = await databaseForTest();
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.once('uncaughtExceptionMonitor', note);
  const lost = db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
    await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(db);
    // Long enough for the disconnect to arrive while no query is pending.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await sql`select 1`.execute(transaction);
  });
  await expect(lost).rejects.toThrow();
  expect((await sql<{ n: number }>`select 1 as n`.execute(db)).rows).toEqual([{ n: 1 }]);
  process.off('uncaughtExceptionMonitor', note);
  expect(uncaught).toEqual([]);
});
