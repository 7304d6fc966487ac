import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import { editAtOnce } from '../../../test/edit-at-once.ts';

let t: TestApp;
let photos: string;
let ann: { id: string; key: string };
let bob: { id: string; key: string };

beforeAll(async () => {
  t = await createTestApp();
  photos = await addLibrary(t.deps, { name: 'Photos', root_path: '/media/photos' });
  const item = (path: string, fields: object) => addItem(t.deps, photos, path, fields);
  await item('a/1.jpg', {
    size: 10,
    file_category: 'image',
    metadata: { width: 9, exif: { gps_latitude: 1 } },
    user_metadata: { rating: 3 },
  });
  await item('a/2.jpg', { size: 20, file_category: 'image', metadata: { width: 10, rating: 5 }, title: 'Two' });
  await item('b/3.pdf', { size: 30, file_category: 'document', metadata: { width: 'unknown' } });
  await item('b/4.pdf', { size: 40, file_category: 'document' });
  await item('b/gone.pdf', { size: 50, status: 'missing', deleted_at: new Date() });
  await t.request('POST', '/custom-fields', { name: 'rating', label: 'Rating', data_type: 'integer' });
  const grants = (folder: string) => ['search_metadata', 'download'].map((action): [string, string, string] => [photos, folder, action]);
  ann = await addPerson(t.deps, grants(''));
  bob = await addPerson(t.deps, grants('a'));
});
afterAll(() => t.close());

const ask = (as: string, method: string, url = '', body?: unknown) => t.request(method, `/custom-reports${url}`, body, { as });
const make = async (body: object, as = ann.key) => (await ask(as, 'POST', '', { name: `Report ${Math.random()}`, ...body })).json();
const rows = async (id: string, as = ann.key, query = '') => (await ask(as, 'GET', `/${id}/run${query}`)).json().rows;

test('a report has a query, columns and several sort keys; numbers in facts sort as numbers', async () => {
  const { id } = await make({ query: 'size:<100', columns: ['filename', 'meta.width', 'size'], sort: ['meta.width', '-size'] });
  expect((await rows(id)).map((row: Record<string, unknown>) => [row['filename'], row['meta.width']])).toEqual([
    ['1.jpg', 9],
    ['2.jpg', 10],
    ['3.pdf', 'unknown'],
    ['4.pdf', null],
  ]);
  expect((await rows(id))[0].item_id).toEqual(expect.any(String));
  const csv = (await ask(ann.key, 'GET', `/${id}/run?format=csv`)).body;
  expect(csv.split('\r\n')[0]).toBe('filename,meta.width,size');
});

test('a custom field shows the value that people entered, or else the extracted one, also when sorted', async () => {
  const { id } = await make({ columns: ['filename', 'cf.rating', 'path'], sort: '-cf.rating', query: 'kind:image' });
  expect((await rows(id)).map((row: Record<string, unknown>) => [row['filename'], row['cf.rating'], row['path']])).toEqual([
    ['2.jpg', 5, '/media/photos/a/2.jpg'],
    ['1.jpg', 3, '/media/photos/a/1.jpg'],
  ]);
});

test('rows can be grouped with counts, sums, least and greatest values', async () => {
  const { id } = await make({
    query: '',
    group_by: ['file_category'],
    aggregates: ['count', 'sum:size', 'min:size', 'max:meta.width'],
    sort: ['-sum:size'],
  });
  expect((await rows(id)).map(({ group_key: _, ...row }: Record<string, unknown>) => row)).toEqual([
    { file_category: 'document', count: 2, 'sum:size': 70, 'min:size': 30, 'max:meta.width': null },
    { file_category: 'image', count: 2, 'sum:size': 30, 'min:size': 10, 'max:meta.width': 10 },
  ]);
});

test('other statuses can be reported, and locations are shown only for libraries that expose them', async () => {
  const missing = await make({ query: 'is:missing', columns: ['filename', 'status'] });
  expect(await rows(missing.id)).toMatchObject([{ filename: 'gone.pdf', status: 'missing' }]);
  const located = await make({ query: 'ext:jpg', columns: ['filename', 'meta.exif.gps_latitude'] });
  expect((await rows(located.id))[0]['meta.exif.gps_latitude']).toBeNull();
});

