import { describe, expect, onTestFinished, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import type { Clock } from '../clock.ts';
import { createLog, type LogRecord } from '../log/index.ts';
import { createScheduler, deleteSchedule, fireIfDue, nextFirings, type Schedule, scheduledTask } from './index.ts';
import { jobs, task, until } from './testing.ts';

const at = (text: string): Clock => ({ now: () => new Date(`2026-11-15T${text}Z`) });

function recorded(cron: string, more: Partial<Schedule> = {}) {
  const fired: string[] = [];
  const schedule: Schedule = {
    key: 'k',
    cron,
    fire: async (_, occurrence) => void fired.push(occurrence.toISOString().slice(11, 16)),
    ...more,
  };
  return { schedule, fired };
}

describe('schedule', () => {
  test('a new schedule does not fire for the past, then fires each occurrence once', async () => {
    const { db } = await databaseForTest();
    const { schedule, fired } = recorded('*/10 * * * *');
    for (const time of ['12:05:00', '12:06:00', '12:09:59', '12:10:00', '12:10:30', '12:19:00', '12:20:01'])
      await fireIfDue(db, schedule, at(time));
    expect(fired).toEqual(['12:10', '12:20']);
  });

  test('missed occurrences are collapsed to the latest', async () => {
    const { db } = await databaseForTest();
    const { schedule, fired } = recorded('*/10 * * * *');
    await fireIfDue(db, schedule, at('08:00:00'));
    expect(await fireIfDue(db, schedule, at('12:34:00'))).toEqual(new Date('2026-11-15T12:30:00Z'));
    expect(await fireIfDue(db, schedule, at('12:35:00'))).toBeNull();
    expect(fired).toEqual(['12:30']);
  });

  test('an occurrence missed longer ago than the catch-up limit does not fire', async () => {
    const { db } = await databaseForTest();
    const { schedule, fired } = recorded('0 10 * * *', { maxCatchupMinutes: 60 });
    await fireIfDue(db, schedule, at('09:00:00'));
    await fireIfDue(db, schedule, at('11:00:01'));
    expect(fired).toEqual([]);
    await fireIfDue(db, schedule, at('11:00:00'));
    expect(fired).toEqual(['10:00']);
  });

  test('two schedulers on skewed clocks fire an occurrence once', async () => {
    const { db } = await databaseForTest();
    const { schedule, fired } = recorded('*/5 * * * *');
    await fireIfDue(db, schedule, at('11:59:30'));
    // One clock is seven minutes behind the other; both run every minute, in both orders and concurrently.
    for (let minute = 0; minute < 40; minute += 1) {
      const right = new Date(Date.UTC(2026, 10, 15, 12, minute));
      const clocks = [{ now: () => right }, { now: () => new Date(right.getTime() - 7 * 60_000) }];
      await Promise.all((minute % 2 ? clocks : clocks.reverse()).map((clock) => fireIfDue(db, schedule, clock)));
    }
    expect(fired).toEqual(['12:00', '12:05', '12:10', '12:15', '12:20', '12:25', '12:30', '12:35']);
  });

  test('ten concurrent processes fire once and add one job', async () => {
    const database = await databaseForTest();
    const nightly = task(async () => {}, { name: 'nightly_reconcile' });
    const schedule = scheduledTask(nightly, '30 4 * * *', { n: 1 });
    await fireIfDue(database.db, schedule, at('04:00:00'));
    await Promise.all(Array.from({ length: 10 }, () => fireIfDue(database.db, schedule, at('04:30:01'))));
    expect(await jobs(database)).toMatchObject([{ task: 'nightly_reconcile', state: 'todo' }]);
  });

  test('an occurrence whose job could not be added is not consumed', async () => {
    const { db } = await databaseForTest();
    const { schedule, fired } = recorded('*/10 * * * *');
    await fireIfDue(db, schedule, at('12:00:00'));
    const broken = { ...schedule, fire: () => Promise.reject(new Error('full')) };
    await expect(fireIfDue(db, broken, at('12:10:00'))).rejects.toThrow('full');
    await fireIfDue(db, schedule, at('12:11:00'));
    expect(fired).toEqual(['12:10']);
  });

  test('a changed or switched-off schedule ignores past occurrences', async () => {
    const { db } = await databaseForTest();
    const { schedule, fired } = recorded('*/10 * * * *');
    await fireIfDue(db, schedule, at('12:00:00'));
    await fireIfDue(db, { ...schedule, cron: '5 * * * *' }, at('12:12:00'));
    await fireIfDue(db, { ...schedule, cron: '5  *  * * *' }, at('12:13:00'));
    expect(fired).toEqual([]);
    await fireIfDue(db, { ...schedule, cron: '5 * * * *' }, at('13:06:00'));
    expect(fired).toEqual(['13:05']);
    await deleteSchedule(db, 'k');
    await fireIfDue(db, { ...schedule, cron: '5 * * * *' }, at('14:06:00'));
    expect(fired).toEqual(['13:05']);
  });

  test('the scheduler logs an invalid schedule once and fires the others', async () => {
    const database = await databaseForTest();
    const records: LogRecord[] = [];
    const log = createLog({ name: 'catalog.scheduler', level: 'info', sinks: [{ write: (record) => void records.push(record) }] });
    let time = '12:00:00';
    let reads = 0;
    const { schedule, fired } = recorded('*/10 * * * *');
    const scheduler = createScheduler({
      db: database.db,
      now: async () => at(time).now(),
      log,
      tickSeconds: 0.01,
      async schedules() {
        reads += 1;
        if (reads === 1) throw new Error('not yet');
        return [{ ...schedule, key: 'wrong', cron: 'whenever' }, schedule];
      },
    });
    onTestFinished(() => scheduler.stop());
    scheduler.start();
    await until(() => expect(reads).toBeGreaterThan(3));
    time = '12:10:00';
    await until(() => expect(fired).toEqual(['12:10']));
    await until(() => expect(reads).toBeGreaterThan(8));
    expect(records.map(({ message }) => message)).toEqual([
      'The schedules could not be read: not yet',
      expect.stringMatching(/^The schedule wrong did not fire: A schedule has five fields/),
    ]);
  });

  test('a clock that was ahead once does not stop a schedule, and the correction is logged', async () => {
    const database = await databaseForTest();
    const records: LogRecord[] = [];
    const log = createLog({ name: 'catalog.scheduler', level: 'info', sinks: [{ write: (record) => void records.push(record) }] });
    const { schedule, fired } = recorded('*/10 * * * *');
    let now = new Date('2026-11-18T12:00:00Z');
    let reads = 0;
    const scheduler = createScheduler({
      db: database.db,
      now: async () => now,
      log,
      tickSeconds: 0.01,
      async schedules() {
        reads += 1;
        return [schedule];
      },
    });
    onTestFinished(() => scheduler.stop());
    scheduler.start();
    const settle = async () => {
      const from = reads;
      await until(() => expect(reads).toBeGreaterThan(from + 2));
    };
    await settle();
    now = new Date('2026-11-18T12:10:00Z');
    await until(() => expect(fired).toEqual(['12:10']));
    // Three days back, to the right time.
    now = new Date('2026-11-15T08:01:00Z');
    await settle();
    expect(records.map(({ message }) => message)).toEqual([
      'The schedule k waited for 2026-11-18T12:10:00.000Z because a clock was ahead. It continues from now.',
    ]);
    now = new Date('2026-11-15T08:10:01Z');
    await until(() => expect(fired).toEqual(['12:10', '08:10']));
  });

  test('a small step back of the clock repeats no occurrence, and the next firing shown is the one that will happen', async () => {
    const database = await databaseForTest();
    const { schedule, fired } = recorded('* * * * *');
    const [now] = (await database.pool.query('select clock_timestamp() as now')).rows.map((row) => row.now as Date);
    const ahead = new Date(Math.floor(now!.getTime() / 60_000) * 60_000 + 120_000);
    await fireIfDue(database.db, schedule, { now: () => now! });
    await fireIfDue(database.db, schedule, { now: () => ahead });
    await fireIfDue(database.db, schedule, { now: () => now! });
    expect(fired).toHaveLength(1);
    expect((await nextFirings(database.db, [schedule])).get('k')).toEqual(new Date(ahead.getTime() + 60_000));
  });
});
