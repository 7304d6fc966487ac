import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import * as catalog from '../../api/catalog.ts';
import type { TreeResponse } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { FolderView } from './folder-view.tsx';

const file = (filename: string) => ({
  id: filename,
  rel_path: `harbour/${filename}`,
  filename,
  file_category: 'image',
  file_group: 'raster-photo',
  size: 10,
  mtime: '2024-06-14T10:00:00Z',
  title: null,
  year: null,
  has_thumb: false,
  thumb_version: null,
});
const files = ['anchor.jpg', 'boat.jpg', 'buoy.jpg'].map(file);
const folders = [{ name: 'drone', item_count: 412, total_bytes: 684 }];
const handlers = { onSort: vi.fn(), onSelect: vi.fn(), onEnter: vi.fn(), onMore: vi.fn(), onOpen: vi.fn(), onQuickLook: vi.fn() };

beforeEach(() => {
  vi.restoreAllMocks();
  for (const handler of Object.values(handlers)) handler.mockClear();
  Element.prototype.scrollIntoView = () => {};
  vi.spyOn(catalog, 'tree').mockImplementation(
    async (_id, path, query) => ({ path, items: files, total_items: files.length, query }) as unknown as TreeResponse,
  );
});

const show = () =>
  renderWithProviders(
    <FolderView library="a" path="harbour" folders={folders} more={0} grid={false} sort="name" selected="" touch={false} {...handlers} />,
  );

test('folders come first, and the keys are those of a file manager', async () => {
  show();
  await screen.findByText('boat.jpg');
  const names = screen.getAllByRole('option').map((row) => row.textContent);
  expect(names[0]).toContain('drone');
  screen.getByRole('listbox').focus();
  await userEvent.keyboard('{Enter}');
  expect(handlers.onEnter).toHaveBeenLastCalledWith('harbour/drone');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  expect(handlers.onSelect).toHaveBeenLastCalledWith('boat.jpg');
  await userEvent.keyboard(' ');
  expect(handlers.onQuickLook).toHaveBeenLastCalledWith('boat.jpg', ['anchor.jpg', 'boat.jpg', 'buoy.jpg']);
  await userEvent.keyboard('{End}{Enter}');
  expect(handlers.onOpen).toHaveBeenLastCalledWith('buoy.jpg');
});

test('typing the start of a name finds the file', async () => {
  show();
  await screen.findByText('boat.jpg');
  screen.getByRole('listbox').focus();
  await userEvent.keyboard('bu');
  expect(handlers.onSelect).toHaveBeenLastCalledWith('buoy.jpg');
});

test('the column heads sort', async () => {
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Size' }));
  expect(handlers.onSort).toHaveBeenCalledWith('size');
});

test('an empty folder says so only after it was loaded', async () => {
  vi.spyOn(catalog, 'tree').mockResolvedValue({ items: [], total_items: 0 } as unknown as TreeResponse);
  renderWithProviders(
    <FolderView library="a" path="" folders={[]} more={0} grid={false} sort="name" selected="" touch={false} {...handlers} />,
  );
  expect(screen.getByText('Loading the files of this folder…')).toBeTruthy();
  expect(await screen.findByText('This folder has no files.')).toBeTruthy();
});

test('a folder whose files are still loading is not called empty after one without files', async () => {
  vi.spyOn(catalog, 'tree').mockImplementation((_id, path) =>
    path === 'harbour' ? Promise.resolve({ path, items: [], total_items: 0 } as unknown as TreeResponse) : new Promise(() => {}),
  );
  function Page() {
    const [path, setPath] = useState('harbour');
    return (
      <>
        <button type="button" onClick={() => setPath('pier')}>
          Pier
        </button>
        <FolderView library="a" path={path} folders={[]} more={0} grid={false} sort="name" selected="" touch={false} {...handlers} />
      </>
    );
  }
  renderWithProviders(<Page />);
  await screen.findByText('This folder has no files.');
  await userEvent.click(screen.getByRole('button', { name: 'Pier' }));
  expect(screen.getByText('Loading the files of this folder…')).toBeTruthy();
});
