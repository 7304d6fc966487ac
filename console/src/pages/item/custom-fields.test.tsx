import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Item } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { CustomFields } from './custom-fields.tsx';

afterEach(() => vi.unstubAllGlobals());

test('fields that could not be loaded are not shown as if there were none', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ status: 500, detail: 'The database is busy.' }, { status: 500 }));
  const item = { id: 'a', file_category: 'image', library_id: 'l', user_metadata: {} } as unknown as Item;
  renderWithProviders(<CustomFields item={item} readOnly={false} onSave={() => {}} />);
  expect(await screen.findByText('The database is busy.')).toBeTruthy();
});
