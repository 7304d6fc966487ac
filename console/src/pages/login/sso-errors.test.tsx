import { screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ToastRegion } from '../../components/toast.tsx';
import { renderWithProviders } from '../../test-render.tsx';
import { useSsoError } from './sso-errors.ts';

afterEach(() => history.replaceState(null, '', '/'));

function Signed() {
  useSsoError([{ label: 'Partner' }]);
  return <ToastRegion />;
}

test('somebody who connects an identity of another account is told why it failed, once', async () => {
  history.replaceState(null, '', '/?sso_error=already_connected#/account');
  renderWithProviders(<Signed />);
  expect(await screen.findByText('This identity belongs to another account here. Sign in with it to see which.')).toBeTruthy();
  expect(location.search).toBe('');
});
