import { useQuery } from '@tanstack/react-query';
import { fileUrl } from '../../../api/catalog.ts';
import { transport } from '../../../api/client.ts';
import type { Item } from '../../../api/types.ts';

/** The bytes of a file for a preview in the browser; files above `maxBytes` are not loaded. */
export function useFileBytes(item: Item, maxBytes: number) {
  const fits = item.size <= maxBytes && item.status === 'active';
  const query = useQuery({
    queryKey: ['item', item.id, 'bytes', item.size, item.mtime],
    queryFn: async ({ signal }) => (await transport(new Request(new URL(fileUrl(item.id), location.origin), { signal }))).arrayBuffer(),
    enabled: fits,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    retry: false,
  });
  return { ...query, fits };
}
