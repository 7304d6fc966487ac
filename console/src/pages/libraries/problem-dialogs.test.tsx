import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Library } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { ErrorsDialog } from './problem-dialogs.tsx';

afterEach(() => vi.unstubAllGlobals());

test('files with a password are not called damaged', async () => {
  const items = [
    { id: 'a', rel_path: 'taxes.pdf', error: 'The file needs a password.', kind: 'guard' },
    { id: 'b', rel_path: 'half.zip', error: 'The archive is cut off.', kind: 'corrupt' },
  ];
  vi.stubGlobal('fetch', async () => Response.json({ items, count: items.length }));
  renderWithProviders(<ErrorsDialog library={{ id: 'l1', name: 'Papers' } as Library} onRetry={undefined} onClose={() => {}} />);
  const group = async (title: RegExp) => {
    const section = (await screen.findByRole('heading', { name: title })).closest('section');
    return within(section as HTMLElement);
  };
  const damaged = await group(/^Damaged/);
  expect(damaged.getByText('half.zip')).toBeTruthy();
  expect(damaged.queryByText('taxes.pdf')).toBeNull();
  const locked = await group(/password-protected/);
  expect(locked.getByText('taxes.pdf')).toBeTruthy();
  expect(locked.getByText(/Remove the password/)).toBeTruthy();
});
