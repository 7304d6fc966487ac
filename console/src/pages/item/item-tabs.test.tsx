import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { SimilarTab } from './item-tabs.tsx';

test('similar files are asked for again while the search index takes over the file', async () => {
  const hit = { id: 'f2', filename: 'vehicle.txt', rel_path: 'cars/vehicle.txt', size: 10, mtime: null, has_thumb: false };
  const answers = [
    { id: 'f1', by: 'words', pending: true, hits: [] },
    { id: 'f1', by: 'meaning', pending: false, hits: [hit] },
  ];
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Response.json(answers.shift())),
  );
  renderWithProviders(<SimilarTab id="f1" />);
  await waitFor(() => screen.getByText(/still taking over this file/));
  await waitFor(() => screen.getByText('vehicle.txt'), { timeout: 10_000 });
  expect(answers).toEqual([]);
  vi.unstubAllGlobals();
});
