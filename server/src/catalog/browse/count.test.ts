import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { scan } from '../scan/library.fixture.ts';

const FILES = [
  'one.txt',
  '.DS_Store',
  'photos/a.jpg',
  'photos/b.jpg',
  'photos/Thumbs.db',
  'photos/2024/c.jpg',
  'site/index.html',
  'site/node_modules/x/index.js',
  'site/node_modules/.cache/y.js',
  'site/store/CACHEDIR.TAG',
  'site/store/z.bin',
  'site/odd/CACHEDIR.TAG',
];
let t: TestApp;
let disk: string;
beforeAll(async () => {
  disk = mkdtempSync(path.join(os.tmpdir(), 'catalog-count-'));
  for (const file of FILES) {
    mkdirSync(path.dirname(`${disk}/media/${file}`), { recursive: true });
    writeFileSync(`${disk}/media/${file}`, file.startsWith('site/store/C') ? 'Signature: 8a477f597d28d172789f06886806bc55' : 'x');
  }
  symlinkSync('a.jpg', `${disk}/media/photos/link.jpg`);
  symlinkSync(disk, `${disk}/media/photos/up`);
  mkdirSync(`${disk}/private`);
  t = await createTestApp({ SVC_BROWSE_ROOTS: `${disk}/media` });
});
afterAll(async () => {
  await t.close();
  rmSync(disk, { recursive: true, force: true });
});
const count = async (folder: string) => (await t.request('GET', `/fs/count?path=${encodeURIComponent(folder)}`)).json();

/** Files that remain when these presets are on, computed like the console does. */
const kept = ({ files, left_out }: { files: number; left_out: { by: string[]; files: number }[] }, on: string[]): number =>
  files -
  left_out.filter(({ by }) => by.some((one) => one === 'tagged_cache' || on.includes(one))).reduce((sum, one) => sum + one.files, 0);

test('every file is counted once, with all presets that would exclude it', async () => {
  const answer = await count(`${disk}/media`);
  // The two symlinks count as files, as in a scan; neither is followed.
  expect(answer).toMatchObject({ path: `${disk}/media`, files: FILES.length + 2, unreadable: 0, complete: true });
  expect(answer.dirs).toEqual([
    { name: 'photos', files: 6, complete: true },
    { name: 'site', files: 6, complete: true },
  ]);
  const by = Object.fromEntries(answer.left_out.map((one: { by: string[]; files: number }) => [one.by.join(' '), one.files]));
  expect(by).toEqual({
    'hidden_dotfiles os_metadata': 1,
    'system_files os_metadata': 1,
    node_modules_build: 1,
    'hidden_dotfiles caches_temp node_modules_build': 1,
    tagged_cache: 2,
  });
});

test('the count matches what a scan then finds', async () => {
  const answer = await count(`${disk}/media`);
  const presets = ['os_metadata', 'node_modules_build', '-hidden_dotfiles'];
  const library = (
    await t.request('POST', '/libraries', {
      name: 'Counted',
      root_path: `${disk}/media`,
      enabled_presets: presets,
      count_pruned_files: true,
    })
  ).json();
  await scan(t.deps.db, library.id);
  const { total } = (await t.request('GET', `/items?library_id=${library.id}&limit=1`)).json();
  expect(total).toBe(kept(answer, presets));
});

test('nothing outside the roots is counted', async () => {
  for (const folder of [`${disk}/private`, `${disk}/media/photos/up`, `${disk}/media/../private`, 'media'])
    expect(await count(folder), folder).toMatchObject({ status: 422, code: 'path_outside' });
  expect(await count(`${disk}/media/none`)).toMatchObject({ status: 404 });
});
