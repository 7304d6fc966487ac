import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import { purgeItemVersions } from './history.ts';
import { purgeRecycleBin } from './recycle.ts';

let t: TestApp;
let root: string;
let library: string;
let other: string;
beforeAll(async () => {
  t = await createTestApp();
  root = mkdtempSync(path.join(os.tmpdir(), 'catalog-items-'));
  library = await addLibrary(t.deps, { name: 'Photos', root_path: root, native_prefix: '\\\\nas\\photos' });
  other = await addLibrary(t.deps, { name: 'Secret' });
});
afterAll(async () => {
  await t.close();
  rmSync(root, { recursive: true, force: true });
});

const nobody = '01a1dcfe-9952-7896-a4ba-953f2deb22a4';
const get = async (id: string, as?: string) => (await t.request('GET', `/items/${id}`, undefined, { as: as ?? 'read' })).json();

test('an item is shown with its paths, hashes, links, overlay and metadata', async () => {
  const id = await addItem(t.deps, library, 'a dir/b.jpg', {
    size: 12,
    title: 'Found',
    year: 2001,
    quick_hash: 'q',
    content_hash: 'c',
    metadata: { width: 3, _extract_error: 'damaged' },
  });
  expect(await get(id)).toMatchObject({
    id,
    library_id: library,
    library_name: 'Photos',
    status: 'active',
    rel_path: 'a dir/b.jpg',
    filename: 'b.jpg',
    extension: 'jpg',
    path: `${root}/a dir/b.jpg`,
    native_path: '\\\\nas\\photos\\a dir\\b.jpg',
    size: 12,
    mtime: '2024-05-06T07:08:09.000Z',
    quick_hash: 'q',
    content_hash: 'c',
    title: 'Found',
    year: 2001,
    tags: [],
    user_metadata: {},
    metadata: { width: 3, _extract_error: 'damaged' },
    deleted_at: null,
  });
  expect((await t.request('GET', `/items/${nobody}`)).statusCode).toBe(404);
  expect((await t.request('GET', '/items/x')).statusCode).toBe(422);
});

test('an unchanged item was last seen by the newest full scan of its library, a missing one when it last changed', async () => {
  const { db } = t.deps;
  const there = await addItem(t.deps, library, 'seen/there');
  const gone = await addItem(t.deps, library, 'seen/gone', { status: 'missing' });
  await sql`update items set last_changed = '2026-01-01T00:00:00Z' where id in (${there}, ${gone})`.execute(db);
  await sql`update libraries set last_full_scan_at = '2026-02-02T00:00:00Z' where id = ${library}`.execute(db);
  expect((await get(there)).last_seen).toBe('2026-02-02T00:00:00.000Z');
  expect((await get(gone)).last_seen).toBe('2026-01-01T00:00:00.000Z');
});

test('locations are removed from metadata and history unless the library exposes them', async () => {
  const metadata = { gps_latitude: 1, exif: { iso: 100, gps_latitude: 48.1, gps_altitude: 3 }, jr_gps: 'x', _extract_error: 'kept' };
  const id = await addItem(t.deps, library, 'gps/a.jpg', { metadata });
  await sql`insert into item_history (item_id, source, before, after) values (${id}, 'extractor', '{}', ${JSON.stringify({ metadata })}::jsonb)`.execute(
    t.deps.db,
  );
  expect((await get(id)).metadata).toEqual({ exif: { iso: 100 }, _extract_error: 'kept' });
  const history = async () => (await t.request('GET', `/items/${id}/history`)).json().items[0].after.metadata;
  expect(await history()).toEqual({ exif: { iso: 100 }, _extract_error: 'kept' });
  expect((await t.request('GET', `/items?rel_path=gps/&include=metadata`)).json().items[0].metadata).toEqual({
    exif: { iso: 100 },
    _extract_error: 'kept',
  });
  await sql`update libraries set expose_gps = true where id = ${library}`.execute(t.deps.db);
  expect((await get(id)).metadata).toEqual(metadata);
  expect(await history()).toEqual(metadata);
  await sql`update libraries set expose_gps = false where id = ${library}`.execute(t.deps.db);
});

