import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';

let t: TestApp;
let disk: string;
beforeAll(async () => {
  disk = mkdtempSync(path.join(os.tmpdir(), 'catalog-browse-'));
  for (const folder of ['media/films/old', 'media/films/10', 'media/films/9', 'media-private', 'mnt'])
    mkdirSync(`${disk}/${folder}`, { recursive: true });
  writeFileSync(`${disk}/media/file.txt`, 'x');
  symlinkSync(`${disk}/media-private`, `${disk}/media/out`);
  symlinkSync('films', `${disk}/media/in`);
  t = await createTestApp({ SVC_BROWSE_ROOTS: `${disk}/media,${disk}/mnt,${disk}/not-there` });
});
afterAll(async () => {
  await t.close();
  rmSync(disk, { recursive: true, force: true });
});
const browse = async (folder?: string) =>
  (await t.request('GET', `/fs/browse${folder === undefined ? '' : `?path=${encodeURIComponent(folder)}`}`)).json();

test('without a path the allowed roots are listed; below them only folders', async () => {
  const roots = [`${disk}/media`, `${disk}/mnt`, `${disk}/not-there`];
  expect(await browse()).toMatchObject({ path: '', parent: null, roots, dirs: roots.map((root) => ({ path: root })) });
  expect(await browse(`${disk}/media`)).toEqual({
    path: `${disk}/media`,
    parent: null,
    roots,
    dirs: [{ name: 'films', path: `${disk}/media/films`, network: false, readable: true }],
    truncated: false,
  });
  const films = await browse(`${disk}/media/films/`);
  expect([films.parent, films.dirs.map(({ name }: { name: string }) => name)]).toEqual([`${disk}/media`, ['9', '10', 'old']]);
});

test('nothing outside the roots is listed: not by .., a similarly named folder or a symlink', async () => {
  for (const folder of [
    '/',
    '/etc',
    `${disk}`,
    `${disk}/media/..`,
    `${disk}/media/../media-private`,
    `${disk}/media-private`,
    `${disk}/media/out`,
    'media',
  ])
    expect(await browse(folder), folder).toMatchObject({ status: 422, code: 'path_outside' });
  expect(await browse(`${disk}/media/in`)).toMatchObject({ path: `${disk}/media/in` });
  expect(await browse(`${disk}/media\0/x`)).toMatchObject({ status: 422, code: 'validation_failed' });
});

test('a file or a missing folder is a 404', async () => {
  for (const folder of [`${disk}/media/file.txt`, `${disk}/media/none`, `${disk}/not-there`])
    expect(await browse(folder), folder).toMatchObject({ status: 404 });
});

test('a folder with too many subfolders is truncated and says so', async () => {
  for (let n = 0; n < 501; n += 1) mkdirSync(`${disk}/mnt/${n}`);
  const { dirs, truncated } = await browse(`${disk}/mnt`);
  expect([dirs.length, truncated]).toEqual([500, true]);
});
