import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Job } from '../api/types.ts';
import { ancestors, treeLines } from './browse/tree-lines.ts';
import { categoriesByArea, type TreemapNode, treemapTiles, withRemainder } from './browse/treemap-layout.ts';
import { groupFailures } from './jobs/job-labels.ts';
import { clusterPoints, fitView } from './map/map-geometry.ts';

const point = fc.record({
  id: fc.uuid(),
  x: fc.double({ min: 0, max: 1000, noNaN: true }),
  y: fc.double({ min: 0, max: 700, noNaN: true }),
});

test('clusters lose no file and show none twice', () => {
  fc.assert(
    fc.property(fc.uniqueArray(point, { selector: (p) => p.id, maxLength: 200 }), (points) => {
      const ids = clusterPoints(points).flatMap((c) => c.ids);
      expect(ids.sort()).toEqual(points.map((p) => p.id).sort());
    }),
  );
});

test('a few far-away files do not push the many into a corner', () => {
  const many = Array.from({ length: 200 }, (_, i) => ({ lat: 60 + i / 1000, lng: 5 + i / 1000 }));
  expect(fitView([...many, { lat: -40, lng: 170 }], 1000, 700).zoom).toBeGreaterThan(10);
});

test('treemap tiles lie inside the map and follow the sizes', () => {
  const root = {
    name: '',
    path: '',
    value: 0,
    files: 1,
    bytes: 1,
    category: null,
    newest: null,
    children: [4, 2, 1].map((value) => ({ name: `f${value}`, path: `f${value}`, value, files: 1, bytes: 1, category: null, newest: null })),
  };
  const tiles = treemapTiles(root, 800, 600);
  for (const tile of tiles) expect(tile.x >= 0 && tile.y >= 0 && tile.x + tile.w <= 800 && tile.y + tile.h <= 600).toBe(true);
  const area = (name: string) => tiles.find((t) => t.name === name)!.w * tiles.find((t) => t.name === name)!.h;
  expect(area('f4') / area('f1')).toBeCloseTo(4, 0);
});

test('folders that were not told and the files of the folder itself are drawn as one, and the sum stays', () => {
  const nodes = Array.from({ length: 5 }, (_, i) => ({
    name: `n${i}`,
    path: `n${i}`,
    value: i,
    files: 1,
    bytes: 1,
    category: null,
    newest: null,
  }));
  const top = { name: 'top', path: 'top', value: 6000, files: 180, bytes: 200, category: null, newest: null };
  const drawn = withRemainder(top, nodes, 150);
  expect(drawn.reduce((n, node) => n + node.value, 0)).toBe(6000);
  expect(drawn.at(-1)).toMatchObject({ name: '145 more', path: 'top/', files: 175, bytes: 195 });
  expect(withRemainder({ ...top, value: 15 }, nodes, 5).at(-1)).toMatchObject({ name: 'files here', value: 5 });
  expect(withRemainder({ ...top, value: 10 }, nodes, 5)).toHaveLength(5);
});

test('what is drawn as one lies behind the folders, however large it is', () => {
  const node = (name: string, value: number, children?: TreemapNode[]): TreemapNode => ({
    ...{ name, path: name, value, files: 1, bytes: value, category: null, newest: null },
    ...(children && { children }),
  });
  const folders = [node('a', 3), node('b', 20), node('c', 7)];
  const tiles = treemapTiles(node('top', 1000, withRemainder(node('top', 1000), folders, 60)), 800, 600);
  expect(tiles.map(({ name }) => name)).toEqual(['b', 'c', 'a', '57 more']);
  expect(tiles[0]).toMatchObject({ x: 0, y: 0 });
});

test('the legend names the kinds the map is tinted with, the largest area first', () => {
  const node = (value: number, category: string | null, children?: TreemapNode[]): TreemapNode => ({
    name: '',
    path: '',
    value,
    files: 1,
    bytes: 1,
    category,
    newest: null,
    ...(children && { children }),
  });
  expect(categoriesByArea(node(9, null, [node(6, 'image', [node(2, 'image'), node(4, 'video')]), node(3, 'audio'), node(1, null)]))).toEqual([
    'video',
    'audio',
    'image',
  ]);
});

test('the tree shows the children of open folders only', () => {
  const folder = (name: string) => [{ name, item_count: 1, total_bytes: 1 }];
  const level = (path: string) =>
    ({ '': { folders: folder('a'), total: 1 }, a: { folders: folder('b'), total: 301 } })[path] ?? { folders: [], total: 0 };
  const lines = (open: string[]) =>
    treeLines({ name: 'Photos', files: 1, bytes: 1 }, level, new Set(open)).map((l) => (l.more ? `${l.path}: ${l.more} more` : l.path));
  expect(lines([''])).toEqual(['', 'a']);
  expect(lines(['', 'a'])).toEqual(['', 'a', 'a/b', 'a: 300 more']);
  expect(ancestors('a/b')).toEqual(['', 'a', 'a/b']);
});

test('failed jobs are grouped by their reason, whatever file it names', () => {
  const job = (error: string) => ({ error, queue: 'extract' }) as Job;
  const groups = groupFailures([job('Timed out textMatches /a/b.pdf'), job('Timed out textMatches /c.pdf'), job('The file needs a password.')]);
  expect(groups.map((g) => g.jobs.length)).toEqual([2, 1]);
  expect(groups[1]!.advice).toBe('Unlock them at the source, then retry.');
});