test('facts of an archive have no names of its members, which are content, and neither has a custom field of that name', async () => {
  await addItem(t.deps, photos, 'b/packed.zip', {
    metadata: { archive: { format: 'zip', members: [{ name: 'secret', size: 1 }] }, ocr_text: 'secret' },
  });
  for (const name of ['archive', 'ocr_text']) await t.request('POST', '/custom-fields', { name, label: name, data_type: 'string' });
  const { id } = await make({
    query: 'ext:zip',
    columns: ['filename', 'meta.archive', 'meta.archive.format', 'cf.archive', 'cf.ocr_text'],
  });
  expect(await rows(id)).toMatchObject([
    {
      filename: 'packed.zip',
      'meta.archive': '{"format": "zip"}',
      'meta.archive.format': 'zip',
      'cf.archive': '{"format": "zip"}',
      'cf.ocr_text': null,
    },
  ]);
  await sql`delete from items where filename = 'packed.zip'`.execute(t.deps.db);
});

test('rows come in the order of paths, page by page: the files of a folder before those of its subfolders', async () => {
  const trees = await Promise.all(['Trees A', 'Trees B'].map((name) => addLibrary(t.deps, { name, root_path: `/media/${name}` })));
  const paths = ['top.txt', 'a b/1.txt', 'a/9.txt', 'a/b/1.txt', 'a/b.txt', 'a-b/1.txt'];
  for (const library of trees) for (const path of paths) await addItem(t.deps, library, path);
  const everybody = await addPerson(
    t.deps,
    trees.map((library): [string, string, string] => [library, '', 'search_metadata']),
  );
  const inOneLibrary = ['top.txt', 'a/9.txt', 'a/b.txt', 'a b/1.txt', 'a-b/1.txt', 'a/b/1.txt'];
  const all = async (body: object) => {
    const { id } = await make(body, everybody.key);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { total: number; rows: { rel_path: string }[]; next_cursor: string | null } = (
        await ask(everybody.key, 'GET', `/${id}/run?limit=2${cursor && `&cursor=${cursor}`}`)
      ).json();
      expect(page).toMatchObject({ total: body['query' as keyof typeof body] ? 6 : 12 });
      seen.push(...page.rows.map((row) => row.rel_path));
      cursor = page.next_cursor;
    }
    return seen;
  };
  expect(await all({ columns: ['filename'] })).toEqual([...inOneLibrary, ...inOneLibrary]);
  const query = 'library:"Trees B"';
  expect(await all({ query, columns: ['path'], sort: 'path' })).toEqual(inOneLibrary);
  expect(await all({ query, columns: ['rel_path'], sort: '-rel_path' })).toEqual(inOneLibrary.toReversed());
  expect(await all({ query, columns: ['extension', 'rel_path'], sort: '-extension,rel_path' })).toEqual(inOneLibrary);
  await sql`delete from all_libraries where id = any(${trees}::uuid[])`.execute(t.deps.db);
});

test('a report runs under the rights of whoever runs it', async () => {
  const { id } = await make({ columns: ['filename'], shared: true });
  expect(await rows(id)).toHaveLength(4);
  expect((await rows(id, bob.key)).map(({ filename }: { filename: string }) => filename)).toEqual(['1.jpg', '2.jpg']);
  const { next_cursor } = (await ask(ann.key, 'GET', `/${id}/run?limit=1`)).json();
  expect((await ask(bob.key, 'GET', `/${id}/run?limit=1&cursor=${next_cursor}`)).json()).toMatchObject({ code: 'cursor_invalid' });
  expect((await ask(ann.key, 'GET', `/${id}/run?limit=1&cursor=${next_cursor}`)).json()).toMatchObject({ total: 4 });
  const grouped = await make({ group_by: ['library'], aggregates: ['count'], shared: true });
  expect(await rows(grouped.id, bob.key)).toMatchObject([{ count: 2 }]);
});

test('a private report is its owner’s; a shared one can be run and copied, but not changed, by others', async () => {
  const made = await make({ name: 'Mine', columns: ['filename'] });
  expect(made).toMatchObject({ owner_principal: ann.id, shared: false, may_edit: true, format: 'csv' });
  expect((await ask(bob.key, 'GET', `/${made.id}`)).statusCode).toBe(404);
  expect((await ask(bob.key, 'GET', `/${made.id}/run`)).statusCode).toBe(404);
  await ask(ann.key, 'PATCH', `/${made.id}`, { shared: true });
  expect((await ask(bob.key, 'GET', `/${made.id}`)).json()).toMatchObject({ may_edit: false });
  for (const [method, body] of [
    ['PATCH', { name: 'x' }],
    ['DELETE', undefined],
  ] as const)
    expect((await ask(bob.key, method, `/${made.id}`, body)).statusCode).toBe(403);
  expect((await ask(bob.key, 'POST', `/${made.id}/copy`, {})).json()).toMatchObject({
    name: 'Mine (copy)',
    owner_principal: bob.id,
    shared: false,
  });
  expect((await ask(bob.key, 'POST', `/${made.id}/copy`, {})).json()).toMatchObject({ name: 'Mine (copy 2)' });
  expect((await ask(ann.key, 'POST', '', { name: 'mine', columns: ['filename'] })).json()).toMatchObject({
    status: 409,
    code: 'name_taken',
  });
  expect((await ask(ann.key, 'DELETE', `/${made.id}`)).statusCode).toBe(204);
});

