import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import * as catalog from '../../api/catalog.ts';
import type { Library } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { UnattachedCard } from './unattached-card.tsx';

const libraries = [{ id: 'l', name: 'Family' }] as unknown as Library[];

test('the tags and notes of a missing file can be attached to a file with the same contents', async () => {
  vi.spyOn(catalog, 'unattached').mockResolvedValue({
    items: [
      {
        id: 'm',
        library_id: 'l',
        rel_path: 'old/letter.pdf',
        tags: ['anna'],
        note: 'From the attic',
        missing_since: null,
        candidates: [
          { id: 'a', library_id: 'l', rel_path: 'a/letter.pdf' },
          { id: 'b', library_id: 'l', rel_path: 'b/letter.pdf' },
        ],
      },
    ],
    limit: 20,
    next_cursor: null,
  });
  const attach = vi.spyOn(catalog, 'attachTo').mockResolvedValue({ item_id: 'b' });
  renderWithProviders(<UnattachedCard libraries={libraries} />);
  expect(await screen.findByText('old/letter.pdf')).toBeTruthy();
  expect(screen.getByText('Family · anna')).toBeTruthy();
  await userEvent.click(screen.getAllByRole('button', { name: 'Attach to this file' })[1]!);
  expect(attach).toHaveBeenCalledWith('m', 'b');
});

test('nothing is shown while no missing file has such tags or notes', async () => {
  const list = vi.spyOn(catalog, 'unattached').mockResolvedValue({ items: [], limit: 20, next_cursor: null });
  renderWithProviders(<UnattachedCard libraries={libraries} />);
  await vi.waitFor(() => expect(list).toHaveBeenCalled());
  expect(screen.queryByText('Tags and notes of missing files')).toBeNull();
});
