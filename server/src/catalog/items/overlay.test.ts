import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';

let t: TestApp;
let library: string;
let id: string;
beforeAll(async () => {
  t = await createTestApp();
  library = await addLibrary(t.deps);
  id = await addItem(t.deps, library, 'a.jpg', { title: 'Found', year: 2001 });
});
afterAll(() => t.close());

const patch = async (body: unknown, item = id) => t.request('PATCH', `/items/${item}`, body as object, { as: 'write' });

test('PATCH updates the overlay only; extracted metadata is read-only', async () => {
  const answer = await patch({
    tags: [' sea ', 'sun', 'sea', ' '],
    user_metadata: { note: 'x', n: { deep: [1] } },
    title: ' Mine ',
    year: 1999,
    external_ids: { imdb: 'tt1' },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json()).toMatchObject({
    tags: ['sea', 'sun'],
    user_metadata: { note: 'x', n: { deep: [1] } },
    title: 'Mine',
    year: 1999,
    external_ids: { imdb: 'tt1' },
  });
  for (const body of [{ metadata: {} }, { size: 1 }, { status: 'active' }, { body_text: 'x' }])
    expect((await patch(body)).statusCode).toBe(422);
});

test('notes are merged by key; a null value removes its key, null removes all keys', async () => {
  await patch({ user_metadata: { a: 1, b: 2 } });
  expect((await patch({ user_metadata: { b: null, c: 3 } })).json().user_metadata).toEqual({ note: 'x', n: { deep: [1] }, a: 1, c: 3 });
  expect((await patch({ user_metadata: null, tags: null })).json()).toMatchObject({ user_metadata: {}, tags: [] });
  expect((await patch({ title: null, year: null, external_ids: null })).json()).toMatchObject({
    title: 'Found',
    year: 2001,
    external_ids: {},
  });
});

test('with the value that the caller saw, a note that somebody changed meanwhile is not replaced', async () => {
  await patch({ user_metadata: { note: 'Ann' } });
  const mine = { user_metadata: { note: 'Mine' }, add_tags: ['never'], expected_user_metadata: { note: 'Ann' } };
  await patch({ user_metadata: { note: 'Ann. Keep until 2031.' } });
  const refused = await patch(mine);
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'edited_meanwhile']);
  const kept = (await t.request('GET', `/items/${id}`)).json();
  expect([kept.user_metadata, kept.tags]).toEqual([{ note: 'Ann. Keep until 2031.' }, []]);
  const seen = { ...mine, expected_user_metadata: { note: 'Ann. Keep until 2031.', other: null } };
  // Twice, as if the first answer had been lost.
  expect([(await patch(seen)).statusCode, (await patch(seen)).statusCode]).toEqual([200, 200]);
  expect((await patch({ user_metadata: { note: 'x' }, expected_user_metadata: { note: null } })).statusCode).toBe(409);
  const batch = await t.request(
    'POST',
    '/items/batch',
    { [id]: { user_metadata: null, expected_user_metadata: { note: 'x' } } },
    { as: 'write' },
  );
  expect(batch.json().results[id]).toMatch(/^error: Somebody has changed/);
  await patch({ user_metadata: null, tags: null });
});

test('tags can be added and removed without sending the others', async () => {
  await patch({ tags: ['a', 'b'] });
  expect((await patch({ add_tags: ['c', 'a'], remove_tags: ['b', 'z'] })).json().tags).toEqual(['a', 'c']);
  const many = await Promise.all(Array.from({ length: 8 }, (_, n) => patch({ add_tags: [`t${n}`] })));
  expect(many.every(({ statusCode }) => statusCode === 200)).toBe(true);
  expect((await t.request('GET', `/items/${id}`)).json().tags).toHaveLength(10);
});

