import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';

let t: IndexedApp;
beforeAll(async () => {
  t = await createIndexedApp();
  const library = await t.addLibrary('Docs');
  // Files that are newer would come first if nothing else decided.
  await t.addItems(library, [
    { path: 'x/annual report.pdf', mtime: 1_600_000_000 },
    { path: 'x/annual report draft.pdf', mtime: 1_700_000_000 },
    { path: 'x/annual-report-pdf.txt', mtime: 1_700_000_000 },
    { path: 'x/MapTile.cmake', mtime: 1_600_000_000 },
    { path: 'cmake/CMAKE_MAPTILE_COMMAND.rst', mtime: 1_700_000_000 },
    { path: 'x/TopoRaster-ASM.grid', mtime: 1_600_000_000 },
    { path: 'x/Windows-TopoRaster-ASM.grid', mtime: 1_700_000_000 },
    { path: 'x/libgeo++.so', mtime: 1_600_000_000 },
    { path: 'x/libgeo++.so.6.py', mtime: 1_700_000_000 },
    { path: 'bergen/plan one.txt', mtime: 1_600_000_000 },
    { path: 'bergen/a/b/c/d/e/f/g/h/plan two.txt', mtime: 1_700_000_000 },
  ]);
  await t.waitForIndex();
});
afterAll(() => t.close());

const first = async (q: string) => (await t.request('GET', `/search?q=${encodeURIComponent(q)}`)).json().hits[0].filename;

test.each(['annual report', 'report annual', 'annual repo', 'anual report', 'annual report pdf'])(
  'the file whose name has exactly the words of "%s" and no others comes first',
  async (words) => {
    expect(await first(words)).toBe('annual report.pdf');
  },
);

test.each([
  ['maptile cmake', 'MapTile.cmake'],
  ['toporaster asm gri', 'TopoRaster-ASM.grid'],
  ['TopoRaster-ASM', 'TopoRaster-ASM.grid'],
  ['libgeo so', 'libgeo++.so'],
])('capitals within a word, ++ and # need not be typed: "%s" finds %s first', async (words, name) => {
  expect(await first(words)).toBe(name);
});

test('a folder name typed with a word of the file counts: the file directly in the folder comes first', async () => {
  expect(await first('bergen plan')).toBe('plan one.txt');
});
