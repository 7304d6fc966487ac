import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';

let t: TestApp;
let library: string;
beforeAll(async () => {
  t = await createTestApp();
  library = await addLibrary(t.deps, { name: 'Photos' });
  await addItem(t.deps, library, 'top.txt', { size: 1 });
  await addItem(t.deps, library, '2023/a.jpg', { size: 10, title: 'Dawn', year: 2023 });
  await addItem(t.deps, library, '2023/b.jpg', { size: 20 });
  await addItem(t.deps, library, '2023/trip/c.jpg', { size: 40 });
  await addItem(t.deps, library, '2023 b/d.jpg', { size: 80 });
  await addItem(t.deps, library, '2024/deep/er/é/e.jpg', { size: 160 });
  await addItem(t.deps, library, '2024/gone.jpg', { size: 1000, status: 'missing' });
  await addItem(t.deps, library, '2024/bin.jpg', { size: 1000, status: 'trashed' });
});
afterAll(() => t.close());

const tree = async (query = '', as?: string) =>
  (await t.request('GET', `/libraries/${library}/tree${query}`, undefined, { as: as ?? 'read' })).json();

test('the items of a folder are sorted by name, size or time, and only those sorted by name have a cursor', async () => {
  const names = async (query: string) => (await tree(`?path=2023${query}`)).items.map((item: { filename: string }) => item.filename);
  expect(await names('')).toEqual(['a.jpg', 'b.jpg']);
  expect(await names('&items_sort=size')).toEqual(['b.jpg', 'a.jpg']);
  expect(await names('&items_sort=size&limit=1&offset=1')).toEqual(['a.jpg']);
  expect((await tree('?path=2023&items_sort=mtime&limit=1')).next_cursor).toBeNull();
  expect((await tree('?path=2023&limit=1')).next_cursor).not.toBeNull();
});

test('the tree lists one level: folders with recursive totals, then items; only active items count', async () => {
  expect(await tree()).toMatchObject({
    library_name: 'Photos',
    path: '',
    folders: [
      { name: '2023', item_count: 3, total_bytes: 70 },
      { name: '2023 b', item_count: 1, total_bytes: 80 },
      { name: '2024', item_count: 1, total_bytes: 160 },
    ],
    folders_total: 3,
    items: [{ filename: 'top.txt', size: 1, mtime: '2024-05-06T07:08:09.000Z' }],
    total_items: 1,
    total_files: 6,
    total_bytes: 311,
    next_cursor: null,
  });
  expect(await tree('?path=2023')).toMatchObject({
    folders: [{ name: 'trip', item_count: 1, total_bytes: 40 }],
    items: [{ filename: 'a.jpg', title: 'Dawn', year: 2023 }, { filename: 'b.jpg' }],
  });
  expect(await tree(`?path=${encodeURIComponent('/2024/deep/er/')}`)).toMatchObject({
    path: '2024/deep/er',
    folders: [{ name: 'é' }],
    items: [],
  });
});

test('folders are sorted without regard to letter case, as in a file manager', async () => {
  const library = await addLibrary(t.deps);
  for (const name of ['b', 'C', 'a', 'B', 'Ab', '10', '_', 'é']) await addItem(t.deps, library, `${name}/x.txt`);
  const { folders } = (await t.request('GET', `/libraries/${library}/tree`)).json();
  expect(folders.map(({ name }: { name: string }) => name)).toEqual(['10', '_', 'a', 'Ab', 'B', 'b', 'C', 'é']);
});

