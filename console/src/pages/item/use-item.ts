import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { errorMessage, ServerUnreachable } from '../../api/problem.ts';
import type { Item, ItemPatch } from '../../api/types.ts';
import { toast } from '../../components/toast.tsx';
import { useOnPage } from '../../components/use-on-page.ts';
import { t } from '../../language/text.ts';

const UNREAD_REFETCH_MS = 3_000;

/** An item. Until its contents have been read, it is fetched again, so that its preview appears by itself. */
export function useItem(id: string) {
  return useQuery({
    queryKey: ['item', id],
    queryFn: () => catalog.item(id),
    enabled: id !== '',
    staleTime: 10_000,
    refetchInterval: ({ state }) => (state.data?.unread ? UNREAD_REFETCH_MS : false),
  });
}

const RETRY_MS = 2_000;

function tagsAfter(before: string[], { tags = before, add_tags = [], remove_tags = [] }: ItemPatch): string[] {
  return [...new Set([...(tags ?? []), ...add_tags])].filter((tag) => !remove_tags.includes(tag));
}

function expecting(patch: ItemPatch, own: Record<string, unknown>): ItemPatch {
  const expected = patch.expected_user_metadata;
  if (!expected) return patch;
  const now = Object.entries(expected).map(([key, value]) => [key, Object.hasOwn(own, key) ? own[key] : value]);
  return { ...patch, expected_user_metadata: Object.fromEntries(now) };
}

/**
 * Saves edits at once and shows the server's response.
 * While the server is unreachable, edits are retried in order, even after the user has left the page, who is told if one fails then.
 */
export function useItemEdit(id: string) {
  const client = useQueryClient();
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  // Kept here, because a mutation forgets the error of an edit that another one follows.
  const [error, setError] = useState<unknown>(null);
  const onPage = useOnPage();
  const mutationKey = ['edit item', id];
  /** Saved by edits that later ones did not wait for: these expect what the person saw before, which is no longer stored. */
  const own = useRef<Record<string, unknown>>({});
  const edit = useMutation({
    mutationKey,
    mutationFn: (patch: ItemPatch) => catalog.patchItem(id, expecting(patch, own.current)),
    scope: { id: `item ${id}` },
    retry: (_failures, error) => error instanceof ServerUnreachable,
    retryDelay: RETRY_MS,
    onMutate: async (patch) => {
      setError(null);
      if (client.isMutating({ mutationKey }) <= 1) own.current = {};
      await client.cancelQueries({ queryKey: ['item', id] });
      const before = client.getQueryData<Item>(['item', id]);
      if (before) client.setQueryData<Item>(['item', id], { ...before, tags: tagsAfter(before.tags, patch) });
      return { before };
    },
    onError: (failure, _patch, context) => {
      if (context?.before) client.setQueryData(['item', id], context.before);
      // The values before may contain another edit that failed.
      void client.invalidateQueries({ queryKey: ['item', id], exact: true });
      setError(failure);
      if (!onPage.current)
        toast(
          t('Your changes of {filename} could not be saved. {errorMessage}', {
            filename: context?.before?.filename ?? id,
            errorMessage: errorMessage(failure),
          }),
        );
    },
    onSuccess: (item, { user_metadata }) => {
      own.current = { ...own.current, ...user_metadata };
      client.setQueryData(['item', id], item);
      setSavedAt(new Date());
      void client.invalidateQueries({ queryKey: ['item', id, 'history'] });
      void client.invalidateQueries({ queryKey: ['search'] });
    },
  });
  return { edit, savedAt, error };
}
