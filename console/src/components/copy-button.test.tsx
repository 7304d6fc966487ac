import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../test-render.tsx';
import { CopyButton } from './copy-button.tsx';
import { ToastRegion } from './toast.tsx';

let allowed = true;
beforeEach(() => {
  // Over plain HTTP there is only this.
  vi.stubGlobal('isSecureContext', false);
  document.execCommand = () => allowed;
});
afterEach(() => vi.unstubAllGlobals());

test('a text counts as copied only if the browser copied it', async () => {
  renderWithProviders(
    <>
      <CopyButton text="key" label="Copy the key" />
      <ToastRegion />
    </>,
  );
  allowed = false;
  await userEvent.click(screen.getByRole('button', { name: 'Copy the key' }));
  expect(await screen.findByText(/The browser did not allow copying/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Copied' })).toBeNull();
  allowed = true;
  await userEvent.click(screen.getByRole('button', { name: 'Copy the key' }));
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy();
});
