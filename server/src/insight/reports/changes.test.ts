import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';

let t: TestApp;
let archive: string;
let films: string;

interface Row {
  item_id: string;
  change: string;
  rel_path: string;
  from_path: string | null;
  size: number | null;
}

beforeAll(async () => {
  t = await createTestApp();
  archive = await addLibrary(t.deps, { name: 'Archive', root_path: '/media/archive' });
  films = await addLibrary(t.deps, { name: 'Films', root_path: '/media/films' });
});
afterAll(() => t.close());

/** A finished run with its changes: kind, item, path, and for a move the path and the library before. */
async function addRun(
  library: string,
  changes: [kind: string, item: string, path: string, from?: string, fromLibrary?: string][],
  initial = false,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`insert into scan_runs (library_id, status, phase, started_at, finished_at, initial)
    values (${library}, 'finished', 'done', clock_timestamp(), clock_timestamp(), ${initial}) returning id`.execute(t.deps.db);
  for (const [kind, item, path, from = null, fromLibrary = from && library] of changes)
    await sql`insert into scan_changes (run_id, library_id, item_id, kind, rel_path, from_rel_path, from_library_id)
      values (${rows[0]!.id}, ${library}, ${item}, ${kind}, ${path}, ${from}, ${fromLibrary})`.execute(t.deps.db);
}

async function run(query: string, as = 'read') {
  const response = await t.request('GET', `/reports/changes${query}`, undefined, { as });
  expect(response.statusCode, response.body).toBe(200);
  return response.json() as { rows: Row[]; total: number; next_cursor: string | null };
}

async function allPages(query: string, as = 'read'): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await run(`?limit=2${query}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`, as);
    rows.push(...page.rows);
    cursor = page.next_cursor;
  }
  return rows;
}

test('what left and what came between two dates is the net change of each file, page by page', async () => {
  const [quiet, edited, lost] = [
    await addItem(t.deps, archive, 'quiet.txt'),
    await addItem(t.deps, archive, 'in/edited.txt'),
    await addItem(t.deps, archive, 'lost.txt'),
  ];
  const [film, gone, back] = [
    await addItem(t.deps, films, 'b/film.mkv'),
    await addItem(t.deps, films, 'gone.mkv'),
    await addItem(t.deps, films, 'back.mkv'),
  ];
  // The first scan of a library logs no additions.
  await addRun(archive, [], true);
  await addRun(films, [
    ['moved', film, 'b/film.mkv', 'a/film.mkv'],
    ['gone', back, 'back.mkv'],
  ]);
  await addRun(archive, [
    ['changed', edited, 'in/edited.txt'],
    ['gone', lost, 'lost.txt'],
  ]);
  await sql`update items set status = 'missing', deleted_at = now() where id = any(${[lost, gone]}::uuid[])`.execute(t.deps.db);
  const later = await addItem(t.deps, archive, 'later.txt');
  await addRun(films, [
    ['changed', film, 'b/film.mkv'],
    ['returned', back, 'back.mkv'],
    ['gone', gone, 'gone.mkv'],
  ]);
  await addRun(archive, [['added', later, 'later.txt']]);
  const expected = {
    'quiet.txt': 'came',
    'in/edited.txt': 'came',
    'later.txt': 'came',
    'b/film.mkv': 'moved',
    'gone.mkv': 'left',
    'back.mkv': 'changed',
  };
  const paged = await allPages('');
  expect(Object.fromEntries(paged.map(({ rel_path, change }) => [rel_path, change]))).toEqual(expected);
  expect(paged.find(({ item_id }) => item_id === film)?.from_path).toBe('a/film.mkv');
  expect(paged.at(-1)?.item_id).toBe(quiet);
  const whole = await run('?sort=-changed_at');
  expect(whole.rows).toEqual(paged);
  expect([whole.total, (await run('?limit=2')).total]).toEqual([6, 6]);
  expect((await run(`?limit=1&library_id=${films}`)).total).toBe(3);
  expect((await run(`?limit=1&library_id=${archive}&folder=in`)).total).toBe(1);
});

test('changes are those of files that the caller sees', async () => {
  const { key } = await addPerson(t.deps, [
    [films, 'b', 'search_metadata'],
    [archive, 'in', 'search_metadata'],
  ]);
  expect((await allPages('', key)).map(({ rel_path }) => rel_path).sort()).toEqual(['b/film.mkv', 'in/edited.txt']);
  expect((await run('?limit=1', key)).total).toBe(2);
});

