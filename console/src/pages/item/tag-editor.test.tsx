import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ItemPatch } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { TagEditor } from './tag-editor.tsx';
import { useItem, useItemEdit } from './use-item.ts';

/** What the server stores. */
let stored: string[] = [];

beforeEach(() =>
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.url.includes('/search/tags')) return Response.json({ tags: [] });
    if (request.method === 'PATCH') {
      const { tags, add_tags = [], remove_tags = [] } = (await request.json()) as ItemPatch;
      stored = [...new Set([...(tags ?? stored), ...add_tags])].filter((tag) => !remove_tags.includes(tag));
    }
    return Response.json({ id: 'f1', tags: stored, user_metadata: {} });
  }),
);
afterEach(() => vi.unstubAllGlobals());

/** Connected to the item as in the inspector. */
function ItemTags() {
  const { data: item } = useItem('f1');
  const { edit } = useItemEdit('f1');
  const [adding, setAdding] = useState(false);
  return item && <TagEditor tags={item.tags} adding={adding} onAdding={setAdding} onChange={(change) => edit.mutate(change)} />;
}

test('removing a tag keeps one that another person added since the file was opened', async () => {
  stored = ['draft', 'print'];
  renderWithProviders(<ItemTags />);
  const remove = await screen.findByRole('button', { name: 'Remove tag draft' });
  stored = ['draft', 'print', 'legal hold'];
  await userEvent.click(remove);
  await screen.findByText('legal hold');
  expect(stored).toEqual(['print', 'legal hold']);
});

test('adding a tag does not restore one that another person removed since the file was opened', async () => {
  stored = ['draft', 'print'];
  renderWithProviders(<ItemTags />);
  await userEvent.click(await screen.findByRole('button', { name: 'Add tag' }));
  stored = ['print'];
  await userEvent.type(screen.getByRole('combobox', { name: 'New tag' }), 'final{Enter}');
  await vi.waitFor(() => expect(stored).toEqual(['print', 'final']));
});
