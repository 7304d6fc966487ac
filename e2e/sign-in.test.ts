import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { totpCode, totpStep } from '../server/src/people/identity/totp.ts';
import { openPage } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { ADMIN } from './client.ts';
import { accessibilityViolations, screenshot } from './page-checks.ts';
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
    await page.getByLabel('User name').fill(username);
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
});
