import { copyFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addLibrary, items, tree } from '../../catalog/scan/library.fixture.ts';
import { createExtractionTest } from './extraction.fixture.ts';
import { queueStale } from './queue.ts';

// Results that equal files share, and what they depend on besides the bytes.
let x: Awaited<ReturnType<typeof createExtractionTest>>;
beforeAll(async () => {
  x = await createExtractionTest();
});
afterAll(() => x.close());

const cues = (text: string) => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`;
const languages = async (library: string) =>
  Object.fromEntries(
    Object.entries(await items(x.t.deps.db, library)).map(([name, { metadata }]) => [
      name,
      (metadata['subtitles'] as Record<string, unknown> | undefined)?.['language'],
    ]),
  );

test('facts that come from the name of a file are not those of its copy, and change when it is renamed', async () => {
  const root = tree({ 'film.en.srt': cues('Equal bytes'), 'other.en.srt': cues('Other bytes') });
  const library = await addLibrary(x.t.deps.db, root);
  await x.rescan(library);
  await x.read(library);
  copyFileSync(path.join(root, 'film.en.srt'), path.join(root, 'film.de.srt'));
  renameSync(path.join(root, 'other.en.srt'), path.join(root, 'other.fr.srt'));
  await x.rescan(library);
  expect((await x.read(library)).sort()).toEqual(['extracted', 'extracted']);
  expect(await languages(library)).toEqual({ 'film.en.srt': 'en', 'film.de.srt': 'de', 'other.fr.srt': 'fr' });
});

test('a result under the limits of one library is not used for another library', async () => {
  const { db } = x.t.deps;
  const text = 'a long text of many words '.repeat(20);
  const [short, whole] = [await addLibrary(db, tree({ 'a.txt': text })), await addLibrary(db, tree({ 'a.txt': text }))];
  await sql`update libraries set extract_overrides = '{"body_text_max_chars": 30}' where id = ${short}`.execute(db);
  for (const library of [short, whole]) {
    await x.rescan(library);
    await x.read(library);
  }
  const { rows } = await sql<{ length: number }>`select length(body_text) as length from items
    where library_id = any(${[short, whole]}::uuid[]) order by length`.execute(db);
  expect(rows.map(({ length }) => length)).toEqual([30, text.trim().length]);
});

test('text that was not recognised, because the disk was full or the library did not ask for it, is recognised later', async () => {
  const { db } = x.t.deps;
  const page = await sharp({ create: { width: 60, height: 30, channels: 3, background: 'white' } })
    .png()
    .toBuffer();
  const library = await addLibrary(db, tree({ 'page.png': page }));
  const recognised = async () => (await items(db, library))['page.png']!.metadata['ocr_source_hash'] !== undefined;
  await x.rescan(library);
  await x.read(library);
  expect(await queueStale(db, true)).toBe(0);
  expect((await x.t.request('PATCH', `/libraries/${library}`, { ocr_enabled: true })).statusCode).toBe(200);
  expect((await sql`select from jobs where task = 'refresh_extracts' and state = 'todo'`.execute(db)).rows).toHaveLength(1);
  // What this job does.
  expect(await queueStale(db, true)).toBe(1);
  x.parts.mayWriteThumbs = async () => false;
  expect(await x.read(library)).toEqual(['extracted']);
  expect(await recognised()).toBe(false);
  x.parts.mayWriteThumbs = async () => true;
  expect(await queueStale(db, true)).toBe(1);
  await x.read(library);
  expect(await recognised()).toBe(true);
  expect(await queueStale(db, true)).toBe(0);
});

test('text whose language was not installed is recognised once it is', async () => {
  const { db, settings } = x.t.deps;
  const page = await sharp({ create: { width: 60, height: 31, channels: 3, background: 'white' } })
    .png()
    .toBuffer();
  const library = await addLibrary(db, tree({ 'page.png': page }));
  await sql`update libraries set ocr_enabled = true where id = ${library}`.execute(db);
  x.parts.settings = { ...settings, ocrLang: 'xyz' };
  await x.rescan(library);
  await x.read(library);
  const facts = async () => (await items(db, library))['page.png']!.metadata;
  expect(await facts()).toMatchObject({ _ocr_error: expect.stringContaining('xyz') });
  // Reading it again before would lead to the same error every night.
  expect(await queueStale(db, false)).toBe(0);
  x.parts.settings = settings;
  expect(await queueStale(db, true)).toBe(1);
  expect(await x.read(library)).toEqual(['extracted']);
  expect(await facts()).toHaveProperty('ocr_source_hash');
  expect(await facts()).not.toHaveProperty('_ocr_error');
  expect(await queueStale(db, true)).toBe(0);
});
