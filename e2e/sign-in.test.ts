import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { totpCode, totpStep } from '../server/src/people/identity/totp.ts';
import { openPage, SIZES } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { ADMIN } from './client.ts';
import { accessibilityViolations, screenshot, waitUntilSettled } from './page-checks.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip.
describe.runIf(chromiumPath)('ways to sign in', () => {
  let env: TestEnvironment;
  beforeAll(async () => {
    env = await startEnvironment();
  }, 300_000);
  afterAll(() => env?.close());

  async function signIn(page: Page, { username, password } = ADMIN): Promise<void> {
    await page.goto(`${env.base}/#/account`);
    await page.getByLabel('User name or email').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().waitFor();
  }
  async function confirmPassword(page: Page): Promise<void> {
    await page.getByLabel('Current password').last().fill(ADMIN.password);
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  test('a passkey of the browser replaces the password, and an app gives the code after it', async () => {
    const { page, context, pageErrors } = await openPage(env.browser, env.base);
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await signIn(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await confirmPassword(page);
    await page.getByText('not used yet').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    const withPasskey = page.getByRole('button', { name: 'Sign in with a passkey' });
    await withPasskey.click();
    await withPasskey.waitFor({ state: 'detached' });
    await page.goto(`${env.base}/#/account`);
    await page.getByText(/last used/).waitFor();

    await page.getByRole('button', { name: 'Set up' }).click();
    await confirmPassword(page);
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await screenshot(page, 'account-app');
    const address = new URL((await page.getByRole('link', { name: 'open the app on this device' }).getAttribute('href')) ?? '');
    const secret = address.searchParams.get('secret') ?? '';
    await page.getByRole('textbox', { name: 'Code' }).fill(totpCode(secret, totpStep(Date.now())));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText('10 recovery codes left').waitFor();
    expect(pageErrors).toEqual([]);
  });

  test('an invited person gets a new link from the list of people and chooses a password', async () => {
    const { page } = await openPage(env.browser, env.base, { storageState: env.storageState });
    const invited = await env.api('POST', '/auth/invitations', { username: 'guest', global_role: 'viewer' });
    expect(invited.status).toBe(201);
    await page.goto(`${env.base}/#/admin`);
    await page.getByRole('button', { name: 'New link for guest' }).click();
    const link = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    const guest = await openPage(env.browser, env.base);
    await guest.page.goto(link);
    await guest.page.getByLabel('Password', { exact: true }).fill('a long enough password');
    await guest.page.getByRole('button', { name: 'Start' }).click();
    await guest.page.getByRole('searchbox', { name: 'Search' }).waitFor();
    expect(guest.pageErrors).toEqual([]);
  });

  /** Every size, with contrast checked once. */
  async function isAccessible(page: Page, name: string): Promise<void> {
    await waitUntilSettled(page);
    for (const size of ['phone', 'tablet', 'desktop'] as const) {
      await page.setViewportSize(SIZES[size]);
      expect(await accessibilityViolations(page, { contrast: size === 'desktop' ? 'with' : 'without' }), `${name} at ${size}`).toEqual([]);
    }
    await screenshot(page, name);
  }
  async function attempt(page: Page, username: string, password: string): Promise<void> {
    await page.getByLabel('User name or email').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
  }
  const person = async (username: string, email: string | null = null): Promise<{ id: string; username: string; password: string }> => {
    const account = { username, password: 'a long enough password', global_role: 'viewer', email };
    return { ...account, id: (await env.api('POST', '/auth/users', account)).body.id };
  };

  test('a failed sign-in says how many tries are left and until when it pauses, whoever the name belongs to', async () => {
    const { page, pageErrors } = await openPage(env.browser, env.base);
    await page.goto(env.base);
    await page.getByText(/Catalog \d+\.\d+\.\d+ ·/).waitFor();
    await isAccessible(page, 'sign-in');
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await page.getByText('An administrator can set a new password for you').waitFor();
    for (const name of ['vera', 'no-such-person']) {
      if (name === 'vera') await person(name);
      await attempt(page, name, 'wrong');
      await page.getByText(`2 more tries, then sign-in for ${name} pauses for 5 minutes.`).waitFor();
      expect(await page.getByLabel('User name or email').inputValue()).toBe(name);
      expect(await page.evaluate(() => getSelection()?.toString() !== '' || document.activeElement?.matches('input[type=password]'))).toBe(
        true,
      );
      await page.keyboard.press('Enter');
      await page.getByText(`One more try, then sign-in for ${name} pauses for 5 minutes.`).waitFor();
      await page.keyboard.press('Enter');
      await page.getByText(new RegExp(`Sign-in for ${name} is paused until \\d\\d:\\d\\d`)).waitFor();
    }
    await page.getByLabel('Password', { exact: true }).evaluate((input) => {
      input.dispatchEvent(new KeyboardEvent('keyup', { key: 'a', modifierCapsLock: true, bubbles: true }));
    });
    await page.getByText('Caps Lock is on.').waitFor();
    await isAccessible(page, 'sign-in-paused');
    expect(pageErrors).toEqual([]);
  });

  test('other notes: a provider that refuses, a closed passkey window, and a server that is away', async () => {
    const { page, context } = await openPage(env.browser, env.base);
    await page.goto(`${env.base}/?sso_error=no_role`);
    await page.getByText('Your organisation did not let you in.').waitFor();
    await page.getByText('no_role', { exact: true }).waitFor();
    await page.evaluate(() => {
      navigator.credentials.get = () => Promise.reject(new DOMException('closed', 'NotAllowedError'));
    });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('No passkey was used.', { exact: true }).waitFor();
    await isAccessible(page, 'sign-in-passkey');
    await context.route('**/api/v1/**', (route) => route.abort());
    await attempt(page, ADMIN.username, ADMIN.password);
    await page.getByText(/Retrying in \d s/).waitFor();
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(ADMIN.password);
    await context.unroute('**/api/v1/**');
    await page.getByRole('button', { name: 'Retry now' }).click();
    await page.getByText('The server is not responding.').waitFor({ state: 'detached' });
  });

  test('an e-mail address signs in, the cookie lasts as chosen, and a session that is over by time says so and opens its page again', async () => {
    const { id, password } = await person('tor', 'tor@example.org');
    const { page, context } = await openPage(env.browser, env.base);
    await page.goto(`${env.base}/#/account`);
    await attempt(page, 'Tor@Example.org', password);
    await page.getByText(/^tor · viewer · member since/).waitFor();
    const expiry = async () => (await context.cookies()).find(({ name }) => name === '__Host-catalog_session')?.expires;
    expect(await expiry()).toBe(-1);
    await env.api('PATCH', `/auth/users/${id}`, { session_ttl_hours: 0.0001 });
    await page.reload();
    await page.getByText('You were signed out after 1 hour.').waitFor();
    await page.getByText('Your page opens again after you sign in.').waitFor();
    await env.api('PATCH', `/auth/users/${id}`, { session_ttl_hours: null });
    await page.getByRole('checkbox', { name: /Stay signed in on this device for up to 30 days/ }).check();
    await attempt(page, 'tor', password);
    await page.getByText(/^tor · viewer · member since/).waitFor();
    expect(await expiry()).toBeGreaterThan(Date.now() / 1000 + 86_400);
  });

  test('the account page: rows save by themselves, sessions are named before they end, and a key is shown once', async () => {
    const { page, pageErrors } = await openPage(env.browser, env.base);
    const other = await openPage(env.browser, env.base);
    const chief = { ...(await person('chief')), role: 'admin' };
    await env.api('PATCH', `/auth/users/${chief.id}`, { global_role: 'admin' });
    await signIn(other.page, chief);
    await signIn(page, chief);
    await page.getByRole('button', { name: 'Edit Name' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada Dahl');
    await page.keyboard.press('Enter');
    await page.getByText(/^Saved \d\d:\d\d$/).waitFor();
    await page.getByText('Ada Dahl', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Edit Email' }).click();
    await page.getByRole('textbox', { name: 'Email' }).fill('no address');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Email' }).and(page.locator('[aria-invalid=true]')).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(/^Changed \d/).waitFor();
    await page.getByRole('button', { name: 'Sign out the other 1' }).click();
    await page
      .getByRole('dialog')
      .getByText(/Chrome on Linux · /)
      .waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign out 1 session' }).click();
    await page.getByRole('button', { name: /Sign out the other/ }).waitFor({ state: 'detached' });
    await other.page.reload();
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('nightly-export');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Copy the key now. It is shown only once.').waitFor();
    await page.getByRole('cell', { name: /^nightly-export/ }).waitFor();
    await isAccessible(page, 'account-key');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('Copy the key now.').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('Created the API key nightly-export').waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('tab', { name: 'Audit log', selected: true }).waitFor();
    expect(pageErrors).toEqual([]);
  });
});
