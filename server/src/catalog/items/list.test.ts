import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import { ItemListed } from './schemas.ts';

let t: TestApp;
let first: string;
let second: string;
beforeAll(async () => {
  t = await createTestApp();
  [first, second] = [await addLibrary(t.deps), await addLibrary(t.deps)].sort() as [string, string];
  await addItem(t.deps, first, 'a/1.jpg', {
    file_category: 'image',
    file_group: 'raster-photo',
    tags: ['sea', 'sun'],
    metadata: { width: 1 },
  });
  await addItem(t.deps, first, 'a/2.PDF', { file_category: 'document', file_group: 'pdf', tags: ['sea'] });
  await addItem(t.deps, first, 'a b/3.jpg', { file_category: 'image', file_group: 'raster-photo' });
  await addItem(t.deps, first, 'gone.jpg', { status: 'missing' });
  await addItem(t.deps, first, 'bin.jpg', { status: 'trashed' });
  await addItem(t.deps, second, 'z%_/é.jpg', { file_category: 'image', file_group: 'raw-photo' });
});
afterAll(() => t.close());

interface Page {
  items: { rel_path: string; library_id: string; metadata?: object }[];
  total: number;
  limit: number;
  next_cursor: string | null;
}
const list = async (query: string, as = 'read'): Promise<Page> => (await t.request('GET', `/items${query}`, undefined, { as })).json();
const paths = async (query: string, as?: string) => (await list(query, as)).items.map(({ rel_path }) => rel_path);

test('items are listed by library, folder and name, only active ones by default, without metadata unless requested', async () => {
  const all = await list('');
  expect(all.items.map(({ rel_path }) => rel_path)).toEqual(['a/1.jpg', 'a/2.PDF', 'a b/3.jpg', 'z%_/é.jpg']);
  expect(all).toMatchObject({ total: 4, limit: 50, next_cursor: null });
  expect(all.items[0]!.metadata).toBeUndefined();
  expect((await list('?include=metadata')).items[0]!.metadata).toEqual({ width: 1 });
});

test('filters narrow the list, repeated values widen it', async () => {
  expect(await paths(`?library_id=${second}`)).toEqual(['z%_/é.jpg']);
  expect(await paths(`?library_id=${second}&library_id=${first}`)).toHaveLength(4);
  expect(await paths('?status=missing&status=trashed')).toEqual(['bin.jpg', 'gone.jpg']);
  expect(await paths('?status=any')).toHaveLength(6);
  expect(await paths('?rel_path=a/')).toEqual(['a/1.jpg', 'a/2.PDF']);
  expect(await paths(`?rel_path=${encodeURIComponent('z%_')}`)).toEqual(['z%_/é.jpg']);
  expect(await paths('?category=image&group=raw-photo')).toEqual(['z%_/é.jpg']);
  expect(await paths('?group=raw-photo&group=pdf')).toEqual(['a/2.PDF', 'z%_/é.jpg']);
  expect(await paths('?extension=.PDF')).toEqual(['a/2.PDF']);
  expect(await paths('?tag=sea&tag=sun')).toEqual(['a/1.jpg']);
});

test('an unknown category or group, a wrong limit, status or cursor is a 422', async () => {
  for (const query of ['?category=imgae', '?group=nope'])
    expect(await list(query), query).toMatchObject({ status: 422, code: 'taxonomy_unknown' });
  for (const query of ['?limit=0', '?limit=201', '?status=dead', '?library_id=x', '?include=body', '?rel_path=%00'])
    expect(await list(query), query).toMatchObject({ status: 422, code: 'validation_failed' });
  const forged = (value: unknown) => `?cursor=${Buffer.from(JSON.stringify(value)).toString('base64url')}`;
  for (const query of [
    '?cursor=abc',
    forged({ after: ['x', 'y'], total: 1 }),
    forged({ after: [first, '\0'], total: 1 }),
    forged(null),
    forged([]),
  ])
    expect(await list(query), query).toMatchObject({ status: 422, code: 'cursor_invalid' });
});

test('pages have no gaps or repeats, even when items are added and deleted between them', async () => {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await list(`?limit=1${cursor ? `&cursor=${cursor}` : ''}`);
    expect(page.total).toBe(4);
    seen.push(...page.items.map(({ rel_path }) => rel_path));
    cursor = page.next_cursor;
    if (seen.length === 2) await addItem(t.deps, first, '0 before.jpg');
  } while (cursor);
  expect(seen).toEqual(['a/1.jpg', 'a/2.PDF', 'a b/3.jpg', 'z%_/é.jpg']);
});

test('a cursor is valid only for the rights and the filter of its first page, on which the total depends', async () => {
  const { next_cursor } = await list('?limit=1');
  const { key } = await addPerson(t.deps, [[first, 'a', 'search_metadata']]);
  expect(await list(`?limit=1&cursor=${next_cursor}`, key)).toMatchObject({ status: 422, code: 'cursor_invalid' });
  expect(await list(`?limit=1&category=image&cursor=${next_cursor}`)).toMatchObject({ status: 422, code: 'cursor_invalid' });
  expect(await list(`?limit=2&include=metadata&cursor=${next_cursor}`)).toMatchObject({ limit: 2 });
});

test('the list and its total contain only what grants allow', async () => {
  const { key } = await addPerson(t.deps, [
    [first, 'a', 'search_metadata'],
    [first, 'a/2.PDF', 'search_metadata', 'deny'],
  ]);
  expect(await list('?status=any', key)).toMatchObject({ total: 1, items: [{ rel_path: 'a/1.jpg' }] });
});

test('a listed item shows the fields of its schema and no other', async () => {
  const { metadata: _, ...plain } = ItemListed.properties;
  for (const item of (await list('?status=any')).items) expect(Object.keys(item).sort()).toEqual(Object.keys(plain).sort());
  for (const item of (await list('?include=metadata')).items)
    expect(Object.keys(item).sort()).toEqual(Object.keys(ItemListed.properties).sort());
});
