import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { FolderTree } from './folder-tree.tsx';
import { ancestors, type TreeLine, treeLines } from './tree-lines.ts';

const line = (path: string): TreeLine => ({ path, name: path, depth: 1, open: false, expandable: true, files: 1, bytes: 1 });
const lines = [line(''), line('a'), line('b'), { ...line(''), more: 300 }];
const [onSelect, onMore] = [vi.fn(), vi.fn()];
beforeEach(() => {
  onSelect.mockReset();
  onMore.mockReset();
});
const show = (selected: string, all = lines) =>
  render(<FolderTree lines={all} selected={selected} onSelect={onSelect} onToggle={() => {}} onMore={onMore} />);

test('Arrow Down after the last loaded folder loads more; other keys skip the "Show more" line', async () => {
  show('b');
  screen.getByRole('tree').focus();
  await userEvent.keyboard('{ArrowDown}');
  expect([onMore.mock.calls, onSelect.mock.calls]).toEqual([[['']], []]);
  await userEvent.keyboard('{End}');
  expect(onSelect).toHaveBeenLastCalledWith('b');
  await userEvent.keyboard('{ArrowUp}');
  expect(onSelect).toHaveBeenLastCalledWith('a');
  await userEvent.click(screen.getByText('Show more folders (300 left)'));
  expect(onMore).toHaveBeenCalledTimes(2);
});

test('Arrow Up skips the "Show more" line of a folder above', async () => {
  show('c', [line(''), line('a'), line('a/x'), { ...line('a'), more: 300 }, line('c')]);
  screen.getByRole('tree').focus();
  await userEvent.keyboard('{ArrowUp}');
  expect([onMore.mock.calls, onSelect.mock.calls]).toEqual([[], [['a/x']]]);
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