test('OCR text is content: it is neither in the metadata nor in the history of an item', async () => {
  const id = await addItem(t.deps, library, 'scans/letter.png', { metadata: { width: 3, ocr_text: 'Dear sir', ocr_source_hash: 'h' } });
  await sql`insert into item_history (item_id, source, actor, before, after) values (${id}, 'extractor', 'extractor',
    '{"metadata": {"width": 2, "ocr_text": "Dear"}}', '{"metadata": {"width": 3, "ocr_text": "Dear sir"}}')`.execute(t.deps.db);
  const item = await get(id);
  expect([item.metadata, item.has_text]).toEqual([{ width: 3, ocr_source_hash: 'h' }, true]);
  const history = (await t.request('GET', `/items/${id}/history`)).json().items;
  expect([history[0].before, history[0].after]).toEqual([{ metadata: { width: 2 } }, { metadata: { width: 3 } }]);
});

test('names of archive members are content: only those who may search contents get them, in metadata and in history', async () => {
  const archive = { format: 'zip', member_count: 1, members: [{ name: 'secret plan.txt', size: 3 }] };
  const id = await addItem(t.deps, library, 'packed/a.zip', { metadata: { archive, columns: ['Name'] } });
  await sql`insert into item_history (item_id, source, actor, before, after) values (${id}, 'extractor', 'extractor', '{}',
    ${JSON.stringify({ metadata: { archive } })}::jsonb)`.execute(t.deps.db);
  const { key: finder } = await addPerson(t.deps, [[library, '', 'search_metadata']]);
  const { key: reader } = await addPerson(t.deps, [
    [library, '', 'search_metadata'],
    [library, 'packed', 'search_content'],
  ]);
  const shown = async (as: string) => {
    const ask = async (url: string) => (await t.request('GET', url, undefined, { as })).json();
    const [item, list, history] = [
      await ask(`/items/${id}`),
      await ask('/items?rel_path=packed/&include=metadata'),
      await ask(`/items/${id}/history`),
    ];
    return [item.metadata, list.items[0].metadata, history.items[0].after.metadata];
  };
  const { members: _, ...facts } = archive;
  expect(await shown(finder)).toEqual([{ archive: facts, columns: ['Name'] }, { archive: facts, columns: ['Name'] }, { archive: facts }]);
  for (const as of [reader, 'read'])
    expect(await shown(as)).toEqual([{ archive, columns: ['Name'] }, { archive, columns: ['Name'] }, { archive }]);
});

test('copies are active items with the same content hash, or the same quick hash and size without one', async () => {
  const one = await addItem(t.deps, library, 'copies/1', { content_hash: 'same', quick_hash: 'k' });
  const two = await addItem(t.deps, library, 'copies/2', { content_hash: 'same', quick_hash: 'k' });
  await addItem(t.deps, library, 'copies/3', { content_hash: 'same', status: 'missing' });
  const hidden = await addItem(t.deps, other, 'copies/4', { content_hash: 'same' });
  const quick = await addItem(t.deps, library, 'copies/5', { quick_hash: 'k' });
  const empty = await addItem(t.deps, library, 'copies/6', { content_hash: 'e', size: 0 });
  await addItem(t.deps, library, 'copies/7', { content_hash: 'e', size: 0 });
  const copies = async (id: string, as = 'read') => (await t.request('GET', `/items/${id}/copies`, undefined, { as })).json();
  expect(await copies(one)).toMatchObject({
    count: 2,
    match: 'content',
    capped: false,
    copies: [{ id: two, path: `${root}/copies/2` }, { id: hidden }],
  });
  expect(await copies(quick)).toMatchObject({ match: 'quick', count: 2 });
  expect(await copies(empty)).toMatchObject({ match: 'none', count: 0 });
  const { key } = await addPerson(t.deps, [[library, '', 'search_metadata']]);
  expect(await copies(one, key)).toMatchObject({ count: 1, copies: [{ id: two }] });
  const counts = async (as: string) =>
    (await t.request('POST', '/items/copy-counts', { ids: [one, hidden, quick, empty, nobody] }, { as })).json();
  expect(await counts('read')).toEqual({ [one]: 2, [hidden]: 2, [quick]: 2, [empty]: 0 });
  expect(await counts(key)).toEqual({ [one]: 1, [quick]: 2, [empty]: 0 });
  expect((await t.request('POST', '/items/copy-counts', { ids: ['x'] })).statusCode).toBe(422);
});

