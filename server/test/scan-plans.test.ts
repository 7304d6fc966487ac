import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addLibrary, scan, tree, write } from '../src/catalog/scan/library.fixture.ts';
import type { Database } from '../src/platform/database/index.ts';
import { cloneDatabase } from './database.ts';

// A scan sends the same statements for each batch of files. One that reads all items makes it slower with every file that the catalog has.
const rows = 30_000;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  Plans?: Plan[];
}

let database: Database;
let recording = false;
const sent = new Map<string, unknown[]>();
const client = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
const original = client.query;

beforeAll(async () => {
  database = await cloneDatabase();
  await stopAutovacuum();
  const other = await addLibrary(database.db, '/nowhere/else');
  await sql`insert into folders (library_id, rel_path, path) select ${other}, 'folder ' || n, 'x' from generate_series(1, ${rows / 10}::int) n`.execute(
    database.db,
  );
  await sql`insert into items (library_id, folder_id, filename, extension, file_category, file_group, status, size, mtime_ns, content_hash, quick_hash)
    select f.library_id, f.id, 'file ' || n || '.txt', 'txt', 'document', 'text', 'active', n, n, md5(n::text) || md5(n::text),
      left(md5(n::text), 16)
    from generate_series(1, ${rows}::int) n join folders f on f.library_id = ${other} and f.rel_path = 'folder ' || (n % ${rows / 10}::int + 1)`.execute(
    database.db,
  );
  client.query = function (this: unknown, ...args: unknown[]) {
    const [given, list] = args as [unknown, unknown];
    const { text, values } =
      typeof given === 'string' ? { text: given, values: list } : ((given ?? {}) as { text?: unknown; values?: unknown });
    if (recording && typeof text === 'string' && /^\s*(select|with|insert|update|delete)/i.test(text) && !sent.has(text))
      sent.set(text, Array.isArray(values) ? values : []);
    return original.apply(this, args);
  };
}, 120_000);
afterAll(async () => {
  client.query = original;
  await database.close();
});

test('an unchanged scan of a new library reads no file from the database', async () => {
  const { db } = database;
  const root = tree(Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`${n % 20}/${n}.txt`, `unchanged ${n}`])));
  const library = await addLibrary(db, root);
  await scan(db, library);
  sent.clear();
  recording = true;
  const run = await scan(db, library);
  recording = false;
  expect(run.stats).toMatchObject({ seen: 2000, folders_unchanged: 21, new: 0 });
  const found: string[] = [];
  for (const [text, values] of sent) {
    if (!/^\s*select/i.test(text)) continue;
    const read = itemsRead(await explain('analyze, format json', text, values));
    if (read > 10) found.push(`${read}: ${shortened(text)}`);
  }
  expect(sent.size).toBeGreaterThan(10);
  expect(found).toEqual([]);
}, 60_000);

const tablesReadWhole = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' && ['item_rows', 'folders'].includes(plan['Relation Name'] ?? '')
    ? [plan['Relation Name'] ?? '']
    : []),
  ...(plan.Plans ?? []).flatMap(tablesReadWhole),
];

// PostgreSQL collects statistics table by table, so a scan may run when it has them about some tables only.
test.each([
  ['without', null],
  ['with', sql`vacuum analyze item_rows, folders`],
  ['with all', sql`vacuum analyze`],
])(
  'no statement of a scan reads all files, %s statistics about them',
  async (statistics, collect) => {
    const { db } = database;
    await collect?.execute(db);
    const many = (folder: string): Record<string, string> =>
      Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${folder}/${n}.txt`, `${statistics} ${folder} ${n}`]));
    const root = tree({ ...many('kept'), ...many('renamed'), ...many('moved'), ...many('deleted') });
    const library = await addLibrary(db, root);
    await scan(db, library);
    sent.clear();
    recording = true;
    write(root, many('new'));
    renameSync(path.join(root, 'renamed'), path.join(root, 'other name'));
    for (let n = 0; n < 60; n += 1) renameSync(path.join(root, `moved/${n}.txt`), path.join(root, `kept/moved ${n}.txt`));
    rmSync(path.join(root, 'deleted'), { recursive: true });
    const run = await scan(db, library);
    recording = false;
    expect(run.stats).toMatchObject({ new: 60, moved: 120, missing: 60 });
    expect(sent.size).toBeGreaterThan(20);
    await collect?.execute(db);
    const found: string[] = [];
    for (const [text, values] of sent)
      for (const table of tablesReadWhole(await explain('format json', text, values))) found.push(`${table}: ${shortened(text)}`);
    expect(found).toEqual([]);
  },
  60_000,
);

/** Statistics exist only where a test collects them. */
async function stopAutovacuum(): Promise<void> {
  const { rows: tables } = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(database.db);
  for (const { name } of tables) await sql`alter table ${sql.table(name)} set (autovacuum_enabled = false)`.execute(database.db);
}

const shortened = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 400);

const itemsRead = (plan: Plan): number =>
  (plan['Relation Name'] === 'item_rows' ? (plan['Actual Rows'] ?? 0) * (plan['Actual Loops'] ?? 0) : 0) +
  (plan.Plans ?? []).reduce((sum, each) => sum + itemsRead(each), 0);

async function explain(how: string, text: string, values: unknown[]): Promise<Plan> {
  const { rows: lines } = (await original.call(await connection(), `explain (${how}) ${text}`, values)) as {
    rows: { 'QUERY PLAN': { Plan: Plan }[] }[];
  };
  return lines[0]!['QUERY PLAN'][0]!.Plan;
}

let opened: pg.PoolClient | undefined;
async function connection(): Promise<pg.PoolClient> {
  opened ??= await database.pool.connect();
  return opened;
}
afterAll(() => opened?.release());