test('a move across the border of what the caller sees is a file that came or left, without its other path or its size', async () => {
  const shared = await addLibrary(t.deps, { name: 'Shared', root_path: '/media/shared' });
  const closed = await addLibrary(t.deps, { name: 'Closed', root_path: '/media/closed' });
  const { key } = await addPerson(t.deps, [
    [shared, 'pub', 'search_metadata'],
    [shared, 'pub', 'download'],
    [shared, 'pub/hidden', 'search_metadata', 'deny'],
  ]);
  const [published, withdrawn, renamed, imported, exported] = [
    await addItem(t.deps, shared, 'pub/published.txt', { size: 11 }),
    await addItem(t.deps, shared, 'pub/hidden/withdrawn.txt', { size: 22 }),
    await addItem(t.deps, shared, 'pub/renamed.txt', { size: 33 }),
    await addItem(t.deps, shared, 'pub/imported.txt', { size: 44 }),
    await addItem(t.deps, closed, 'exported.txt', { size: 55 }),
  ];
  await addRun(shared, [['changed', withdrawn, 'pub/before.txt']]);
  await addRun(shared, [
    ['moved', published, 'pub/published.txt', 'pub/hidden/draft.txt'],
    ['moved', withdrawn, 'pub/hidden/withdrawn.txt', 'pub/before.txt'],
    ['moved', renamed, 'pub/renamed.txt', 'pub/old-name.txt'],
    ['moved', imported, 'pub/imported.txt', 'secret.txt', closed],
  ]);
  await addRun(closed, [['moved', exported, 'exported.txt', 'pub/exported.txt', shared]]);
  const expected = [
    { change: 'left', rel_path: 'pub/before.txt', from_path: null, size: null },
    { change: 'left', rel_path: 'pub/exported.txt', from_path: null, size: null },
    { change: 'came', rel_path: 'pub/imported.txt', from_path: null, size: 44 },
    { change: 'came', rel_path: 'pub/published.txt', from_path: null, size: 11 },
    { change: 'moved', rel_path: 'pub/renamed.txt', from_path: 'pub/old-name.txt', size: 33 },
  ];
  const rows = (await allPages('', key)).map(({ change, rel_path, from_path, size }) => ({ change, rel_path, from_path, size }));
  expect(rows.sort((a, b) => (a.rel_path < b.rel_path ? -1 : 1))).toEqual(expected);
  expect((await run('?limit=1', key)).total).toBe(expected.length);
  const csv = await t.request('GET', '/reports/changes?format=csv', undefined, { as: key });
  expect(csv.statusCode, csv.body).toBe(200);
  expect(csv.body).not.toMatch(/hidden|secret|Closed/);
});

test('a caller with rules for 500 folders reads and exports the changes', async () => {
  const wide = await addLibrary(t.deps, { name: 'Wide', root_path: '/media/wide' });
  const { id: person, key } = await addPerson(t.deps, []);
  await sql`insert into grants (principal_id, library_id, rel_path, action, effect)
    select ${person}, ${wide}, 'folder ' || n, action, 'allow' from generate_series(1, 500) n cross join unnest(array['search_metadata', 'download']) action`.execute(
    t.deps.db,
  );
  await addRun(wide, [], true);
  const seen = await addItem(t.deps, wide, 'folder 500/seen.txt');
  const hidden = await addItem(t.deps, wide, 'folder 501/hidden.txt');
  await addRun(wide, [
    ['moved', seen, 'folder 500/seen.txt', 'folder 499/seen.txt'],
    ['changed', hidden, 'folder 501/hidden.txt'],
  ]);
  for (const query of ['?limit=10', '?sort=rel_path'])
    expect(await run(query, key)).toMatchObject({
      rows: [{ rel_path: 'folder 500/seen.txt', from_path: 'folder 499/seen.txt' }],
      total: 1,
    });
  const csv = await t.request('GET', '/reports/changes?format=csv', undefined, { as: key });
  expect(csv.statusCode, csv.body).toBe(200);
  expect(csv.body.trim().split('\r\n')).toHaveLength(2);
});
