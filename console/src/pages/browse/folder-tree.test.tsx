import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { TreeLine } from './tree-lines.ts';
import { FolderTree } from './folder-tree.tsx';

const line = (path: string): TreeLine => ({ path, name: path, depth: 1, open: false, expandable: true, files: 1, bytes: 1 });
const lines = [line(''), line('a'), line('b'), { ...line(''), more: 300 }];
const [onSelect, onMore] = [vi.fn(), vi.fn()];
beforeEach(() => {
  onSelect.mockReset();
  onMore.mockReset();
});
const show = (selected: string, all = lines) =>
  render(<FolderTree lines={all} selected={selected} totalBytes={3} onSelect={onSelect} onToggle={() => {}} onMore={onMore} />);

test('where the folders that were read end, going down reads more; nothing else leads there', async () => {
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

test('going up passes over the end of a folder above that was not read whole', async () => {
  show('c', [line(''), line('a'), line('a/x'), { ...line('a'), more: 300 }, line('c')]);
  screen.getByRole('tree').focus();
  await userEvent.keyboard('{ArrowUp}');
  expect([onMore.mock.calls, onSelect.mock.calls]).toEqual([[], [['a/x']]]);
});
