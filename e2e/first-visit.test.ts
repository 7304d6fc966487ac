import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService, stopService, temporaryFolder } from '../server/test/service.ts';
import { openBrowser, openPage } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { accessibilityViolations, manualScreenshot, screenshot, setColorScheme, waitUntilSettled } from './page-checks.ts';
import { writeSampleLibrary } from './sample-library.ts';

// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip.
describe.runIf(chromiumPath)('the first visit', () => {
  const temporary = temporaryFolder();
  const media = path.join(temporary.folder, 'media');
  let service: Service;
  let browser: Browser;
  let base: string;

  beforeAll(async () => {
    await writeSampleLibrary(media);
    service = await startService(path.join(temporary.folder, 'config'), { MEDIA_PATH: media, SVC_BROWSE_ROOTS: media });
    base = service.url.replace('127.0.0.1', 'localhost');
    browser = await openBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await stopService(service);
    temporary.remove();
  });

  test('first visit: create the administrator, choose the suggested folder, find a file during the scan', async () => {
    const { page, pageErrors } = await openPage(browser, base);
    const check = async (name: string) => {
      for (const colorScheme of ['dark', 'light'] as const) {
        await setColorScheme(page, colorScheme);
        expect(await accessibilityViolations(page, { contrast: colorScheme === 'light' ? 'with' : 'only' })).toEqual([]);
        await screenshot(page, `${name}-${colorScheme}`);
      }
    };
    await page.goto(base);
    await page.getByRole('heading', { name: 'Create the administrator' }).waitFor();
    await check('first-visit-1');
    await manualScreenshot(page, 'first-visit-1');
    await page.getByLabel('User name').fill('ann');
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await page.getByLabel('Confirm password').fill('correct horse');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Choose the first folder' }).waitFor();
    await page.getByRole('button', { name: `Scan ${media}` }).waitFor();
    const estimate = (await page.getByText(/ files to catalog\./).textContent())!;
    await check('first-visit-2');
    await manualScreenshot(page, 'first-visit-2');
    // A wrong path says what is wrong, until it is corrected.
    const wrong = page.getByText(`${media}/nowhere does not exist on this machine.`, { exact: false });
    await page.getByLabel('Or enter a path').fill(`${media}/nowhere`);
    await page.getByRole('button', { name: `Scan ${media}/nowhere` }).click();
    await wrong.waitFor();
    await page.getByLabel('Or enter a path').fill(media);
    await wrong.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Scan ${media}`, exact: true }).click();
    await page.getByRole('searchbox', { name: 'Search' }).fill('harbour');
    await expect.poll(() => page.getByText('IMG_44').count(), { timeout: 60_000 }).toBeGreaterThan(3);
    // The estimate on the page matches the result of the scan.
    const found = () =>
      page.evaluate(() => fetch('/api/v1/items?limit=1').then(async (response) => (await response.json()).total as number));
    await expect.poll(found, { timeout: 60_000 }).toBe(Number.parseInt(estimate.replaceAll(',', ''), 10));
    expect(pageErrors).toEqual([]);

    await page.goto(`${base}/#/account`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await check('sign-in');
    await page.getByLabel('User name').fill('ann');
    await page.getByLabel('Password', { exact: true }).fill('not the horse');
    await page.keyboard.press('Enter');
    await page
      .getByRole('status')
      .filter({ hasText: /password/i })
      .waitFor();
    // The button is grey until the answer is there.
    await waitUntilSettled(page);
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
