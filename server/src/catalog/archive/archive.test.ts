import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import { createNames } from './names.ts';
import { type ZipSource, zipStream } from './zip-stream.ts';

let t: TestApp;
let root: string;
let library: string;
const bytes = randomBytes(700_000);
beforeAll(async () => {
  t = await createTestApp();
  root = mkdtempSync(path.join(os.tmpdir(), 'catalog-archive-'));
  mkdirSync(`${root}/lib/open`, { recursive: true });
  mkdirSync(`${root}/lib/closed`);
  library = await addLibrary(t.deps, { root_path: `${root}/lib` });
});
afterAll(async () => {
  await t.close();
  rmSync(root, { recursive: true, force: true });
});

async function add(relPath: string, content: Buffer | string | null = 'x'): Promise<string> {
  if (content !== null) writeFileSync(`${root}/lib/${relPath}`, content);
  return addItem(t.deps, library, relPath, { size: content === null ? 10 : content.length });
}
const download = (ids: string[], as = 'read') => t.request('POST', '/items/archive', { item_ids: ids }, { as });

/** Reads the archive with Python, which is strict about checksums and sizes. */
function unpack(archive: Buffer): { names: string[]; read: (name: string) => Buffer } {
  const file = path.join(root, 'download.zip');
  writeFileSync(file, archive);
  const python = (script: string, ...more: string[]) =>
    execFileSync('python3', ['-c', `import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); ${script}`, file, ...more], {
      maxBuffer: 1e8,
      env: { ...process.env, PYTHONIOENCODING: 'utf8' },
    });
  const listed = python('assert z.testzip() is None; print("\\n".join(z.namelist()))').toString();
  return { names: listed.trim().split('\n'), read: (name) => python('sys.stdout.buffer.write(z.read(sys.argv[2]))', name) };
}

test('several files are sent as one archive; equal names get a number, whatever their case', async () => {
  const ids = [
    await add('open/photo.jpg', bytes),
    await add('closed/photo.jpg', 'another'),
    await add('open/Photo.JPG', 'third'),
    await add('open/empty', ''),
    await add('open/é "quoted": 1.txt', 'named'),
  ];
  utimesSync(`${root}/lib/open/photo.jpg`, 1_600_000_000, 1_600_000_000);
  const plan = await t.request('POST', '/items/archive/plan', { item_ids: ids }, { as: 'read' });
  expect(plan.json()).toEqual({ files: 5, bytes: 700_000 + 7 + 5 + 0 + 5, left_out: 0, left_out_files: [] });
  const answer = await download(ids);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': expect.stringMatching(/^attachment; filename="catalog-\d{4}-\d\d-\d\d\.zip"/),
  });
  const { names, read } = unpack(answer.rawPayload);
  expect(names).toEqual(['photo.jpg', 'photo (2).jpg', 'Photo (3).JPG', 'empty', 'é _quoted__ 1.txt']);
  expect(read('photo.jpg').equals(bytes)).toBe(true);
  expect([read('photo (2).jpg').toString(), read('empty').length]).toEqual(['another', 0]);
});

test('a form gets the same archive, because only the answer of a form is saved while it arrives', async () => {
  const ids = [await add('open/one.txt', '1'), await add('open/two.txt', '2')];
  const answer = await t.app.inject({
    method: 'POST',
    url: '/api/v1/items/archive',
    payload: `item_ids=${ids.join('%2C')}`,
    headers: { authorization: `Bearer ${t.keys.read}`, 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(unpack(answer.rawPayload).names).toEqual(['one.txt', 'two.txt']);
});

test('the right to download is checked for each file; files that are denied, gone or shortened are named in the archive', async () => {
  const ids = [await add('open/seen.txt', 'seen'), await add('closed/denied.txt'), await add('open/gone.txt', null)];
  const { key } = await addPerson(t.deps, [
    [library, '', 'search_metadata'],
    [library, 'open', 'download'],
  ]);
  const plan = (await t.request('POST', '/items/archive/plan', { item_ids: ids }, { as: key })).json();
  expect(plan).toMatchObject({
    files: 2,
    left_out: 1,
    left_out_files: [{ filename: 'denied.txt', reason: 'You may not download this file.' }],
  });
  const { names, read } = unpack((await download(ids, key)).rawPayload);
  expect(names).toEqual(['seen.txt', 'Not included.txt']);
  expect(read('Not included.txt').toString()).toMatch(/^denied\.txt: You may not download this file\.\ngone\.txt: .+\n$/);
  expect((await download([ids[1]!], key)).json().code).toBe('action_denied');
  const stranger = (await addPerson(t.deps, [])).key;
  expect((await download(ids, stranger)).json().code).toBe('not_found');
  expect((await download(Array.from({ length: 5_001 }, () => ids[0]!))).json().code).toBe('validation_failed');
});

test('a file that becomes shorter while it is read leaves a valid archive that says so', async () => {
  const id = await add('open/shrinking.bin', Buffer.alloc(3_000_000));
  const { planArchive, archiveBytes } = await import('./service.ts');
  const everything = { allows: () => true } as never;
  const stream = archiveBytes(await planArchive(t.deps.db, everything, [id]));
  const parts: Buffer[] = [(await stream.next()).value as Buffer, (await stream.next()).value as Buffer];
  truncateSync(`${root}/lib/open/shrinking.bin`, 300_000);
  for await (const part of stream) parts.push(part);
  const { names, read } = unpack(Buffer.concat(parts));
  expect(names).toEqual(['shrinking.bin', 'Not included.txt']);
  expect(read('shrinking.bin').length).toBeLessThan(3_000_000);
  expect(read('Not included.txt').toString()).toContain('shrinking.bin: Incomplete.');
});

test('a download that is cancelled before a file is read leaves no file open', async () => {
  const id = await add('open/cancelled.bin', Buffer.alloc(1000));
  const { planArchive, archiveBytes } = await import('./service.ts');
  const stream = archiveBytes(await planArchive(t.deps.db, { allows: () => true } as never, [id]));
  const isOpen = () => readdirSync('/proc/self/fd').some((fd) => linkOf(`/proc/self/fd/${fd}`)?.endsWith('/cancelled.bin'));
  await stream.next();
  expect(isOpen()).toBe(true);
  await stream.return(undefined);
  expect(isOpen()).toBe(false);
});

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // It was closed meanwhile.
    return undefined;
  }
}

test('more than 65,535 files, and files announced with 4 GiB, use the large format', async () => {
  async function* many(): AsyncGenerator<ZipSource> {
    async function* text(): AsyncGenerator<Buffer> {
      yield Buffer.from('x');
    }
    yield { name: 'large.bin', modified: new Date(0), size: 2 ** 32, bytes: text() };
    for (let n = 0; n < 65_600; n += 1) yield { name: `f${n}`, modified: new Date(), size: 1, bytes: text() };
  }
  const { names, read } = unpack(await buffer(zipStream(many())));
  expect(names).toHaveLength(65_601);
  expect(read('large.bin').toString()).toBe('x');
});

test('names are unique on systems that ignore case and normal form', () => {
  const nameOf = createNames();
  expect(['a', 'A', 'a (2)', '.x', '.X', 'é', 'e\u0301', '', '\ud800'].map(nameOf)).toEqual([
    'a',
    'A (2)',
    'a (2) (2)',
    '.x',
    '.X (2)',
    'é',
    'e\u0301 (2)',
    '_',
    '\ufffd',
  ]);
});
