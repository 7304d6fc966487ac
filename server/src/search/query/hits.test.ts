import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { type HitRow, readHitRows } from './hits.ts';

let t: TestApp;
let library: string;
beforeAll(async () => {
  t = await createTestApp();
  library = await addLibrary(t.deps);
});
afterAll(() => t.close());

const nobody = { withText: [], subject: null };
async function read(id: string, options: { withText: string[]; subject: string | null } = nobody): Promise<HitRow> {
  return (await readHitRows(t.deps.database, [id], options)).get(id)!;
}

test.each(['a\x1fb\x1f.txt', 'quote " and \\ back\\slash', 'line\nbreak\ttab', 'año 北京 👩‍👩‍👧.psd', '{} [] , ,', "it's null"])(
  'a hit tells names as they are: %j',
  async (name) => {
    const id = await addItem(t.deps, library, `folder ${name}/${name}`);
    await sql`update items set user_title = ${name}, tags = ${[name, 'plain']}, extension = ${name.slice(-3)} where id = ${id}`.execute(
      t.deps.db,
    );
    const row = await read(id);
    expect(row).toMatchObject({ id, library_id: library, rel_path: `folder ${name}/${name}`, filename: name, title: name });
    expect(row).toMatchObject({ tags: [name, 'plain'], extension: name.slice(-3), status: 'active', missing_since: null });
  },
);

test('facts that are not finite numbers are null', async () => {
  const id = await addItem(t.deps, library, 'claims.mp4');
  const claim = async (facts: object) => {
    await sql`update items set metadata = ${JSON.stringify(facts)}::jsonb where id = ${id}`.execute(t.deps.db);
    return read(id);
  };
  expect(await claim({ duration: 12.5, width: 1920, height: -1, pages: 0 })).toMatchObject({
    duration: 12.5,
    width: 1920,
    height: -1,
    pages: 0,
  });
  expect(await claim({ duration: '12', width: [1], height: { a: 1 }, pages: null })).toMatchObject({
    duration: null,
    width: null,
    height: null,
    pages: null,
  });
  await sql`update items set metadata = '{"duration": 1e400, "width": "5\\u001f6"}' where id = ${id}`.execute(t.deps.db);
  expect(await read(id)).toMatchObject({ duration: null, width: null, has_error: false, coordinates: null });
  expect(await claim({ _extract_error: { kind: 'corrupt' } })).toMatchObject({ has_error: true, duration: null });
});

test('a hit says whether its file has notes', async () => {
  const id = await addItem(t.deps, library, 'noted.txt', { metadata: { pages: 3 } });
  expect(await read(id)).toMatchObject({ has_notes: false, pages: 3 });
  await sql`update items set user_metadata = '{"note": "call back"}' where id = ${id}`.execute(t.deps.db);
  expect(await read(id)).toMatchObject({ has_notes: true, pages: 3 });
});

test('coordinates are shown only if the library exposes them', async () => {
  const id = await addItem(t.deps, library, 'photo.jpg');
  const facts = JSON.stringify({ exif: { gps_latitude: 41.9, gps_longitude: -12.5 } });
  await sql`update items set metadata = ${facts}::jsonb where id = ${id}`.execute(t.deps.db);
  expect((await read(id)).coordinates).toBeNull();
  await sql`update libraries set expose_gps = true where id = ${library}`.execute(t.deps.db);
  expect((await read(id)).coordinates).toEqual({ lat: 41.9, lng: -12.5 });
});

test('text is read only for hits that matched in it', async () => {
  const id = await addItem(t.deps, library, 'book.txt');
  await sql`update items set body_text = ${'one\x1ftwo'} where id = ${id}`.execute(t.deps.db);
  expect((await read(id)).text).toBeNull();
  expect((await read(id, { withText: [id], subject: null })).text).toBe('one\x1ftwo');
});

test('a missing file has the time since when', async () => {
  const id = await addItem(t.deps, library, 'gone.txt');
  await sql`update items set status = 'missing', deleted_at = '2024-03-01T10:20:30.456Z' where id = ${id}`.execute(t.deps.db);
  expect(await read(id)).toMatchObject({ status: 'missing', missing_since: '2024-03-01T10:20:30.456Z' });
});

test('items of a removed library are not returned', async () => {
  const removed = await addLibrary(t.deps);
  const id = await addItem(t.deps, removed, 'left.txt');
  await sql`update all_libraries set removed_at = now() where id = ${removed}`.execute(t.deps.db);
  expect(await readHitRows(t.deps.database, [id], nobody)).toEqual(new Map());
});
