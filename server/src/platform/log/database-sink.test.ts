import { describe, expect, onTestFinished, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import { connect, type Db } from '../database/index.ts';
import { createDatabaseSink, createLog, type DatabaseSinkOptions, type Level, levels, purgeLogs, readLogs } from './index.ts';

function sinkFor(db: Db, more: Partial<DatabaseSinkOptions> = {}) {
  const sink = createDatabaseSink({ db, source: 'app', level: 'info', maxRows: 200_000, flushMs: 3_600_000, ...more });
  onTestFinished(() => sink.close());
  const log = (name: string) => createLog({ name, level: 'debug', sinks: [sink] });
  return { sink, log };
}

const messages = async (db: Db) => (await readLogs(db, { min_level: 'debug', limit: 1_000 })).logs.map(({ message }) => message).reverse();
const rowCount = async (db: Db) =>
  (
    await db
      .selectFrom('app_logs')
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
  ).rows;

describe('console log stream', () => {
  test('own loggers are stored from the threshold, others from warning, access logs never', async () => {
    const { db } = await databaseForTest();
    const { sink, log } = sinkFor(db);
    for (const name of ['catalog.scan', 'catalogue', 'fastify', 'catalog.http.access', 'access'])
      for (const level of levels) log(name)[level](`${name} ${level}`);
    await sink.flush();
    expect(await messages(db)).toEqual([
      ...['info', 'warning', 'error', 'critical'].map((level) => `catalog.scan ${level}`),
      ...['warning', 'error', 'critical'].map((level) => `catalogue ${level}`),
      ...['warning', 'error', 'critical'].map((level) => `fastify ${level}`),
    ]);
  });

  test.each(['debug', 'error'] as Level[])('SVC_LOG_DB_LEVEL %s changes the threshold of own loggers only', async (level) => {
    const { db } = await databaseForTest();
    const { sink, log } = sinkFor(db, { level });
    for (const name of ['catalog.scan', 'other']) for (const at of levels) log(name)[at](`${name} ${at}`);
    await sink.flush();
    const own = levels.slice(levels.indexOf(level)).map((at) => `catalog.scan ${at}`);
    expect(await messages(db)).toEqual([...own, 'other warning', 'other error', 'other critical']);
  });

  test('the threshold does not depend on the verbosity of standard output', async () => {
    const { db } = await databaseForTest();
    const { sink } = sinkFor(db);
    const lines: string[] = [];
    const log = createLog({ name: 'catalog', level: 'error', sinks: [sink, { write: ({ message }) => void lines.push(message) }] });
    for (const level of levels) log[level](level);
    await sink.flush();
    expect(lines).toEqual(['error', 'critical']);
    expect(await messages(db)).toEqual(['info', 'warning', 'error', 'critical']);
  });

  test('an error row contains traceback, process and details with any characters', async () => {
    const { db } = await databaseForTest();
    const { sink, log } = sinkFor(db, { source: 'worker' });
    log('catalog.scan').error('broken \0 \ud800 name', { error: new Error('cause \0'), library: 'Photos', files: 3 });
    await sink.flush();
    const { logs } = await readLogs(db);
    expect(logs).toMatchObject([
      { source: 'worker', level: 'error', logger: 'catalog.scan', message: 'broken \uFFFD \uFFFD name (library=Photos, files=3)' },
    ]);
    expect(logs[0]!.exc).toContain('database-sink.test.ts');
    expect(new Date(logs[0]!.ts).toISOString()).toBe(logs[0]!.ts);
  });

  test('records are written automatically, in order, in batches', async () => {
    const { db } = await databaseForTest();
    const { sink, log } = sinkFor(db, { flushMs: 1 });
    for (let n = 0; n < 2_500; n += 1) log('catalog').info(`line ${n}`);
    await expect.poll(() => rowCount(db), { timeout: 30_000 }).toBe(2_500);
    expect(await messages(db)).toEqual(Array.from({ length: 1_000 }, (_, n) => `line ${1_500 + n}`));
    await sink.close();
  });

  test('closing writes what is buffered', async () => {
    const { db } = await databaseForTest();
    const { sink, log } = sinkFor(db);
    for (let n = 0; n < 2_500; n += 1) log('catalog').info(`line ${n}`);
    await sink.close();
    expect(await rowCount(db)).toBe(2_500);
  });

  test('a broken database drops records instead of blocking, and reports the gap when it is back', async () => {
    const database = await databaseForTest();
    const { sink, log } = sinkFor(database.db, { bufferLimit: 3, restMs: 3_600_000 });
    await database.pool.query('alter table app_logs rename to app_logs_away');
    log('catalog').info('lost');
    await sink.flush();
    for (const n of [1, 2, 3, 4, 5]) log('catalog').info(`line ${n}`);
    await database.pool.query('alter table app_logs_away rename to app_logs');
    await sink.flush();
    expect(await messages(database.db)).toEqual([
      'line 1',
      'line 2',
      'line 3',
      '3 log records were dropped because they could not be written to the database in time.',
    ]);
    await sink.flush();
    expect(await rowCount(database.db)).toBe(4);
  });

  test('an unreachable database only loses records', async () => {
    const nowhere = connect({ host: '/nowhere/at/all', port: 1, user: 'nobody', database: 'none' });
    onTestFinished(() => nowhere.close());
    const { sink, log } = sinkFor(nowhere.db, { flushMs: 1 });
    expect(() => log('catalog').error('lost')).not.toThrow();
    await sink.flush();
    await sink.close();
  });

  test('the row limit holds while records are written', async () => {
    const { db } = await databaseForTest();
    const app = sinkFor(db, { maxRows: 100 });
    const worker = sinkFor(db, { maxRows: 100, source: 'worker' });
    for (let n = 0; n < 300; n += 1) {
      app.log('catalog').info(`app ${n}`);
      worker.log('catalog').info(`worker ${n}`);
      await Promise.all([app.sink.flush(), worker.sink.flush()]);
      expect(await rowCount(db)).toBeLessThanOrEqual(100);
    }
    expect(await rowCount(db)).toBeGreaterThan(90);
    expect((await messages(db)).slice(-2).sort()).toEqual(['app 299', 'worker 299']);
  });

  test('the daily purge removes records past SVC_LOG_RETENTION_DAYS and above SVC_LOG_MAX_ROWS', async () => {
    const { db, pool } = await databaseForTest();
    await pool.query(
      "insert into app_logs (ts, source, level, logger, message) select now() - n * interval '1 day' + interval '1 minute', 'app', 'info', 'catalog', n::text from generate_series(10, 1, -1) n",
    );
    expect(await purgeLogs(db, { retentionDays: 7, maxRows: 200_000 })).toEqual({ expired: 3, over_cap: 0 });
    expect(await purgeLogs(db, { retentionDays: 7, maxRows: 5 })).toEqual({ expired: 0, over_cap: 2 });
    expect(await messages(db)).toEqual(['5', '4', '3', '2', '1']);
  });
});

describe('reading the log', () => {
  test('filters by minimum level, process and part of message or logger, and pages backwards', async () => {
    const { db, pool } = await databaseForTest();
    const rows = [
      ['app', 'info', 'catalog.scan', 'Scan of 100% done'],
      ['app', 'warning', 'catalog.http', 'slow'],
      ['worker', 'error', 'catalog.queue', 'Job failed'],
      ['worker', 'critical', 'catalog.queue', 'disk_full'],
      ['worker', 'debug', 'catalog.queue', 'chatter'],
    ];
    for (const [source, level, logger, message] of rows) {
      await pool.query('insert into app_logs (ts, source, level, logger, message) values (now(), $1, $2, $3, $4)', [
        source,
        level,
        logger,
        message,
      ]);
    }
    const found = async (filter: Parameters<typeof readLogs>[1]) => (await readLogs(db, filter)).logs.map(({ message }) => message);
    expect(await found({})).toEqual(['disk_full', 'Job failed', 'slow', 'Scan of 100% done']);
    expect(await found({ min_level: 'error' })).toEqual(['disk_full', 'Job failed']);
    expect(await found({ source: 'app' })).toEqual(['slow', 'Scan of 100% done']);
    expect(await found({ q: 'QUEUE' })).toEqual(['disk_full', 'Job failed']);
    expect(await found({ q: '100%' })).toEqual(['Scan of 100% done']);
    expect(await found({ q: '%' })).toEqual(['Scan of 100% done']);
    expect(await found({ q: 'k_f' })).toEqual(['disk_full']);
    const first = await readLogs(db, { limit: 3 });
    expect(first.logs).toHaveLength(3);
    expect(await readLogs(db, { limit: 3, before_id: first.next_before_id! })).toMatchObject({
      logs: [{ message: 'Scan of 100% done' }],
      next_before_id: null,
    });
  });

  test('returns at most 1000 records', async () => {
    const { db, pool } = await databaseForTest();
    await pool.query(
      "insert into app_logs (ts, source, level, logger, message) select now(), 'app', 'info', 'catalog', n::text from generate_series(1, 1100) n",
    );
    expect((await readLogs(db, { limit: 5_000 })).logs).toHaveLength(1_000);
    expect((await readLogs(db)).logs).toHaveLength(200);
  });
});
