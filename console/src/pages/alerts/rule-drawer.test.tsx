import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

vi.mock('../../api/alerts.ts', () => ({
  previewRule: async () => ({ fired: 0, times: [], matches: 0, days: [], alternatives: [], complete: true, note: null }),
  alertChannels: async () => [],
  alertRules: async () => [],
}));
vi.mock('../../api/catalog.ts', () => ({ libraries: async () => [] }));
vi.mock('../../api/search.ts', () => ({ savedSearches: async () => [] }));
// Another file may have loaded it without the mocks.
vi.resetModules();
const { renderWithProviders } = await import('../../test-render.tsx');
const { RuleDrawer } = await import('./rule-drawer.tsx');

test('Esc closes the editor, and asks only if something changed', async () => {
  const onClose = vi.fn();
  renderWithProviders(<RuleDrawer rule={null} onClose={onClose} />);
  const name = await screen.findByLabelText('Name');
  await userEvent.type(name, '{Escape}');
  expect(onClose).toHaveBeenCalledTimes(1);
  await userEvent.type(name, 'Contracts{Escape}');
  await screen.findByRole('dialog', { name: 'Discard the changes?' });
  expect(onClose).toHaveBeenCalledTimes(1);
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(onClose).toHaveBeenCalledTimes(2);
});
