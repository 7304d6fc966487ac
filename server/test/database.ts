import { randomUUID } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import { connect, type Database } from '../src/platform/database/index.ts';

/** A separate database for a test file, cloned from the migrated template; `close` drops it. */
export async function cloneDatabase(): Promise<Database> {
  const { host, port, user, password } = inject('postgres');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = connect({ host, port, user, password, database: 'postgres' }, { max: 1 });
  await admin.pool.query(`create database ${name} template catalog_template`);
  const database = connect({ host, port, user, password, database: name }, { max: 10 });
  return {
    ...database,
    async close() {
      await database.close();
      await admin.pool.query(`drop database if exists ${name} with (force)`);
      await admin.close();
    },
  };
}

/** Like `cloneDatabase`, but closed automatically when the current test ends. */
export async function databaseForTest(): Promise<Database> {
  const database = await cloneDatabase();
  onTestFinished(() => database.close());
  return database;
}
