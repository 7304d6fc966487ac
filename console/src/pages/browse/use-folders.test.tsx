import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useFolders } from './use-folders.ts';

interface Folder {
  name: string;
  item_count: number;
  total_bytes: number;
}
const folder = (name: string, total_bytes: number): Folder => ({ name, item_count: 1, total_bytes });
const many = Array.from({ length: 640 }, (_, n) => folder(`a${String(n).padStart(3, '0')}`, 10));
const inside: Record<string, Folder[]> = { '': [...many, folder('ZZ large', 5000)], 'ZZ large': [folder('x', 1000), folder('y', 4000)] };

let failing = false;
/** While set, searches are recorded here and never answered. */
let pending: AbortSignal[] | null = null;

/** Returns folders as the server does: by name or the largest first, page by page. */
function open(path = '') {
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    const folderPath = searchParams.get('path') ?? '';
    if (pathname.endsWith('/search') && pending) {
      pending.push(request.signal);
      return new Promise<never>(() => {});
    }
    if (pathname.endsWith('/search'))
      return Response.json({ hits: [{ mtime: folderPath.length }], total: 1, facets: { file_category: { video: 1, image: 3 } } });
    if (pathname.endsWith('/stats/libraries')) return Response.json({ libraries: [{ library_id: 'l', file_count: 9000, total_bytes: 7 }] });
    if (folderPath === 'nowhere') return Response.json({ title: 'There is no such folder' }, { status: 404 });
    const all = inside[folderPath] ?? [];
    const sorted = searchParams.get('folders_sort') === 'size' ? all.toSorted((a, b) => b.total_bytes - a.total_bytes) : all;
    const from = Number(searchParams.get('folders_offset') ?? 0);
    if (from > 0 && failing) return Response.json({ title: 'Not now' }, { status: 503 });
    const bytes = all.reduce((sum, one) => sum + one.total_bytes, 0);
    return Response.json({
      path: folderPath,
      // During a scan, a folder may appear again on the next page.
      folders: sorted.slice(Math.max(0, from - 1), from + Number(searchParams.get('limit'))),
      folders_total: all.length,
      items: [],
      total_items: 0,
      total_files: all.length,
      total_bytes: bytes,
    });
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  const opened = new Set(['']);
  return renderHook(({ at }) => useFolders({ id: 'l', name: 'Photos', path: at, open: opened, by: 'size' }), {
    wrapper,
    initialProps: { at: path },
  });
}
afterEach(() => vi.unstubAllGlobals());

test('the largest folders have their category, newest file and subfolders, whatever their names', async () => {
  const { result } = open();
  const large = () => result.current.root.children?.find(({ name }) => name === 'ZZ large');
  await waitFor(() => expect(large()).toMatchObject({ category: 'image', newest: 'ZZ large'.length }));
  await waitFor(() => expect(large()?.children?.map(({ name }) => name)).toEqual(['y', 'x']));
});

test('the treemap keeps the total size when not every folder is shown', async () => {
  const { result } = open();
  await waitFor(() => expect(result.current.root.children).toHaveLength(201));
  expect(result.current.root.children?.at(-1)).toMatchObject({ name: '441 more', path: '/', value: 4410, files: 441 });
});

test('the previous folder stays while the next one loads, but not when the next one does not exist', async () => {
  const { result, rerender } = open();
  const state = () => [result.current.here?.path, result.current.mapTree?.path, result.current.root.children?.length];
  await waitFor(() => expect(state()).toEqual(['', '', 201]));
  rerender({ at: 'ZZ large' });
  expect(state()).toEqual(['', '', 201]);
  await waitFor(() => expect(state()).toEqual(['ZZ large', 'ZZ large', 2]));
  rerender({ at: 'a001' });
  await waitFor(() => expect(state()).toEqual(['a001', '', 201]));
  rerender({ at: 'nowhere' });
  await waitFor(() => expect([result.current.here, result.current.error]).toMatchObject([null, { status: 404 }]));
});

test('many subfolders are loaded page by page on request', async () => {
  const { result } = open();
  const read = () => result.current.levels.get('')?.folders.length;
  await waitFor(() => expect(read()).toBe(200));
  result.current.loadMore('');
  await waitFor(() => expect(read()).toBe(400));
  expect(result.current.levels.get('')).toMatchObject({ total: 641, folders: { 399: { name: 'a399' } } });
});

test('a page that failed to load is loaded again, and none is skipped', async () => {
  const { result } = open();
  const names = () => result.current.levels.get('')?.folders.map(({ name }) => name);
  await waitFor(() => expect(names()).toHaveLength(200));
  failing = true;
  result.current.loadMore('');
  await waitFor(() => expect(result.current.error).not.toBeNull());
  failing = false;
  result.current.loadMore('');
  await waitFor(() => expect(names()).toHaveLength(400));
  expect([new Set(names()).size, names()!.at(-1), result.current.error]).toEqual([400, 'a399', null]);
});

test('pages are loaded until the selected folder is listed, and no further', async () => {
  const { result } = open('a500');
  const names = () => result.current.levels.get('')?.folders.map(({ name }) => name);
  await waitFor(() => expect(names()).toContain('a500'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(names()).toHaveLength(600);
});

test('the order of folders ignores case', async () => {
  const { result } = open('ZZ large');
  await waitFor(() => expect(result.current.levels.get('')?.folders.at(-1)?.name).toBe('ZZ large'));
});

test('leaving the page aborts the requests of the treemap', async () => {
  const searches: AbortSignal[] = [];
  pending = searches;
  const { unmount } = open();
  await waitFor(() => expect(searches.length).toBeGreaterThan(20));
  unmount();
  pending = null;
  await waitFor(() => expect(searches.filter(({ aborted }) => aborted)).toHaveLength(searches.length));
});
