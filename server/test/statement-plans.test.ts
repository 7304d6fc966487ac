import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleDuplicates } from '../src/insight/copies/index.ts';
import { addPerson } from './catalog-rows.ts';
import { createIndexedApp, type IndexedApp } from './indexed-app.ts';
import { listOperations, requestTo } from './operations.ts';
import { until } from './service.ts';

/**
 * Calls the routes and explains every statement that they sent. A statement must not read a large table from beginning to end, because its
 * cost would grow with the catalog. With PLAN_ROWS=1000000 it fills a million items, lets the planner choose, and calls every operation with
 * generated requests. `npm test` fills few and calls the GET routes only; there the planner would prefer such reads, so they are switched off,
 * and one that remains has no index to use.
 */
const rows = Number(process.env['PLAN_ROWS'] ?? 1000);
const plannerChooses = rows >= 100_000;
const requestsPerOperation = 12;
/** Operations between two looks for ids of what the earlier ones have created. */
const idsUsedFor = 20;
const seed = 20_261_117;

/** Tables that do not grow with the catalog, although this test fills them. */
const bounded = new Map([
  ['extensions', 'file types, not files'],
  ['duplicate_changes', 'a queue, read from its front with a limit'],
  ['name_changes', 'a queue, read from its front with a limit'],
  ['folder_changes', 'emptied by the compaction of counts; holds the changes of the last minutes'],
]);

/** Statements whose cost follows what was asked for, not the catalog. Here a fifth of all files are duplicates. */
const allowed: { route: RegExp; text?: RegExp; table: string; because: string }[] = [
  ...['item_rows', 'folders'].flatMap((table) => [
    { route: /\/libraries\/{library_id}\/export$/, table, because: 'an export reads what it exports' },
    {
      route: /\/custom-reports\/.*\/run/,
      text: /^select count\(\*\) as total/,
      table,
      because: 'counts what the report lists; for the first page only, and the count ends by time',
    },
  ]),
  {
    route: /\/query\/preview$/,
    table: 'item_rows',
    because: 'a condition on any part of a path has no index; the count ends at a limit, and by time',
  },
  {
    route: /\/duplicates\/plan|\/reports\/duplicate_files/,
    table: 'duplicate_groups',
    because: 'sums over all duplicates, kept until one changes',
  },
  ...['duplicate_members', 'folders'].map((table) => ({
    route: /\/duplicates\/plan/,
    table,
    because: 'a plan decides about every duplicate by its path; kept until one changes',
  })),
  {
    route: /\/duplicates\/plan\/list$/,
    table: 'item_rows',
    because: 'lists every duplicate; with a fifth of all files, reading all is cheaper',
  },
  {
    route: /\/reports\/permissions_mixed_folders$/,
    table: 'folders',
    because: 'compares every folder that has an access list with the folder above it, limited by time',
  },
  { route: /\/reports\/largest_folders$/, table: 'folders', because: 'only for a folder whose own row is not written yet' },
];

interface Sent {
  route: string;
  text: string;
  values: unknown[];
}
interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

let t: IndexedApp;
let recording: string | null = null;
const sent = new Map<string, Sent>();
const client = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
const original = client.query;