test('120 touches a minute are counted per person; more return 429 and change nothing', async () => {
  const id = await addItem(t.deps, library, 'touched/often');
  const { id: person, key } = await addPerson(t.deps, [[library, 'touched', 'search_metadata']]);
  const touch = (as: string) => t.request('POST', `/items/${id}/touch`, undefined, { as });
  const spend = (used: number) =>
    sql`insert into touch_budgets (subject, minute, used) values (${person}, date_trunc('minute', now()), ${used})
      on conflict (subject) do update set used = excluded.used, minute = excluded.minute`.execute(t.deps.db);
  // If a minute ends between the two statements, the count restarts, so repeat them.
  for (const _ of [1, 2, 3]) {
    await spend(119);
    const statuses = [(await touch(key)).statusCode, (await touch(key)).statusCode];
    if (statuses[1] === 429) break;
  }
  const refused = await touch(key);
  expect(refused.json()).toMatchObject({ status: 429, code: 'too_many_touches' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await sql`select count from item_touches where item_id = ${id}`.execute(t.deps.db)).rows).toEqual([{ count: 1 }]);
  expect((await touch('read')).statusCode).toBe(204);
  await sql`update touch_budgets set minute = minute - interval '1 minute'`.execute(t.deps.db);
  expect((await touch(key)).statusCode).toBe(204);
});

test('a touch is counted per person, and only on items they see', async () => {
  const id = await addItem(t.deps, library, 'touched/a');
  const { id: person, key } = await addPerson(t.deps, [[library, 'touched', 'search_metadata']]);
  for (let i = 0; i < 3; i += 1) expect((await t.request('POST', `/items/${id}/touch`, undefined, { as: key })).statusCode).toBe(204);
  const rows = async () => (await sql`select subject, count from item_touches where item_id = ${id}`.execute(t.deps.db)).rows;
  expect(await rows()).toEqual([{ subject: person, count: 1 }]);
  await sql`update item_touches set last_at = now() - interval '2 seconds'`.execute(t.deps.db);
  await t.request('POST', `/items/${id}/touch`, undefined, { as: key });
  expect(await rows()).toEqual([{ subject: person, count: 2 }]);
  const hidden = await addItem(t.deps, other, 'touched/b');
  expect((await t.request('POST', `/items/${hidden}/touch`, undefined, { as: key })).statusCode).toBe(404);
});

test('DELETE moves an item to the recycle bin; restore makes it active or missing, depending on its file', async () => {
  mkdirSync(`${root}/bin`, { recursive: true });
  writeFileSync(`${root}/bin/there.txt`, 'x');
  const there = await addItem(t.deps, library, 'bin/there.txt', { tags: ['keep'] });
  const gone = await addItem(t.deps, library, 'bin/gone.txt');
  for (const id of [there, gone]) {
    expect((await t.request('POST', `/items/${id}/restore`)).json()).toMatchObject({ status: 409, code: 'item_not_trashed' });
    expect((await t.request('DELETE', `/items/${id}`)).statusCode).toBe(204);
    expect((await t.request('DELETE', `/items/${id}`)).statusCode).toBe(204);
    expect(await get(id)).toMatchObject({ status: 'trashed', deleted_at: expect.any(String) });
  }
  expect((await t.request('GET', '/items?rel_path=bin/')).json().total).toBe(0);
  expect((await t.request('GET', '/items?rel_path=bin/&status=trashed')).json().total).toBe(2);
  expect((await t.request('POST', `/items/${there}/restore`)).json()).toMatchObject({ status: 'active', deleted_at: null, tags: ['keep'] });
  expect((await t.request('POST', `/items/${gone}/restore`)).json()).toMatchObject({ status: 'missing' });
  const history = (await t.request('GET', `/items/${there}/history`)).json().items as { before: object; after: object }[];
  expect(history).toMatchObject([
    { before: { status: 'trashed' }, after: { status: 'active' } },
    { before: { status: 'active' }, after: { status: 'trashed' } },
  ]);
});