test('validation names the position in the query and every wrong column', async () => {
  const { ok, errors } = (
    await ask(ann.key, 'POST', '/validate', {
      query: 'size:>big',
      columns: ['filename', 'nope', 'cf.unknown', 'meta._secret'],
      sort: 'size',
    })
  ).json();
  expect(ok).toBe(false);
  expect(errors).toMatchObject([
    { error: 'parse_error', position: 6 },
    { error: 'column_error', column: 'nope' },
    { error: 'column_error', column: 'cf.unknown' },
    { error: 'column_error', column: 'meta._secret' },
  ]);
  for (const wrong of [
    { columns: [] },
    { columns: ['filename'], sort: ['size'] },
    { columns: ['tags'], sort: ['tags'] },
    { columns: ['filename'], aggregates: ['count'] },
    { group_by: ['library'] },
    { group_by: ['path'], aggregates: ['count'] },
    { group_by: ['library'], aggregates: ['sum:filename'] },
    { group_by: ['library'], aggregates: ['median:size'] },
    { columns: ['meta.ocr_text'] },
    { columns: ['meta.archive.members'] },
    { group_by: ['meta.archive.members.name'], aggregates: ['count'] },
    { columns: ['filename'], query: 'meta.archive.members.name:plan*' },
  ])
    expect((await ask(ann.key, 'POST', '', { name: 'wrong', ...wrong })).json(), JSON.stringify(wrong)).toMatchObject({
      status: 422,
      code: 'report_invalid',
    });
  expect((await ask(ann.key, 'POST', '/validate', { columns: ['filename'] })).json()).toEqual({ ok: true, errors: [] });
});

test('a stored report that no longer compiles says why', async () => {
  const field = (await t.request('POST', '/custom-fields', { name: 'shelf', label: 'Shelf', data_type: 'string' })).json();
  const { id } = await make({ columns: ['filename', 'cf.shelf'] });
  await t.request('DELETE', `/custom-fields/${field.id}`);
  expect((await ask(ann.key, 'GET', `/${id}/run`)).json()).toMatchObject({
    status: 422,
    validation: [{ error: 'column_error', column: 'cf.shelf' }],
  });
});

test('a preview shows the first rows of a definition before it is saved', async () => {
  const preview = (await ask(bob.key, 'POST', '/preview', { columns: ['filename', 'size'], sort: ['-size'], limit: 1 })).json();
  expect(preview).toMatchObject({ rows: [{ filename: '2.jpg' }], total: 2, has_more: true, sums: { size: 30 } });
});

test('reading needs a credential and running only read; creating needs write', async () => {
  const { id } = await make({ columns: ['filename'], shared: true }, 'admin');
  expect((await ask('read', 'GET', `/${id}/run`)).statusCode).toBe(200);
  expect((await ask('read', 'POST', '', { name: 'x', columns: ['filename'] })).statusCode).toBe(403);
  expect((await t.request('GET', '/custom-reports', undefined, { as: null })).statusCode).toBe(401);
  const { core } = (await ask('read', 'GET', '/columns')).json();
  expect(core).toContain('share_unc');
  const queued = (await ask(ann.key, 'POST', `/${id}/export?format=xlsx`)).json();
  expect(queued).toMatchObject({ status: 'queued', report_definition_id: id });
  await sql`delete from exports where id = ${queued.id}`.execute(t.deps.db);
});

test('concurrent changes of different fields of a report are all kept', async () => {
  const { id } = await make({ query: 'size:<100', columns: ['filename'] });
  await editAtOnce(t.deps.db, { table: 'custom_reports', id }, [
    () => ask(ann.key, 'PATCH', `/${id}`, { name: 'Small files' }),
    () => ask(ann.key, 'PATCH', `/${id}`, { columns: ['filename', 'size'] }),
  ]);
  expect((await ask(ann.key, 'GET', `/${id}`)).json()).toMatchObject({ name: 'Small files', columns: ['filename', 'size'] });
});
