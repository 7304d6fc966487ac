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
}

beforeAll(async () => {
  t = await createTestApp();
  archive = await addLibrary(t.deps, { name: 'Archive', root_path: '/media/archive' });
  films = await addLibrary(t.deps, { name: 'Films', root_path: '/media/films' });
});
afterAll(() => t.close());

/** A finished run with its changes: kind, item, path, and for a move the path before. */
async function addRun(
  library: string,
  changes: [kind: string, item: string, path: string, from?: string][],
  initial = false,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`insert into scan_runs (library_id, status, phase, started_at, finished_at, initial)
    values (${library}, 'finished', 'done', clock_timestamp(), clock_timestamp(), ${initial}) returning id`.execute(t.deps.db);
  for (const [kind, item, path, from = null] of changes)
    await sql`insert into scan_changes (run_id, library_id, item_id, kind, rel_path, from_rel_path)
      values (${rows[0]!.id}, ${library}, ${item}, ${kind}, ${path}, ${from})`.execute(t.deps.db);
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
