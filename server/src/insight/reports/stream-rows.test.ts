import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import { until } from '../../../test/service.ts';
import type { Database } from '../../platform/database/index.ts';
import { streamRows } from './stream-rows.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const read = async (query: ReturnType<typeof sql>): Promise<unknown[][]> => {
  const rows: unknown[][] = [];
  for await (const batch of streamRows(database, query, { check: null })) rows.push(...batch);
  return rows;
};

const texts = [
  'plain',
  '',
  '\\N',
  '\\',
  'tab\tnew\nline\rback\bform\fvertical\v',
  "quote ' and \\' and $1",
  'ümlaut 漢字 😀',
  '{"a","b"}',
  null,
];

test('values arrive as they are stored, whatever characters they contain, and so do those of the statement', async () => {
  expect(await read(sql`select t, ${"it's \\ $2"}, 7 from unnest(${texts}::text[]) with ordinality u(t, n) order by n`)).toEqual(
    texts.map((each) => [each, "it's \\ $2", 7]),
  );
});

test('types are those of an ordinary statement', async () => {
  const query = sql`select 5::bigint, 0.5::float8, true, ${['x', 'a "b" \\']}::text[], '{"a":[1]}'::jsonb, null::bigint, '0b7a7f3e-0000-4000-8000-000000000001'::uuid, '"s"'::jsonb`;
  const { sql: text, parameters } = query.compile(database.db);
  const { rows } = await database.pool.query({ text, values: [...parameters], rowMode: 'array' });
  expect(await read(query)).toEqual(rows);
});

test('lines longer than a chunk and more rows than a batch are complete', async () => {
  const rows = await read(sql`select n, repeat('é', case when n % 1000 = 0 then 400000 else 3 end) from generate_series(1, 5001) n`);
  expect(rows).toHaveLength(5001);
  expect(rows.every(([n, text], at) => n === at + 1 && (text as string).length === ((at + 1) % 1000 === 0 ? 400_000 : 3))).toBe(true);
});

test('a value with a NUL character is refused before the statement is sent', async () => {
  await expect(read(sql`select ${'a\0b'}`)).rejects.toThrow('NUL');
});

test('a failing statement throws, and a reader that stops early ends the statement', async () => {
  await expect(read(sql`select 1 / (n - 3000) from generate_series(1, 5000) n`)).rejects.toThrow('division by zero');
  for await (const batch of streamRows(database, sql`select n, repeat('x', 1000) as early from generate_series(1, 10000000) n`, {
    check: null,
  })) {
    expect(batch.length).toBeGreaterThan(0);
    break;
  }
  await until(async () => {
    const { rows } = await database.pool.query(
      "select from pg_stat_activity where datname = current_database() and state = 'active' and query like 'copy%early%'",
    );
    return rows.length === 0;
  }, 'the statement to end');
});

test('slow readers leave connections for others, and further streams wait for their turn', async () => {
  const { max } = database.pool.options;
  const open = () => streamRows(database, sql`select n, repeat('x', 1000) from generate_series(1, 100000) n`, { check: async () => {} });
  const streams = Array.from({ length: max + 1 }, open);
  const started = streams.map(async (stream) => (await stream.next()).done);
  await Promise.all(started.slice(0, Math.floor(max / 2)));
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  for (const [at, stream] of streams.entries()) {
    expect(await started[at]).toBe(false);
    await stream.return(undefined);
  }
});

test('a reader that has stopped reading for too long leaves its turn to others', async () => {
  const { max } = database.pool.options;
  const open = (options: object) =>
    streamRows(database, sql`select n, repeat('x', 1000) from generate_series(1, 100000) n`, { check: null, ...options });
  const paused = Array.from({ length: Math.floor(max / 2) }, () => open({ maxSeconds: 1 }));
  for (const stream of paused) expect((await stream.next()).done).toBe(false);
  const next = open({});
  expect((await next.next()).done).toBe(false);
  await next.return(undefined);
  for (const stream of paused)
    await expect(async () => {
      for await (const _ of stream);
    }).rejects.toThrow(/not read within 1 seconds|statement timeout/);
  expect((await read(sql`select 1`)).length).toBe(1);
});