test('long levels are paged: folders by offset, items by cursor or offset', async () => {
  expect(await tree('?limit=2')).toMatchObject({ folders: [{ name: '2023' }, { name: '2023 b' }], folders_total: 3 });
  expect(await tree('?limit=2&folders_offset=2')).toMatchObject({ folders: [{ name: '2024' }], folders_total: 3, folders_offset: 2 });
  expect(await tree('?limit=2&folders_offset=9')).toMatchObject({ folders: [], folders_total: 3, total_files: 6, total_bytes: 311 });
  const names = async (query: string) => ((await tree(query)).folders as { name: string }[]).map(({ name }) => name);
  expect(await names('?folders_sort=size')).toEqual(['2024', '2023 b', '2023']);
  expect(await names('?folders_sort=count&limit=1')).toEqual(['2023']);
  expect(await tree('?folders_sort=age')).toMatchObject({ status: 422 });
  const first = await tree('?path=2023&limit=1');
  expect(first).toMatchObject({ items: [{ filename: 'a.jpg' }], total_items: 2 });
  const second = await tree(`?path=2023&limit=1&cursor=${first.next_cursor}`);
  expect(second).toMatchObject({ items: [{ filename: 'b.jpg' }], next_cursor: null });
  expect(await tree('?path=2023&limit=1&offset=1')).toMatchObject({ items: [{ filename: 'b.jpg' }] });
  expect(await tree('?cursor=nonsense')).toMatchObject({ code: 'cursor_invalid' });
});

test('a missing folder and a path outside the library are refused', async () => {
  expect(await tree('?path=nowhere')).toMatchObject({ status: 404 });
  expect(await tree(`?path=${encodeURIComponent('2023/../..')}`)).toMatchObject({ status: 422 });
});

test('counts, bytes, folders and items show only what grants allow', async () => {
  const { key } = await addPerson(t.deps, [
    [library, '2023', 'search_metadata'],
    [library, '2023/trip', 'search_metadata', 'deny'],
  ]);
  expect(await tree('', key)).toMatchObject({
    folders: [{ name: '2023', item_count: 2, total_bytes: 30 }],
    folders_total: 1,
    items: [],
    total_files: 2,
    total_bytes: 30,
  });
  expect(await tree('?path=2023', key)).toMatchObject({ folders: [], items: [{ filename: 'a.jpg' }, { filename: 'b.jpg' }] });
  expect(await tree('?path=2023/trip', key)).toMatchObject({ status: 404 });
  expect(await tree('?path=2024', key)).toMatchObject({ status: 404 });
});

test('extraction errors are listed with their kind, and only those a person may see', async () => {
  await addItem(t.deps, library, 'errors/a.pdf', { metadata: { _extract_error: 'The file is damaged.', _extract_error_kind: 'corrupt' } });
  await addItem(t.deps, library, 'hidden/b.pdf', { metadata: { _extract_error: { kind: 'timeout', message: 'Took too long.' } } });
  const all = (await t.request('GET', `/libraries/${library}/errors`)).json();
  expect(all).toMatchObject({
    count: 2,
    items: [
      { rel_path: 'errors/a.pdf', error: 'The file is damaged.', kind: 'corrupt' },
      { rel_path: 'hidden/b.pdf', error: 'Took too long.', kind: 'timeout' },
    ],
  });
  const { key } = await addPerson(t.deps, [[library, 'errors', 'search_metadata']]);
  expect((await t.request('GET', `/libraries/${library}/errors`, undefined, { as: key })).json().count).toBe(1);
});

test('schedules of folders are created, listed, updated and deleted; invalid ones are refused', async () => {
  const base = `/libraries/${library}/scan-paths`;
  const made = await t.request('POST', base, { rel_path: '/2023//trip/', scan_cron: '*/5 * * * *' });
  expect([made.statusCode, made.json()]).toMatchObject([
    201,
    { rel_path: '2023/trip', scan_cron: '*/5 * * * *', enabled: true, watch_mode: null },
  ]);
  const { id } = made.json();
  expect((await t.request('GET', base, undefined, { as: 'read' })).json()).toMatchObject([{ id }]);
  expect((await t.request('POST', base, { rel_path: '2023/trip' })).json()).toMatchObject({ status: 409 });
  for (const body of [{ rel_path: '../x' }, { scan_cron: 'x' }, { nonsense: 1 }, { enabled: 'yes' }])
    expect((await t.request('POST', base, body)).statusCode, JSON.stringify(body)).toBe(422);
  expect((await t.request('PATCH', `${base}/${id}`, { enabled: false, scan_cron: null })).json()).toMatchObject({
    enabled: false,
    scan_cron: null,
    next_scan_at: null,
  });
  expect((await t.request('DELETE', `${base}/${id}`)).statusCode).toBe(204);
  expect((await t.request('DELETE', `${base}/${id}`)).statusCode).toBe(404);
});
