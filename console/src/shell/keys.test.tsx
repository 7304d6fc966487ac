import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { type KeyMap, useKeys } from './keys.ts';
import { setPreference } from './preferences.ts';

function Keys({ keys, children }: { keys: KeyMap; children?: React.ReactNode }) {
  useKeys(keys);
  return children;
}

afterEach(() => setPreference('letterKeys', true));

test('letters do nothing while typing in a field', async () => {
  const t = vi.fn();
  const { getByRole } = render(
    <Keys keys={{ t }}>
      <input />
    </Keys>,
  );
  await userEvent.type(getByRole('textbox'), 'tt');
  expect(t).not.toHaveBeenCalled();
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard('t');
  expect(t).toHaveBeenCalledOnce();
});

test('single-letter shortcuts can be turned off', async () => {
  const t = vi.fn();
  render(<Keys keys={{ t }} />);
  setPreference('letterKeys', false);
  await userEvent.keyboard('t');
  expect(t).not.toHaveBeenCalled();
});

test('G then S goes to Search', async () => {
  const go = vi.fn();
  render(<Keys keys={{ 'g s': go }} />);
  await userEvent.keyboard('gs');
  expect(go).toHaveBeenCalledOnce();
});

test('the most recent key map is tried first and may pass a key on', async () => {
  const outer = vi.fn();
  const inner = vi.fn(() => false);
  render(<Keys keys={{ Escape: outer }} />);
  render(<Keys keys={{ Escape: inner }} />);
  await userEvent.keyboard('{Escape}');
  expect(inner).toHaveBeenCalledOnce();
  expect(outer).toHaveBeenCalledOnce();
});
