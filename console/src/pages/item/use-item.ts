import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { Item, ItemPatch } from '../../api/types.ts';

export function useItem(id: string) {
  return useQuery({ queryKey: ['item', id], queryFn: () => catalog.item(id), enabled: id !== '', staleTime: 10_000 });
}

/** Edits are saved at once; the answer becomes the shown state, and the moment of saving is told. */
export function useItemEdit(id: string) {
  const client = useQueryClient();
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const edit = useMutation({
    mutationFn: (patch: ItemPatch) => catalog.patchItem(id, patch),
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