beforeAll(async () => {
  t = await createIndexedApp({ SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') });
  // Several, because a share of the rows is where wrong expectations of the planner show.
  const libraries: string[] = [];
  while (libraries.length < 12) libraries.push(await t.addLibrary(libraries.length === 0 ? 'Plans' : `Plans ${libraries.length}`));
  const libraryOf = (n: string) => sql`(${libraries}::uuid[])[${sql.raw(n)} % ${libraries.length}::int + 1]`;
  const folders = Math.ceil(rows / 10);
  await sql`insert into folders (library_id, rel_path, path)
    select ${libraryOf('n')}, 'folder ' || n, 'x' from generate_series(1, ${folders}::int) n`.execute(t.deps.db);
  await sql`insert into items (library_id, folder_id, filename, extension, file_category, file_group, status, size, mtime_ns, content_hash, quick_hash)
    select f.library_id, f.id, 'file ' || n || '.pdf', 'pdf', 'document', 'pdf', 'active', n % 5000 * 1000 + case when n % 500 = 0 then 2000000000 else 0 end, n::bigint * 1000000000, md5(hashed::text), left(md5(hashed::text), 16)
    from generate_series(1, ${rows}::int) n cross join lateral (select n - (n % 10 = 1)::int as hashed, n % ${folders}::int + 1 as place) h
    join folders f on f.library_id = ${libraryOf('place')} and f.rel_path = 'folder ' || place`.execute(t.deps.db);
  // Plans do not depend on how much of it is in the index, but a search must find something.
  if (plannerChooses)
    await sql`delete from index_outbox where item_id not in (select item_id from index_outbox limit 1000)`.execute(t.deps.db);
  await until(async () => (await t.request('GET', '/search?q=file&facets=false')).json().total > 0, 'the index to hold items', 280_000);
  while ((await settleDuplicates(t.deps.db, { batches: 1 })) > 0);
  await sql`vacuum analyze`.execute(t.deps.db);
  client.query = function (this: unknown, ...args: unknown[]) {
    // A named statement is one object.
    const [given, list] = args as [unknown, unknown];
    const { text, values } =
      typeof given === 'string' ? { text: given, values: list } : ((given ?? {}) as { text?: unknown; values?: unknown });
    if (recording !== null && typeof text === 'string' && /^\s*(select|with|insert|update|delete)/i.test(text) && !sent.has(text))
      sent.set(text, { route: recording, text, values: Array.isArray(values) ? values : [] });
    return original.apply(this, args);
  };
}, 900_000);
afterAll(async () => {
  client.query = original;
  await t.close();
});

/** Values for required query parameters. */
const values: Record<string, string> = {
  q: 'file',
  path: '/media/Plans',
  field: 'extension',
  fields: 'extension',
  format: 'csv',
  word: 'file',
};

async function idsByKind(): Promise<string[]> {
  const { rows: found } = await sql<{ id: string }>`(select id::text from libraries limit 1) union all (select id::text from items limit 1)
    union all (select id::text from folders limit 1)`.execute(t.deps.db);
  return found.map(({ id }) => id);
}

/** One id of every table that has any, so that every route finds what it is about. */
async function idsOfEveryTable(): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'id' and data_type = 'uuid'`.execute(t.deps.db);
  const ids: string[] = [];
  for (const { name } of tables) {
    const { rows: found } = await sql<{ id: string }>`select id from ${sql.table(name)} limit 1`.execute(t.deps.db);
    if (found[0]) ids.push(found[0].id);
  }
  return ids;
}

/**
 * Generated requests to every operation. Those that create come first, so that the others find something, and those that delete last.
 * Restores and maintenance mode would change what the others do.
 */
async function callEveryOperation(): Promise<void> {
  const order = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];
  const operations = (await listOperations(t)).filter(
    ({ url }) => !/\/(events|fs\/count|maintenance-mode)$|restore/.test(url) && !url.includes('/agent/'),
  );
  operations.sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method));
  let ids: string[] = [];
  for (const [at, operation] of operations.entries()) {
    if (at % idsUsedFor === 0) ids = await idsOfEveryTable();
    for (const { url, body } of fc.sample(requestTo(operation, ids), { numRuns: requestsPerOperation, seed })) {
      recording = `${operation.method} ${operation.url}`;
      await t.request(operation.method, url, body);
      recording = null;
    }
  }
}

async function callEveryRoute(as: string): Promise<{ called: string[]; skipped: string[] }> {
  const document = (await t.request('GET', '/api/openapi.json')).json() as {
    paths: Record<string, { get?: { parameters?: { name: string; in: string; required?: boolean }[] } }>;
  };
  const ids = await idsByKind();
  const called: string[] = [];
  const skipped: string[] = [];
  for (const [path, { get }] of Object.entries(document.paths)) {
    if (!get || path.endsWith('/events') || path.endsWith('/fs/count')) continue;
    const needed = (get.parameters ?? [])
      .filter((each) => each.in === 'query' && each.required)
      .map(({ name }) => `${name}=${values[name] ?? 'x'}`);
    let isCalled = false;
    for (const id of path.includes('{') ? ids : ['']) {
      recording = `GET ${path}`;
      const url = `${path.replace(/\{[^}]+\}/g, id)}${needed.length > 0 ? `?${needed.join('&')}` : ''}`;
      const { statusCode } = await t.request('GET', url, undefined, { as });
      recording = null;
      isCalled ||= statusCode < 400;
    }
    (isCalled ? called : skipped).push(path);
  }
  const reports = (await t.request('GET', '/reports')).json() as { reports: { id: string }[] };
  expect(reports.reports.length).toBeGreaterThan(5);
  const listed = { name: `In the order of paths, for ${as.slice(0, 5)}`, query: 'library:Plans', columns: ['path', 'size'], shared: true };
  const custom = (await t.request('POST', '/custom-reports', listed)).json() as { id: string };
  const more = [
    `/custom-reports/${custom.id}/run?limit=100`,
    '/search?q=file&sort=size',
    '/search?q=folder&facets=true',
    ...reports.reports.map(({ id }) => `/reports/${id}`),
  ];
  for (const url of more) {
    recording = `GET ${url}`;
    await t.request('GET', url, undefined, { as });
    recording = null;
  }
  return { called, skipped };
}

test('no statement of a route reads a large table from beginning to end', { timeout: 1_800_000 }, async () => {
  const { called, skipped } = await callEveryRoute('admin');
  // A caller who sees one folder only gets other statements, which compare paths.
  const { rows: libraries } = await sql<{ id: string }>`select id from libraries`.execute(t.deps.db);
  const { key } = await addPerson(t.deps, [[libraries[0]!.id, 'folder 7', 'search_metadata']]);
  await callEveryRoute(key);
  const ofReads = sent.size;
  const { rows: tables } = await sql<{ name: string }>`select relname as name from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and reltuples >= ${rows / 10}`.execute(t.deps.db);
  const large = new Set(tables.map(({ name }) => name).filter((name) => !bounded.has(name)));
  expect(large.has('item_rows')).toBe(true);
  if (plannerChooses) await callEveryOperation();
  const bad: string[] = [];
  const connection = await t.deps.database.pool.connect();
  try {
    for (const { route, text, values: given } of sent.values()) {
      await connection.query('begin');
      if (!plannerChooses) await connection.query('set local enable_seqscan = off');
      const result = await connection.query(`explain (format json) ${text}`, given as unknown[]).catch((error: Error) => error);
      await connection.query('rollback');
      if (result instanceof Error) throw new Error(`${route}: ${result.message}: ${text}`);
      const scanned = tablesRead(result.rows[0]['QUERY PLAN'][0].Plan).filter(
        (name) =>
          large.has(name) && !allowed.some((each) => each.route.test(route) && (each.text?.test(text) ?? true) && each.table === name),
      );
      if (scanned.length > 0)
        bad.push(`${route} reads all of ${[...new Set(scanned)].join(', ')}: ${text.replace(/\s+/g, ' ').slice(0, 700)}`);
    }
  } finally {
    connection.release();
  }
  console.log(
    `${sent.size} statements, ${ofReads} of them of ${called.length} GET routes; ${skipped.length} routes need other data: ${skipped.join(' ')}`,
  );
  expect(bad).toEqual([]);
  expect(called.length).toBeGreaterThan(60);
});

function tablesRead(plan: Plan): string[] {
  const own = plan['Node Type'] === 'Seq Scan' && plan['Relation Name'] ? [plan['Relation Name']] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(tablesRead)];
}
