import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { categoriesByArea, type TreemapNode, treemapTiles, withRemainder } from './treemap-layout.ts';

vi.mock('@mantine/hooks', async (real) => ({
  ...(await real<typeof import('@mantine/hooks')>()),
  useElementSize: () => ({ ref: () => {}, width: 800, height: 600 }),
}));
// Another file may have loaded it without the mock.
vi.resetModules();
const { Treemap } = await import('./treemap.tsx');

const folder = (name: string, value: number, category: string | null): TreemapNode => ({
  name,
  path: name,
  value,
  files: 1,
  bytes: value,
  category,
  newest: category ? 1_700_000_000 : null,
});
const map = (category: string | null, names = ['photos', 'video']) => (
  <Treemap
    root={{ ...folder('', 20, null), children: names.map((name) => folder(name, 10, category)) }}
    selected=""
    words={String}
    onSelect={() => {}}
    onEnter={() => {}}
  />
);

test('the card of the hovered folder stays and is updated with new data', async () => {
  const { rerender } = render(map(null));
  await userEvent.hover(screen.getByRole('button', { name: /^photos/ }));
  expect(screen.getByRole('tooltip').textContent).not.toContain('Mostly');
  rerender(map('image'));
  expect(screen.getByRole('tooltip').textContent).toMatch(/^photos.*Mostly images · newest .*2023/);
  expect(screen.getByRole('button', { name: /^photos/ }).getAttribute('aria-describedby')).toBe('treemap-card');
});

test('the card is closed when its folder disappears', async () => {
  const { rerender } = render(map(null));
  await userEvent.hover(screen.getByRole('button', { name: /^photos/ }));
  rerender(map(null, ['video', 'letters']));
  expect(screen.queryByRole('tooltip')).toBeNull();
});

test('treemap tiles are inside the map and proportional to the sizes', () => {
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

test('folders that are not shown and the files of the folder itself become one tile, and the sum is kept', () => {
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
  const shown = withRemainder(top, nodes, 150);
  expect(shown.reduce((n, node) => n + node.value, 0)).toBe(6000);
  expect(shown.at(-1)).toMatchObject({ name: '145 more', path: 'top/', files: 175, bytes: 195 });
  expect(withRemainder({ ...top, value: 15 }, nodes, 5).at(-1)).toMatchObject({ name: 'Files in this folder', value: 5 });
  expect(withRemainder({ ...top, value: 10 }, nodes, 5)).toHaveLength(5);
});

test('the tile for the remainder comes last, however large it is', () => {
  const node = (name: string, value: number, children?: TreemapNode[]): TreemapNode => ({
    ...{ name, path: name, value, files: 1, bytes: value, category: null, newest: null },
    ...(children && { children }),
  });
  const folders = [node('a', 3), node('b', 20), node('c', 7)];
  const tiles = treemapTiles(node('top', 1000, withRemainder(node('top', 1000), folders, 60)), 800, 600);
  expect(tiles.map(({ name }) => name)).toEqual(['b', 'c', 'a', '57 more']);
  expect(tiles[0]).toMatchObject({ x: 0, y: 0 });
});

test('the legend lists categories by area, the largest first', () => {
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
  expect(
    categoriesByArea(node(9, null, [node(6, 'image', [node(2, 'image'), node(4, 'video')]), node(3, 'audio'), node(1, null)])),
  ).toEqual(['video', 'audio', 'image']);
});
