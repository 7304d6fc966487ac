import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';

let t: TestApp;
let model: Server;
let reply: (ask: string) => { status: number; body: string };
let photos: string;

beforeAll(async () => {
  model = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', () => {
      const { status, body } = reply(text);
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  });
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  t = await createTestApp({ SVC_NL_OLLAMA_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}` });
  photos = await addLibrary(t.deps, { name: 'Photos' });
  await addItem(t.deps, photos, 'a/boat.jpg', {
    file_category: 'image',
    size: 5000,
    metadata: { width: 6000, camera: 'Nikon', _private: 1 },
  });
  await addItem(t.deps, photos, 'a/quay.jpg', { file_category: 'image', size: 10 });
  await addItem(t.deps, photos, 'secret/boat plan.pdf', { file_category: 'document', status: 'missing' });
});
afterAll(async () => {
  await t.close();
  await new Promise((resolve) => model.close(resolve));
});

const preview = async (query: string, more = {}, as = 'read') =>
  (await t.request('POST', '/query/preview', { query, ...more }, { as })).json();

describe('POST /query/preview', () => {
  test('shows rows, a count and whether there is more', async () => {
    const answer = await preview('kind:image', { limit: 1 });
    expect(answer).toMatchObject({ limit: 1, offset: 0, count: 1, has_more: true, total: 2, total_capped: false });
    expect(answer.columns).toEqual(['filename', 'library', 'rel_path', 'file_category', 'file_group', 'size', 'mtime']);
    expect(answer.rows[0]).toMatchObject({ filename: 'boat.jpg', library: 'Photos' });
    expect((await preview('boat size:>1k')).rows).toHaveLength(1);
    expect((await preview('boat is:missing')).rows).toMatchObject([{ filename: 'boat plan.pdf' }]);
  });

  test('leaves out sidecars like a search, unless the query asks for them', async () => {
    const photo = await addItem(t.deps, photos, 'side/pier.jpg', { file_category: 'image' });
    await addItem(t.deps, photos, 'side/pier.xmp', { sidecar_of: photo });
    expect((await preview('path:side')).rows).toMatchObject([{ filename: 'pier.jpg' }]);
    expect((await preview('path:side is:sidecar')).rows).toMatchObject([{ filename: 'pier.xmp' }]);
    await sql`delete from items where rel_path like 'side/%'`.execute(t.deps.db);
  });

  test('a mistake is 422 with its position; bad bodies are 422 too', async () => {
    expect(await preview('kind:image size:>>1')).toMatchObject({ status: 422, code: 'query_invalid', position: 17 });
    expect(await preview('"open')).toMatchObject({ status: 422, reason: 'unterminated_quote', position: 0 });
    expect(await preview('x'.repeat(4001))).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(await preview('', { limit: 51 })).toMatchObject({ status: 422 });
    expect((await t.request('POST', '/query/preview', {}, { as: null })).statusCode).toBe(401);
    for (const query of ["'; drop table items --", '\\', 'tag:"\\"', 'meta.a:((((', 'path:[a-z]+*', 'a\0b', '%_%'])
      expect((await t.request('POST', '/query/preview', { query })).statusCode, query).toBeLessThan(500);
  });

  test('shows and counts only what the caller may see', async () => {
    const { key } = await addPerson(t.deps, [[photos, 'a', 'search_metadata']]);
    expect((await preview('boat is:missing;active', {}, key)).total).toBe(1);
    expect(
      (await t.request('GET', '/query/keys', undefined, { as: key })).json().meta_keys.map(({ key: name }: { key: string }) => name),
    ).toEqual(['camera', 'width']);
  });
});

test('GET /query/keys lists keys, facts, fields, kinds and groups', async () => {
  const answer = (await t.request('GET', '/query/keys', undefined, { as: 'read' })).json();
  expect(answer.meta_keys).toEqual([
    { key: 'camera', label: 'camera', data_type: 'string', file_categories: ['image'] },
    { key: 'width', label: 'width', data_type: 'number', file_categories: ['image'] },
  ]);
  expect(answer.kinds).toContain('image');
  expect(answer.groups).toContain('raw-photo');
});

describe('POST /query/assist', () => {
  const assist = async (text: string) => (await t.request('POST', '/query/assist', { text }, { as: 'read' })).json();

  test('queries the model server and parses its result', async () => {
    reply = () => ({ status: 200, body: JSON.stringify({ message: { content: '{"query":"boats kind:image size:>10m"}' } }) });
    expect(await assist('big boat pictures')).toMatchObject({
      dsl: 'boats kind:image size:>10m',
      source: 'ollama',
      terms: ['boats'],
      filters: [{ field: 'kind' }, { field: 'size' }],
      llm_available: true,
    });
  });

  test.each([
    ['an error', { status: 500, body: 'no' }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['nonsense', { status: 200, body: JSON.stringify({ message: { content: '{"query":"size:>big ("}' } }) }],
    ['more than a query', { status: 200, body: JSON.stringify({ message: { content: '{"query":"boats","run":true}' } }) }],
    ['a redirect', { status: 302, body: '' }],
    ['a kind that does not exist', { status: 200, body: JSON.stringify({ message: { content: '{"query":"kind:movies"}' } }) }],
  ])('falls back to the rules when the model answers %s', async (_, answer) => {
    reply = () => answer;
    const said = await assist('photos larger than 10 MB');
    expect(said).toMatchObject({ source: 'heuristic', dsl: 'size:>10m kind:image', llm_available: false });
    expect(said.notes).toHaveLength(1);
  });

  test('text is 1 to 500 characters', async () => {
    for (const text of ['', 'x'.repeat(501)]) expect((await t.request('POST', '/query/assist', { text })).statusCode).toBe(422);
  });
});
