import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { finishSignIn, setSessionActive, waitForSignIn } from '../../api/session-ended.ts';
import type { Principal } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import SignInAgain from './sign-in-again.tsx';

const ADA = { id: 'p1', username: 'ada' } as Principal;
let who: { id: string; must_enrol?: boolean } | null = null;
let mustEnrol = false;
const reload = vi.fn();

beforeEach(() => {
  who = null;
  mustEnrol = false;
  reload.mockReset();
  vi.spyOn(location, 'reload').mockImplementation(reload);
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.url.endsWith('/auth/login')) {
      const { username } = (await request.json()) as { username: string };
      who = { id: username === 'ada' ? 'p1' : 'p2', must_enrol: mustEnrol };
    }
    return who ? Response.json(who) : Response.json({}, { status: 401 });
  });
});
afterEach(() => {
  finishSignIn(false);
  setSessionActive(false);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** The answer that requests with unsaved edits wait for. */
function open(): Promise<boolean> {
  renderWithProviders(<SignInAgain />, { me: ADA });
  setSessionActive(true);
  return waitForSignIn();
}

test('the edits of a person are sent again when the same person signs in', async () => {
  const resumed = open();
  await userEvent.type(await screen.findByLabelText('Password'), 'secret{Enter}');
  expect(await resumed).toBe(true);
  expect(reload).not.toHaveBeenCalled();
});

test('when another person signs in, the page is left and nothing is saved under their name', async () => {
  const resumed = open();
  const name = await screen.findByLabelText('User name or email');
  await userEvent.clear(name);
  await userEvent.type(name, 'bob');
  await userEvent.type(screen.getByLabelText('Password'), 'secret{Enter}');
  expect(await resumed).toBe(false);
  expect(reload).toHaveBeenCalledOnce();
});

test('signing in in another tab, as with a provider, continues here', async () => {
  const resumed = open();
  await screen.findByLabelText('Password');
  fireEvent(window, new Event('focus'));
  who = { id: 'p1' };
  fireEvent(window, new Event('focus'));
  expect(await resumed).toBe(true);
});

test('somebody who signed in without the second factor that their role requires is asked for it, and the edits keep waiting', async () => {
  mustEnrol = true;
  const resumed = open();
  await userEvent.type(await screen.findByLabelText('Password'), 'secret{Enter}');
  expect(await screen.findByText(/Your role requires a second factor/)).toBeTruthy();
  // Signed in with the passkey, or set one up, in another tab.
  who = { id: 'p1', must_enrol: false };
  fireEvent(window, new Event('focus'));
  expect(await resumed).toBe(true);
});
