import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Treemap } from './treemap.tsx';
import type { TreemapNode } from './treemap-layout.ts';

vi.mock('@mantine/hooks', async (real) => ({
  ...(await real<typeof import('@mantine/hooks')>()),
  useElementSize: () => ({ ref: () => {}, width: 800, height: 600 }),
}));

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

test('the card of the folder under a still pointer stays, and tells what is learned meanwhile', async () => {
  const { rerender } = render(map(null));
  await userEvent.hover(screen.getByRole('button', { name: /^photos/ }));
  expect(screen.getByRole('tooltip').textContent).not.toContain('Mostly');
  rerender(map('image'));
  expect(screen.getByRole('tooltip').textContent).toMatch(/^photos.*Mostly images · newest .*2023/);
  expect(screen.getByRole('button', { name: /^photos/ }).getAttribute('aria-describedby')).toBe('treemap-card');
});

test('the card goes with its folder', async () => {
  const { rerender } = render(map(null));
  await userEvent.hover(screen.getByRole('button', { name: /^photos/ }));
  rerender(map(null, ['video', 'letters']));
  expect(screen.queryByRole('tooltip')).toBeNull();
});
