import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import { createRegistry, defineTask, enqueue, enqueueMany, InvalidPayload, queues, type Task } from './index.ts';
import { jobs, task } from './testing.ts';

describe('enqueue', () => {
  test('a job gets the priority of its queue, extraction below scans and alerts above', async () => {
    const database = await databaseForTest();
    for (const queue of Object.keys(queues) as Task['queue'][])
      await enqueue(
        database.db,
        task(async () => {}, { queue }),
        { n: 1 },
      );
    expect((await jobs(database)).map(({ queue, priority }) => [queue, priority])).toEqual([
      ['scan', 0],
      ['extract', -10],
      ['index', 0],
      ['maintenance', 0],
      ['alerts', 5],
      ['thumbs', -15],
      ['embed', -20],
      ['exports', -20],
    ]);
  });

  test('at most one scan_library job per library is in todo, doing or aborting', async () => {
    const database = await databaseForTest();
    const scan = task(async () => {}, { name: 'scan_library', queue: 'scan' });
    const add = () => enqueue(database.db, scan, { n: 1 }, { lock: 'scan_library:a' });
    const ids = await Promise.all([add(), add(), add(), add(), add()]);
    expect(ids.filter((id) => id !== null)).toHaveLength(1);
    for (const state of ['todo', 'doing', 'aborting']) {
      await sql`update jobs set state = ${state}`.execute(database.db);
      expect(await add()).toBeNull();
    }
    expect(await enqueue(database.db, scan, { n: 2 }, { lock: 'scan_library:b' })).not.toBeNull();
    for (const state of ['succeeded', 'failed']) {
      await sql`update jobs set state = ${state}`.execute(database.db);
      expect(await add()).not.toBeNull();
    }
  });

  test('a job becomes visible when its transaction commits, and never if it rolls back', async () => {
    const database = await databaseForTest();
    const work = task(async () => {});
    await database.db.transaction().execute(async (trx) => {
      await enqueue(trx, work, { n: 1 });
      expect(await jobs(database)).toEqual([]);
    });
    expect(await jobs(database)).toHaveLength(1);
    const lost = database.db.transaction().execute(async (trx) => {
      await enqueueMany(trx, work, [{ n: 2 }, { n: 3 }]);
      throw new Error('rolled back');
    });
    await expect(lost).rejects.toThrow('rolled back');
    expect(await jobs(database)).toHaveLength(1);
  });

  test('an invalid payload is rejected before anything is written', async () => {
    const database = await databaseForTest();
    const work = task(async () => {});
    await expect(enqueue(database.db, work, { n: 'one' } as never)).rejects.toThrow(InvalidPayload);
    const many = Array.from({ length: 6_000 }, (_, n) => ({ n }));
    await expect(enqueueMany(database.db, work, [...many, { n: 2, more: true } as never])).rejects.toThrow(/count_it/);
    expect(await jobs(database)).toEqual([]);
  });

  test('many jobs keep their order, and those whose lock is taken are skipped', async () => {
    const database = await databaseForTest();
    const work = task(async () => {});
    const many = Array.from({ length: 12_000 }, (_, n) => ({ n }));
    expect(await enqueueMany(database.db, work, many, { lockOf: ({ n }) => `item:${n % 11_000}` })).toBe(11_000);
    const stored = await jobs(database);
    expect(stored.map(({ payload }) => (payload as { n: number }).n)).toEqual(many.slice(0, 11_000).map(({ n }) => n));
    expect(await enqueueMany(database.db, work, [])).toBe(0);
  });
});

describe('tasks', () => {
  test('a task must name an existing queue, at least one attempt and a batch of at least one', () => {
    expect(() => task(async () => {}, { queue: 'nowhere' as never })).toThrow(/nowhere/);
    expect(() => task(async () => {}, { attempts: 0 })).toThrow(/attempt/);
    expect(() => defineTask(task(async () => {}, { batch: 0 }))).toThrow(/batch/);
  });

  test('two tasks with the same name are rejected', () => {
    expect(() => createRegistry([task(async () => {}), task(async () => {})])).toThrow('Two tasks are named count_it.');
  });
});