test('invalid values are refused with their location', async () => {
  const cases: [unknown, (string | number)[]][] = [
    [{ tags: ['x'.repeat(129)] }, ['body', 'tags', 0]],
    [{ tags: 'x' }, ['body', 'tags']],
    [{ year: 1.5 }, ['body', 'year']],
    [{ user_metadata: [] }, ['body', 'user_metadata']],
    [{ user_metadata: { a: 'nul \0' } }, ['body', 'user_metadata', 'a']],
    [{ user_metadata: { a: { b: '\ud800' } } }, ['body', 'user_metadata', 'a', 'b']],
    [{ user_metadata: { big: 'x'.repeat(70_000) } }, ['body', 'user_metadata']],
    [{ tags: ['\ud800'] }, ['body', 'tags', 0]],
    [{ title: 'a\0' }, ['body', 'title']],
    [{ tags: Array.from({ length: 201 }, (_, n) => `${n}`) }, ['body', 'tags']],
  ];
  for (const [body, loc] of cases) {
    const answer = (await patch(body)).json();
    expect([answer.code, answer.errors?.[0]?.loc], JSON.stringify(body).slice(0, 60)).toEqual(['validation_failed', loc]);
  }
  let deep: unknown = 1;
  for (let i = 0; i < 25; i += 1) deep = { deep };
  expect((await patch({ user_metadata: { deep } })).json().code).toBe('validation_failed');
});

test('every edit is in the history with its author and the old values, unless it changes nothing', async () => {
  const item = await addItem(t.deps, library, 'history.jpg');
  const { id: person, key } = await addPerson(t.deps, [
    [library, '', 'search_metadata'],
    [library, '', 'edit_metadata'],
  ]);
  await t.request('PATCH', `/items/${item}`, { tags: ['a'], title: 'T' }, { as: key });
  await t.request('PATCH', `/items/${item}`, { tags: ['a'] }, { as: key });
  await t.request('PATCH', `/items/${item}`, { tags: ['b'] }, { as: key });
  const history = (await t.request('GET', `/items/${item}/history?limit=1`, undefined, { as: key })).json();
  expect(history).toMatchObject({
    total: 2,
    items: [{ source: 'user', principal_id: person, before: { tags: ['a'] }, after: { tags: ['b'] } }],
  });
  const next = (await t.request('GET', `/items/${item}/history?limit=1&cursor=${history.next_cursor}`, undefined, { as: key })).json();
  expect(next).toMatchObject({ items: [{ before: { tags: [], title: null }, after: { tags: ['a'], title: 'T' } }], next_cursor: null });
});

test('an edit is queued for the search index', async () => {
  const item = await addItem(t.deps, library, 'noted.jpg');
  await sql`delete from index_outbox`.execute(t.deps.db);
  await patch({ tags: ['x'] }, item);
  expect((await sql<{ item_id: string }>`select item_id from index_outbox`.execute(t.deps.db)).rows).toEqual([{ item_id: item }]);
});

test('a batch updates each item independently and reports which failed and why', async () => {
  const one = await addItem(t.deps, library, 'batch/1');
  const denied = await addItem(t.deps, library, 'other/2');
  const { key } = await addPerson(t.deps, [
    [library, '', 'search_metadata'],
    [library, 'batch', 'edit_metadata'],
  ]);
  const unknown = '01a1dcfe-9952-7896-a4ba-953f2deb22a4';
  const wrong = await addItem(t.deps, library, 'batch/3');
  const answer = await t.request(
    'POST',
    '/items/batch',
    { [one]: { add_tags: ['t'] }, [denied]: { tags: ['t'] }, [unknown]: { tags: ['t'] }, [wrong]: { year: 'x' }, nonsense: {} },
    { as: key },
  );
  expect(answer.json().results).toMatchObject({
    [one]: 'ok',
    [denied]: expect.stringMatching(/^error: .*permissions/),
    [unknown]: 'error: No item with this id.',
    [wrong]: { error: 'validation' },
    nonsense: expect.stringMatching(/^error: /),
  });
  expect((await t.request('GET', `/items/${one}`)).json().tags).toEqual(['t']);
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`${n}`, {}]));
  expect((await t.request('POST', '/items/batch', many)).json()).toMatchObject({ status: 413, code: 'too_many' });
});

