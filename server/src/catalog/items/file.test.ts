import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import { contentDisposition, mediaType, parseRange } from './http-file.ts';

let t: TestApp;
let root: string;
let library: string;
const bytes = randomBytes(700_000);
beforeAll(async () => {
  t = await createTestApp();
  root = mkdtempSync(path.join(os.tmpdir(), 'catalog-file-'));
  mkdirSync(`${root}/lib/sub`, { recursive: true });
  library = await addLibrary(t.deps, { root_path: `${root}/lib` });
});
afterAll(async () => {
  await t.close();
  rmSync(root, { recursive: true, force: true });
});

async function add(relPath: string, content: Buffer | string | null = 'x'): Promise<string> {
  if (content !== null) writeFileSync(`${root}/lib/${relPath}`, content);
  return addItem(t.deps, library, relPath);
}
const file = (id: string, headers: Record<string, string> = {}, method = 'GET') =>
  t.request(method, `/items/${id}/file`, undefined, { as: 'read', headers });

test('the whole file is sent with its length, an ETag and headers that prevent scripts', async () => {
  const id = await add('sub/film "1" é.bin', bytes);
  const answer = await file(id);
  expect(answer.statusCode).toBe(200);
  expect(answer.rawPayload.equals(bytes)).toBe(true);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': '700000',
    'content-disposition': `attachment; filename="film _1_ _.bin"; filename*=UTF-8''film%20%221%22%20%C3%A9.bin`,
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
  });
  const again = await file(id, { 'if-none-match': answer.headers.etag as string });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  const head = await file(id, {}, 'HEAD');
  expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '700000', '']);
});

test('a range request returns the requested bytes', async () => {
  const id = await add('ranges.mp4', bytes);
  for (const [range, start, end] of [
    ['bytes=0-0', 0, 0],
    ['bytes=100-', 100, 699_999],
    ['bytes=-5', 699_995, 699_999],
    ['bytes=300000-9999999', 300_000, 699_999],
  ] as const) {
    const answer = await file(id, { range });
    expect([answer.statusCode, answer.headers['content-range']], range).toEqual([206, `bytes ${start}-${end}/700000`]);
    expect(answer.rawPayload.equals(bytes.subarray(start, end + 1)), range).toBe(true);
  }
  const behind = await file(id, { range: 'bytes=700000-' });
  expect([behind.statusCode, behind.headers['content-range'], behind.json().code]).toEqual([
    416,
    'bytes */700000',
    'range_not_satisfiable',
  ]);
  expect((await file(id, { range: 'bytes=0-1,5-6' })).statusCode).toBe(200);
  expect((await file(id, { range: 'bytes=0-1', 'if-range': '"other"' })).statusCode).toBe(200);
  const { etag } = (await file(id)).headers;
  expect((await file(id, { range: 'bytes=0-1', 'if-range': etag as string })).statusCode).toBe(206);
});

test('a Range header is parsed as the standard says', () => {
  expect(parseRange(undefined, 10)).toBeNull();
  expect(parseRange('items=0-1', 10)).toBeNull();
  expect(parseRange('bytes=-', 10)).toBeNull();
  expect(parseRange('bytes=5-2', 10)).toBeNull();
  expect(parseRange('bytes=2-5', 10)).toEqual({ start: 2, end: 5 });
  expect(parseRange('bytes=-20', 10)).toEqual({ start: 0, end: 9 });
  expect(parseRange('bytes=-0', 10)).toBe('unsatisfiable');
  expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable');
});

test('images, audio, video and text are shown inline; types that can contain scripts are downloaded', () => {
  for (const ext of ['jpg', 'mp3', 'mp4', 'txt', 'py']) expect(mediaType(ext).inline, ext).toBe(true);
  for (const ext of ['html', 'svg', 'pdf', 'xml', 'js', 'exe', 'constructor', null]) expect(mediaType(ext).inline, String(ext)).toBe(false);
  expect(mediaType('html').type).toBe('application/octet-stream');
  expect(contentDisposition('a\r\nb', true)).toBe(`inline; filename="a__b"; filename*=UTF-8''a%0D%0Ab`);
});

test('download=true always sends the file as a download; an empty file is empty', async () => {
  const id = await add('picture.jpg', '');
  expect((await file(id)).headers['content-disposition']).toMatch(/^inline/);
  const answer = await t.request('GET', `/items/${id}/file?download=true`);
  expect([answer.statusCode, answer.headers['content-length'], answer.headers['content-disposition']]).toEqual([
    200,
    '0',
    expect.stringMatching(/^attachment/),
  ]);
});

test('a file that is missing, became a symlink, folder or pipe, or is behind a symlink is refused', async () => {
  const refused = async (id: string) => (await file(id)).json();
  expect(await refused(await add('never.txt', null))).toMatchObject({ status: 409, code: 'file_gone' });
  writeFileSync(`${root}/outside.txt`, 'secret');
  symlinkSync(`${root}/outside.txt`, `${root}/lib/link.txt`);
  expect(await refused(await add('link.txt', null))).toMatchObject({ status: 409, code: 'file_gone' });
  mkdirSync(`${root}/lib/folder.txt`);
  expect(await refused(await add('folder.txt', null))).toMatchObject({ status: 409, code: 'file_gone' });
  execFileSync('mkfifo', [`${root}/lib/pipe.txt`]);
  expect(await refused(await add('pipe.txt', null))).toMatchObject({ status: 409, code: 'file_gone' });

  // A readable folder is replaced by a symlink to one the person may not read.
  mkdirSync(`${root}/lib/private`);
  mkdirSync(`${root}/lib/public`);
  writeFileSync(`${root}/lib/private/a.txt`, 'secret');
  const id = await add('public/a.txt', 'open');
  const { key } = await addPerson(t.deps, [
    [library, 'public', 'search_metadata'],
    [library, 'public', 'download'],
  ]);
  expect((await t.request('GET', `/items/${id}/file`, undefined, { as: key })).body).toBe('open');
  expect((await t.request('GET', `/items/${id}`, undefined, { as: key })).json()).toMatchObject({
    may_read_content: false,
    may_download: true,
  });
  renameSync(`${root}/lib/public`, `${root}/lib/public-old`);
  symlinkSync('private', `${root}/lib/public`);
  const swapped = await t.request('GET', `/items/${id}/file`, undefined, { as: key });
  expect([swapped.statusCode, swapped.body.includes('secret')]).toEqual([409, false]);
});

test('a library below a symlink and a name that is not UTF-8 are served', async () => {
  symlinkSync(`${root}/lib`, `${root}/lib-link`);
  const linked = await addLibrary(t.deps, { root_path: `${root}/lib-link/` });
  writeFileSync(`${root}/lib/plain.txt`, 'plain');
  const plain = await addItem(t.deps, linked, 'plain.txt');
  expect((await file(plain)).body).toBe('plain');
  writeFileSync(Buffer.concat([Buffer.from(`${root}/lib/`), Buffer.from([0xff]), Buffer.from('.txt')]), 'odd');
  const odd = await addItem(t.deps, library, '\u{10feff}.txt');
  expect((await file(odd)).body).toBe('odd');
});
