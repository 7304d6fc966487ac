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

test('copying leaves the focus where it was, and never leaves an open dialog', async () => {
  // As in a browser.
  vi.spyOn(HTMLTextAreaElement.prototype, 'select').mockImplementation(function (this: HTMLTextAreaElement) {
    this.focus();
  });
  renderWithProviders(
    <div role="dialog">
      <CopyButton text="key" label="Copy the key" />
    </div>,
  );
  const copied = vi.fn(() => document.activeElement?.closest('[role="dialog"]') !== null);
  document.execCommand = copied;
  const button = screen.getByRole('button', { name: 'Copy the key' });
  await userEvent.click(button);
  expect(copied).toHaveReturnedWith(true);
  expect(document.activeElement).toBe(button);
});