test('a batch names the items that already had these values', async () => {
  const [tagged, untagged] = [await addItem(t.deps, library, 'same/1', { tags: ['t'] }), await addItem(t.deps, library, 'same/2')];
  const answer = await t.request('POST', '/items/batch', { [tagged]: { add_tags: ['t'] }, [untagged]: { add_tags: ['t'] }, nonsense: {} });
  expect(answer.json()).toMatchObject({ results: { [tagged]: 'ok', [untagged]: 'ok' }, unchanged: [tagged] });
});

test('custom fields are created, listed, updated and deleted; invalid ones are refused', async () => {
  const made = await t.request('POST', '/custom-fields', {
    name: 'rating',
    label: 'Rating',
    data_type: 'integer',
    applies_to: ['image'],
    facetable: true,
  });
  expect([made.statusCode, made.json()]).toMatchObject([
    201,
    { name: 'rating', select_options: null, library_ids: [], facetable: true, required: false },
  ]);
  const field = made.json().id;
  expect((await t.request('POST', '/custom-fields', { name: 'rating', label: 'x', data_type: 'string' })).json().code).toBe('name_taken');
  for (const body of [
    { name: 'Bad Name', label: 'x', data_type: 'string' },
    { name: 'x', label: 'x', data_type: 'colour' },
    { name: 'x', label: 'x', data_type: 'select' },
    { name: 'x', label: 'x', data_type: 'string', select_options: ['a'] },
    { name: 'x', label: 'x', data_type: 'string', applies_to: ['nowhere'] },
    { name: 'x', label: 'x', data_type: 'string', library_ids: ['01a1dcfe-9952-7896-a4ba-953f2deb22a4'] },
  ])
    expect((await t.request('POST', '/custom-fields', body)).statusCode, JSON.stringify(body)).toBe(422);
  expect((await t.request('PATCH', `/custom-fields/${field}`, { label: 'Stars', name: 'rating' })).json().label).toBe('Stars');
  expect((await t.request('PATCH', `/custom-fields/${field}`, { data_type: 'string' })).statusCode).toBe(422);
  expect((await t.request('GET', '/custom-fields?applies_to=audio', undefined, { as: 'read' })).json()).toEqual([]);
  expect((await t.request('GET', `/custom-fields?applies_to=image&library_id=${library}`, undefined, { as: 'read' })).json()).toHaveLength(
    1,
  );
  expect((await t.request('DELETE', `/custom-fields/${field}`)).statusCode).toBe(204);
  expect((await t.request('DELETE', `/custom-fields/${field}`)).statusCode).toBe(404);
});

test('values of a custom field are checked against its type', async () => {
  const types: [string, unknown[], unknown[]][] = [
    ['string', ['x', ''], [1, true, {}]],
    ['integer', [0, -5], [1.5, '1', true]],
    ['float', [1.5, 2], ['1', true]],
    ['boolean', [true, false], ['true', 1]],
    ['date', ['2026-02-28', '2026-03-14T10:00:00Z'], ['2026-02-30', '14.3.2026', 'today', 20260314]],
    ['url', ['https://example.org/x', 'smb://nas/share'], ['javascript:alert(1)', 'example.org', 5]],
    ['select', ['red', 'blue'], ['green', 1]],
  ];
  for (const [data_type, right, wrong] of types) {
    const name = `cf_${data_type}`;
    const made = await t.request('POST', '/custom-fields', {
      name,
      label: name,
      data_type,
      required: true,
      ...(data_type === 'select' ? { select_options: ['red', 'blue'] } : {}),
    });
    expect(made.statusCode, made.body).toBe(201);
    for (const value of right) expect((await patch({ user_metadata: { [name]: value } })).statusCode, `${name} ${value}`).toBe(200);
    for (const value of [...wrong, null])
      expect((await patch({ user_metadata: { [name]: value } })).json(), `${name} ${value}`).toMatchObject({
        status: 422,
        field_source: 'custom_field',
        errors: [{ loc: ['body', 'user_metadata', name] }],
      });
  }
});