test('the daily purge removes trashed items after the retention and nothing else', async () => {
  const { db } = t.deps;
  const long = new Date(Date.now() - 31 * 86_400_000);
  const old = await addItem(t.deps, library, 'purge/old', { status: 'trashed', deleted_at: long });
  const fresh = await addItem(t.deps, library, 'purge/fresh', { status: 'trashed', deleted_at: new Date() });
  const missing = await addItem(t.deps, library, 'purge/missing', { status: 'missing', deleted_at: long });
  expect(await purgeRecycleBin(db, 30)).toBe(1);
  expect((await t.request('GET', `/items/${old}`)).statusCode).toBe(404);
  for (const id of [fresh, missing]) expect((await t.request('GET', `/items/${id}`)).statusCode).toBe(200);
});

test('changes by extractors are purged after the retention; changes by people are kept', async () => {
  const { db } = t.deps;
  const id = await addItem(t.deps, library, 'versions/a');
  for (const [source, age] of [
    ['extractor', 91],
    ['sidecar', 91],
    ['extractor', 1],
    ['user', 4000],
  ] as const)
    await sql`insert into item_history (item_id, at, source, before, after) values (${id}, now() - ${`${age} days`}::interval, ${source}, '{}', '{}')`.execute(
      db,
    );
  expect(await purgeItemVersions(db, 90)).toBe(2);
  const left = (await t.request('GET', `/items/${id}/history`)).json().items as { source: string }[];
  expect(left.map(({ source }) => source).sort()).toEqual(['extractor', 'user']);
});

test('the messages of a thread are listed oldest first, without those that the caller may not see', async () => {
  const message = (name: string, day: number, thread: string) =>
    addItem(t.deps, library, `threads/${name}.eml`, {
      metadata: {
        email_thread: thread,
        email_subject: `Re: ${name}`,
        email_from: 'ann@example.org',
        email_date: `2024-05-0${day}T10:00:00Z`,
      },
    });
  const long = `<${'x'.repeat(300)}`;
  const [second, first] = [await message('second', 2, `${long}1@example.org>`), await message('open/first', 1, `${long}1@example.org>`)];
  await message('other', 3, `${long}2@example.org>`);
  const threadOf = async (id: string, as?: string) => (await t.request('GET', `/items/${id}/thread`, undefined, as ? { as } : {})).json();
  const { messages } = await threadOf(second);
  expect(messages.map(({ id }: { id: string }) => id)).toEqual([first, second]);
  expect(messages[0]).toMatchObject({ subject: 'Re: open/first', from: 'ann@example.org', date: '2024-05-01T10:00:00Z' });
  const { key } = await addPerson(t.deps, [[library, 'threads/open', 'search_metadata']]);
  expect((await threadOf(first, key)).messages.map(({ id }: { id: string }) => id)).toEqual([first]);
  const none = await addItem(t.deps, library, 'threads/picture.jpg');
  expect((await threadOf(none)).messages).toEqual([]);
});

test('an unreadable item is 404; a readable one without the action is 403', async () => {
  const id = await addItem(t.deps, library, 'grants/a.jpg');
  const hidden = await addItem(t.deps, library, 'grants2/b.jpg');
  const { key } = await addPerson(t.deps, [[library, 'grants', 'search_metadata']]);
  const routes: [string, string, unknown?][] = [
    ['GET', ''],
    ['GET', '/history'],
    ['GET', '/copies'],
    ['GET', '/thread'],
    ['GET', '/file'],
    ['POST', '/touch'],
    ['PATCH', '', { tags: ['x'] }],
    ['DELETE', ''],
    ['POST', '/restore'],
  ];
  for (const [method, route, body] of routes)
    expect((await t.request(method, `/items/${hidden}${route}`, body, { as: key })).statusCode, `${method} ${route}`).toBe(404);
  for (const [method, route, body] of [routes[4]!, routes[6]!, routes[7]!, routes[8]!])
    expect((await t.request(method, `/items/${id}${route}`, body, { as: key })).json(), `${method} ${route}`).toMatchObject({
      status: 403,
      code: 'action_denied',
    });
  expect((await t.request('GET', `/items/${id}`, undefined, { as: key })).statusCode).toBe(200);
});
