import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';

let t: TestApp;
let library: string;
beforeAll(async () => {
  t = await createTestApp();
  library = await addLibrary(t.deps);
});
afterAll(() => t.close());

const json = { 'content-type': 'application/json' };

test('an empty body with the JSON content type is accepted by routes without a body', async () => {
  const id = await addItem(t.deps, library, 'a.txt');
  expect((await t.request('DELETE', `/items/${id}`, '', { headers: json })).statusCode).toBe(204);
  expect((await t.request('POST', `/items/${id}/restore`, '', { headers: json })).statusCode).toBe(200);
  expect((await t.request('POST', `/items/${id}/touch`, {})).statusCode).toBe(204);
});

test('routes with a body reject an empty or malformed one', async () => {
  for (const body of ['', '{"name":', '[1', 'nonsense'])
    expect((await t.request('POST', '/libraries', body, { headers: json })).json()).toMatchObject({ status: 400, code: 'malformed_json' });
});

test('fields in the body of a route without one are rejected, and query parameters are named as such', async () => {
  const response = await t.request('POST', `/libraries/${library}/scan`, { force_empty: true, speed: 'high' });
  expect(response.json()).toMatchObject({
    status: 422,
    code: 'validation_failed',
    errors: [
      { loc: ['body', 'force_empty'], msg: 'is a query parameter (?name=value), not a body field' },
      { loc: ['body', 'speed'], msg: 'is not a known field' },
    ],
  });
  const { rows } = await sql<{ runs: number }>`select count(*) as runs from scan_runs where library_id = ${library}`.execute(t.deps.db);
  expect(rows[0]!.runs).toBe(0);
});

test('an unknown URL returns 404 whatever the body', async () => {
  expect((await t.request('POST', '/no/such/address', { name: 'a' })).json()).toMatchObject({ status: 404, code: 'not_found' });
});

test('a pattern mismatch is described in words, not as a regular expression', async () => {
  const wrongSort = (await t.request('GET', '/search?q=a&sort=loudest')).json();
  expect(wrongSort).toMatchObject({
    status: 422,
    detail: expect.stringContaining('query.sort must be relevance, newest, or one of title'),
  });
  const wrongName = (await t.request('POST', '/libraries', { name: 'a\nb', root_path: '/tmp' })).json();
  expect(wrongName.detail).toBe('body.name must contain a visible character and no control characters.');
});
