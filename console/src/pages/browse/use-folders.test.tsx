import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useFolders } from './use-folders.ts';

const folder = (name: string, total_bytes: number) => ({ name, item_count: 1, total_bytes });
const small = Array.from({ length: 60 }, (_, n) => folder(`a${String(n).padStart(2, '0')}`, 10));
const level = (folders: unknown[], folders_total = folders.length) => ({
  folders,
  folders_total,
  items: [],
  total_items: 0,
  total_files: 9000,
  total_bytes: 6000,
});
let top = level([...small, folder('zz large', 5000)]);

function open() {
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.endsWith('/search')) return new Response(JSON.stringify({ hits: [], total: 1, facets: { file_category: { image: 3 } } }));
    if (pathname.endsWith('/stats/libraries'))
      return new Response(JSON.stringify({ libraries: [{ library_id: 'l', file_count: 9000, total_bytes: 7 }] }));
    const path = searchParams.get('path') ?? '';
    return new Response(JSON.stringify(path === '' ? top : level(path === 'zz large' ? [folder('x', 4000), folder('y', 1000)] : [])));
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  return renderHook(() => useFolders({ id: 'l', name: 'Photos', path: '', open: new Set(['']), by: 'size' }), { wrapper });
}
afterEach(() => vi.unstubAllGlobals());

test('the largest folders show their kind and what is inside them, wherever their names stand', async () => {
  const { result } = open();
  const large = () => result.current.root.children?.find(({ name }) => name === 'zz large');
  await waitFor(() => expect(large()?.category).toBe('image'));
  await waitFor(() => expect(large()?.children?.map(({ name }) => name)).toEqual(['x', 'y']));
});

test('the map keeps the size of the whole where not every folder was told', async () => {
  top = level(small, 700);
  const { result } = open();
  await waitFor(() => expect(result.current.totalFiles).toBe(9000));
  expect(result.current.root.children?.at(-1)).toMatchObject({ name: '640 more', path: '/', value: 5400, files: 8940 });
});
