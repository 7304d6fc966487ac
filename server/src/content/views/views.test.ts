import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { defaultLimits, findExtractor } from '@catalog/readers';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makePptx } from '../../../../readers/test/samples/office.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import { createViewCache } from './cache.ts';
import { createViewRenderer } from './renderer.ts';

/** A PDF of three pages in different greys; the second is wider than tall. */
function threePages(): Buffer {
  const page = (width: number, height: number, grey: number) => {
    const content = `${grey} g 0 0 ${width} ${height} re f`;
    return { size: `[0 0 ${width} ${height}]`, content };
  };
  const pages = [page(200, 300, 0.1), page(300, 200, 0.5), page(20, 2000, 0.9)];
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count 3 /Kids [${pages.map((_, n) => `${3 + n * 2} 0 R`).join(' ')}] >>`,
    ...pages.flatMap(({ size, content }, n) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox ${size} /Contents ${4 + n * 2} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ];
  return Buffer.from(`%PDF-1.4\n${objects.map((text, n) => `${n + 1} 0 obj\n${text}\nendobj\n`).join('')}trailer << /Root 1 0 R >>\n%%EOF`);
}

/** A page whose colour is calculated by a very long program for every pixel: drawing it takes minutes and little memory. */
function slowPage(): Buffer {
  const program = `{ add ${'sin '.repeat(50_000)}}`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /Shading << /S 5 0 R >> >> >>',
    '<< /Length 5 >>\nstream\n/S sh\nendstream',
    '<< /ShadingType 1 /ColorSpace /DeviceGray /Domain [0 1 0 1] /Matrix [200 0 0 200 0 0] /Function 6 0 R >>',
    `<< /FunctionType 4 /Domain [0 1 0 1] /Range [0 1] /Length ${program.length} >>\nstream\n${program}\nendstream`,
  ];
  return Buffer.from(`%PDF-1.4\n${objects.map((text, n) => `${n + 1} 0 obj\n${text}\nendobj\n`).join('')}trailer << /Root 1 0 R >>\n%%EOF`);
}

/** A wedge looks different from every side. */
const wedge = `solid wedge
${[
  [0, 0, 0, 4, 0, 0, 0, 2, 0],
  [0, 0, 0, 0, 2, 0, 0, 0, 1],
  [0, 0, 0, 0, 0, 1, 4, 0, 0],
  [4, 0, 0, 0, 0, 1, 0, 2, 0],
]
  .map(
    (c) =>
      `facet normal 0 0 0\nouter loop\nvertex ${c.slice(0, 3).join(' ')}\nvertex ${c.slice(3, 6).join(' ')}\nvertex ${c.slice(6).join(' ')}\nendloop\nendfacet`,
  )
  .join('\n')}
endsolid wedge`;

let t: TestApp;
let root: string;
let library: string;
const ids: Record<string, string> = {};

beforeAll(async () => {
  t = await createTestApp();
  root = mkdtempSync(path.join(os.tmpdir(), 'catalog-views-'));
  library = await addLibrary(t.deps, { root_path: root });
  const files: Record<string, Buffer | string> = {
    'plan.pdf': threePages(),
    'broken.pdf': '%PDF-1.4 no more',
    'wedge.stl': wedge,
    'empty.stl': 'solid nothing\nendsolid nothing',
    'note.txt': 'A word.',
    'talk.pptx': makePptx(['Welcome everybody', '', 'Thank you']),
    'slow.pdf': slowPage(),
  };
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(path.join(root, name), bytes);
    const { size, mtime } = statSync(path.join(root, name));
    ids[name] = await addItem(t.deps, library, name, {
      size,
      mtime: new Date(Math.floor(mtime.getTime())),
      content_hash: `hash of ${name}`,
    });
  }
});
afterAll(async () => {
  await t.close();
  rmSync(root, { recursive: true, force: true });
});

const page = (name: string, number: number | string, query = '', as?: string) =>
  t.request('GET', `/items/${ids[name]}/pages/${number}${query}`, undefined, as === undefined ? {} : { as });
const greyAt = async (picture: Buffer): Promise<number> => (await sharp(picture).raw().toBuffer())[0]!;

test('each page of a PDF is drawn at the requested width', async () => {
  const [first, second] = [await page('plan.pdf', 1), await page('plan.pdf', 2, '?width=600')];
  expect([first.statusCode, first.headers['content-type']]).toEqual([200, 'image/webp']);
  expect(await sharp(first.rawPayload).metadata()).toMatchObject({ width: 1000, height: 1500, format: 'webp' });
  expect(await sharp(second.rawPayload).metadata()).toMatchObject({ width: 600, height: 400 });
  expect(await greyAt(first.rawPayload)).toBeLessThan(60);
  expect(await greyAt(second.rawPayload)).toBeGreaterThan(90);
});

test('each slide of a presentation is drawn from its text, an empty one blank', async () => {
  const darkest = async (number: number): Promise<number> => {
    const answer = await page('talk.pptx', number, '?width=480');
    expect(answer.statusCode).toBe(200);
    const { channels } = await sharp(answer.rawPayload).stats();
    return channels[0]!.min;
  };
  expect(await darkest(1)).toBeLessThan(100);
  expect(await darkest(2)).toBeGreaterThan(240);
  expect(await darkest(3)).toBeLessThan(100);
  expect((await page('talk.pptx', 4)).json()).toMatchObject({ status: 404, code: 'no_page' });
});

test('a slide is drawn again once its reader has improved', async () => {
  const etag = async () => (await page('talk.pptx', 1)).headers['etag'];
  const before = await etag();
  expect(await etag()).toBe(before);
  const reader = findExtractor('pptx')!;
  reader.version += 1;
  const after = await etag().finally(() => {
    reader.version -= 1;
  });
  expect(after).not.toBe(before);
});

test('a page taller than can be drawn at that width is drawn smaller', async () => {
  const { width, height } = await sharp((await page('plan.pdf', 3, '?width=2000')).rawPayload).metadata();
  expect([width, height]).toEqual([80, 8000]);
});

test('pages beyond the last, of other files and of damaged files are 404; widths are limited', async () => {
  for (const answer of [await page('plan.pdf', 4), await page('note.txt', 1), await page('broken.pdf', 1)])
    expect(answer.json()).toMatchObject({ status: 404, code: 'no_page' });
  for (const [number, query] of [
    [0, ''],
    ['one', ''],
    [1, '?width=199'],
    [1, '?width=2001'],
  ] as const)
    expect((await page('plan.pdf', number, query)).statusCode).toBe(422);
  expect((await t.request('GET', '/items/01a1dd25-f4f0-73a1-bb93-7c6aea54485d/pages/1')).json().code).toBe('not_found');
});

test('a page is served from the cache and by ETag, and drawn again when the file changed', async () => {
  const first = await page('plan.pdf', 1);
  const etag = first.headers['etag'] as string;
  expect(first.headers['cache-control']).toBe('private, no-cache');
  const again = await t.request('GET', `/items/${ids['plan.pdf']}/pages/1`, undefined, { headers: { 'if-none-match': etag } });
  expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
  const kept = path.join(t.configDir, 'views', etag.slice(1, 3), `${etag.slice(1, -1)}.webp`);
  const marked = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .webp()
    .toBuffer();
  writeFileSync(kept, marked);
  expect((await page('plan.pdf', 1)).rawPayload.equals(marked)).toBe(true);
  writeFileSync(path.join(root, 'plan.pdf'), Buffer.concat([threePages(), Buffer.from('\n%changed')]));
  const changed = await page('plan.pdf', 1);
  expect(changed.headers['etag']).not.toBe(etag);
  expect((await sharp(changed.rawPayload).metadata()).width).toBe(1000);
});

test('a turntable has 24 different tiles, the first as in the thumbnail', async () => {
  const answer = await t.request('GET', `/items/${ids['wedge.stl']}/turntable`);
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/webp']);
  const { data, info } = await sharp(answer.rawPayload).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([6 * 320, 4 * 320]);
  const covered = Array.from({ length: 24 }, (_, n) => {
    let pixels = 0;
    for (let y = 0; y < 320; y++)
      for (let x = 0; x < 320; x++) {
        const at = ((Math.floor(n / 6) * 320 + y) * info.width + (n % 6) * 320 + x) * 4 + 3;
        if (data[at]! > 128) pixels += 1;
      }
    return pixels;
  });
  expect(Math.min(...covered)).toBeGreaterThan(500);
  expect(new Set(covered).size).toBeGreaterThan(20);
  for (const name of ['empty.stl', 'plan.pdf'])
    expect((await t.request('GET', `/items/${ids[name]}/turntable`)).json()).toMatchObject({ status: 404, code: 'no_turntable' });
});

test('views drawn on demand respect the limits of the library', async () => {
  const strict = await addLibrary(t.deps, { root_path: root });
  await sql`update libraries set extract_overrides = '{"document_max_bytes": 64, "model3d_max_bytes": 64}' where id = ${strict}`.execute(
    t.deps.db,
  );
  for (const [name, view, code] of [
    ['plan.pdf', 'pages/1', 'no_page'],
    ['wedge.stl', 'turntable', 'no_turntable'],
  ] as const) {
    const { size, mtime } = statSync(path.join(root, name));
    const id = await addItem(t.deps, strict, name, { size, mtime, content_hash: `strict hash of ${name}` });
    expect((await t.request('GET', `/items/${id}/${view}`)).json()).toMatchObject({
      status: 404,
      code,
      detail: expect.stringContaining('the ceiling is 64'),
    });
  }
});

test('pages need the right to read content; a turntable needs only the right to see the item', async () => {
  const facts = (await addPerson(t.deps, [[library, '', 'search_metadata']])).key;
  const nobody = (await addPerson(t.deps, [])).key;
  expect((await page('plan.pdf', 1, '', facts)).json()).toMatchObject({ status: 403, code: 'action_denied' });
  expect((await page('plan.pdf', 1, '', nobody)).json()).toMatchObject({ status: 404, code: 'not_found' });
  const turntable = (as: string) => t.request('GET', `/items/${ids['wedge.stl']}/turntable`, undefined, { as });
  expect((await turntable(facts)).statusCode).toBe(200);
  expect((await turntable(nobody)).json().code).toBe('not_found');
});

test('a missing file is reported as such, and a symbolic link that replaced it is not followed', async () => {
  const id = await addItem(t.deps, library, 'away.pdf', { content_hash: 'away' });
  expect((await t.request('GET', `/items/${id}/pages/1`)).json().code).toBe('file_gone');
});

test('the text of a file is returned with its source to callers who may read content', async () => {
  const text = (name: string, as?: string) => t.request('GET', `/items/${ids[name]}/text`, undefined, as === undefined ? {} : { as });
  expect((await text('note.txt')).json()).toMatchObject({ status: 404, code: 'no_text' });
  const put = (name: string, set: ReturnType<typeof sql>) => sql`update items set ${set} where id = ${ids[name]}`.execute(t.deps.db);
  await put('note.txt', sql`body_text = 'A word.', metadata = '{"body_text_truncated": true}'`);
  const answer = await text('note.txt');
  expect(answer.json()).toEqual({ text: 'A word.', truncated: true, source: 'body' });
  const etag = answer.headers['etag'] as string;
  const again = await t.request('GET', `/items/${ids['note.txt']}/text`, undefined, { headers: { 'if-none-match': etag } });
  expect(again.statusCode).toBe(304);
  await put('plan.pdf', sql`body_text = ' 7 ', metadata = '{"ocr_text": "Printed words", "ocr_text_truncated": true}'`);
  expect((await text('plan.pdf')).json()).toEqual({ text: 'Printed words', truncated: true, source: 'ocr' });
  await put('wedge.stl', sql`body_text = 'Hello there', file_group = 'subtitle'`);
  expect((await text('wedge.stl')).json()).toEqual({ text: 'Hello there', truncated: false, source: 'subtitles' });
  await put('empty.stl', sql`archive_members = ${'a.txt\nb.txt'}, metadata = '{"archive": {"truncated": true}}'`);
  expect((await text('empty.stl')).json()).toEqual({ text: 'a.txt\nb.txt', truncated: true, source: 'members' });
  const facts = (await addPerson(t.deps, [[library, '', 'search_metadata']])).key;
  expect((await text('note.txt', facts)).json().code).toBe('action_denied');
  expect((await text('note.txt', (await addPerson(t.deps, [])).key)).json().code).toBe('not_found');
});

const slow = new URL('../../../../readers/test/misbehaving-task.ts', import.meta.url);
const job = { path: '/dev/null', filename: 'x.pdf', extension: 'pdf', size: 0, limits: defaultLimits };

test('a picture is drawn once for all waiting callers, aborted when the last disconnects, and too many are rejected', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-viewer-'));
  const viewer = createViewRenderer({
    cache: createViewCache({ folder, maxBytes: 1000 }),
    maxWaiting: 2,
    tasks: { page: slow, turntable: slow, words: slow },
  });
  const ask = (bytes: string, signal: AbortSignal) =>
    viewer.draw({ kind: 'page', bytes, job, options: { action: 'spin' } }, async () => true, signal);
  try {
    const [one, two] = [new AbortController(), new AbortController()];
    const waiting = [ask('a', one.signal), ask('a', two.signal)];
    const third = new AbortController();
    const other = ask('b', third.signal);
    await vi.waitFor(() => expect(viewer.pending()).toBe(2));
    expect(await ask('c', new AbortController().signal)).toEqual({ state: 'busy' });
    one.abort();
    expect(viewer.pending()).toBe(2);
    two.abort();
    third.abort();
    expect(await Promise.all([...waiting, other])).toEqual([{ state: 'stopped' }, { state: 'stopped' }, { state: 'stopped' }]);
    await vi.waitFor(() => expect(viewer.pending()).toBe(0));
  } finally {
    viewer.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a caller who disconnects stops the drawing', async () => {
  const big = `solid big\n${wedge.split('\n').slice(1, -1).join('\n').concat('\n').repeat(60_000)}endsolid big`;
  writeFileSync(path.join(root, 'big.stl'), big);
  const fresh = await createTestApp();
  try {
    const id = await addItem(fresh.deps, await addLibrary(fresh.deps, { root_path: root }), 'big.stl', { content_hash: 'big' });
    const address = await fresh.app.listen({ port: 0, host: '127.0.0.1' });
    const before = readersOf(process.pid);
    const started = (): string[] => readersOf(process.pid).filter((name) => !before.includes(name));
    const asked = httpRequest(`${address}/api/v1/items/${id}/turntable`, { headers: { authorization: `Bearer ${fresh.keys.read}` } });
    asked.on('error', () => {});
    asked.end();
    await vi.waitFor(() => expect(started()).toHaveLength(1), { timeout: 20_000 });
    asked.destroy();
    await vi.waitFor(() => expect(started()).toEqual([]), { timeout: 20_000 });
  } finally {
    await fresh.close();
  }
});

/** The working folders of this process's sandboxed readers. */
function readersOf(pid: number): string[] {
  return readdirSync(os.tmpdir()).filter((name) => name.startsWith(`catalog-reader-${pid}-`));
}

test('the cache stays below its limit by evicting the least recently used', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-cache-'));
  try {
    const cache = createViewCache({ folder, maxBytes: 1000 });
    const key = (n: number) => n.toString(16).padStart(32, '0');
    for (let n = 0; n < 10; n++) await cache.write(key(n), Buffer.alloc(100, n));
    await cache.read(key(0));
    await cache.write(key(10), Buffer.alloc(100));
    expect(await cache.totals()).toEqual({ files: 8, bytes: 800 });
    expect(await cache.read(key(0))).not.toBeNull();
    expect(await cache.read(key(1))).toBeNull();
    const reopened = createViewCache({ folder, maxBytes: 1000 });
    expect(await reopened.totals()).toEqual({ files: 8, bytes: 800 });
    rmSync(folder, { recursive: true });
    expect(await reopened.read(key(0))).toBeNull();
    expect((await reopened.totals()).bytes).toBe(700);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A page of 200 by 100 points, rotated or not, with two words at the lower left. */
function written(turn: number): Buffer {
  const content = 'BT /F 20 Tf 20 10 Td (Harbour crane) Tj ET';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /Rotate ${turn} /MediaBox [0 0 200 100] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  return Buffer.from(`%PDF-1.4\n${objects.map((text, n) => `${n + 1} 0 obj\n${text}\nendobj\n`).join('')}trailer << /Root 1 0 R >>\n%%EOF`);
}

async function addFile(name: string, bytes: Buffer): Promise<string> {
  writeFileSync(path.join(root, name), bytes);
  const { size, mtime } = statSync(path.join(root, name));
  return addItem(t.deps, library, name, { size, mtime: new Date(Math.floor(mtime.getTime())), content_hash: `hash of ${name}` });
}

test('the words of a page are returned with their positions, also on a rotated page', async () => {
  const upright = await t.request('GET', `/items/${await addFile('upright.pdf', written(0))}/pages/1/words`);
  expect(upright.statusCode).toBe(200);
  const [harbour, crane] = upright.json().words;
  expect([harbour.text, crane.text]).toEqual(['Harbour', 'crane']);
  expect(harbour.x).toBeCloseTo(0.1, 1);
  expect(harbour.y).toBeGreaterThan(0.7);
  expect(crane.x).toBeGreaterThan(harbour.x + harbour.w);
  const turned = await t.request('GET', `/items/${await addFile('turned.pdf', written(90))}/pages/1/words`);
  expect(turned.json().words[0].h).toBeGreaterThan(turned.json().words[0].w);
});

test('words of a page need the right to read content, and a page without text has none', async () => {
  const words = (name: string, number: number) => t.request('GET', `/items/${ids[name]}/pages/${number}/words`);
  expect((await words('plan.pdf', 1)).json()).toEqual({ words: [] });
  expect((await words('plan.pdf', 9)).json().code).toBe('no_page');
  expect((await words('note.txt', 1)).json().code).toBe('no_page');
  const facts = (await addPerson(t.deps, [[library, '', 'search_metadata']])).key;
  const answer = await t.request('GET', `/items/${ids['plan.pdf']}/pages/1/words`, undefined, { as: facts });
  expect(answer.json().code).toBe('action_denied');
});

test('a page that takes longer than the reader’s deadline is given up, by the limit of the library', async () => {
  await sql`update libraries set extract_overrides = '{"extract_timeout_seconds": 2}' where id = ${library}`.execute(t.deps.db);
  const late = await page('slow.pdf', 1);
  expect(late.json()).toMatchObject({ status: 404, code: 'no_page', detail: 'Reading took longer than 2 s.' });
  await sql`update libraries set extract_overrides = null where id = ${library}`.execute(t.deps.db);
  expect((await page('plan.pdf', 1)).statusCode).toBe(200);
}, 60_000);
