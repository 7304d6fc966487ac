import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { ServerUnreachable } from '../../api/problem.ts';
import type { Item, ItemPatch } from '../../api/types.ts';

export function useItem(id: string) {
  return useQuery({ queryKey: ['item', id], queryFn: () => catalog.item(id), enabled: id !== '', staleTime: 10_000 });
}

/** How often an edit made while the server is away is sent again. */
const AGAIN_MS = 2_000;

/**
 * Edits are saved at once; the answer becomes the shown state, and the moment of saving is told.
 * While the server does not answer an edit waits and is sent again, in the order it was made, also when one has gone on to another page.
 */
export function useItemEdit(id: string) {
  const client = useQueryClient();
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const edit = useMutation({
    mutationFn: (patch: ItemPatch) => catalog.patchItem(id, patch),
    scope: { id: `item ${id}` },
    retry: (_failures, error) => error instanceof ServerUnreachable,
    retryDelay: AGAIN_MS,
    onMutate: async (patch) => {
      await client.cancelQueries({ queryKey: ['item', id] });
      const before = client.getQueryData<Item>(['item', id]);
      if (before) client.setQueryData<Item>(['item', id], { ...before, ...(patch.tags ? { tags: patch.tags } : {}) });
      return { before };
    },
    onError: (_error, _patch, context) => {
      if (context?.before) client.setQueryData(['item', id], context.before);
    },
    onSuccess: (item) => {
      client.setQueryData(['item', id], item);
      setSavedAt(new Date());
      void client.invalidateQueries({ queryKey: ['item', id, 'history'] });
      void client.invalidateQueries({ queryKey: ['search'] });
    },
  });
  return { edit, savedAt };
}
