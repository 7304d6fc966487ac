import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { accessibilityViolations, screenshot, waitUntilSettled } from './page-checks.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip.
describe.runIf(chromiumPath)('backups', () => {
  let env: TestEnvironment;
  beforeAll(async () => {
    env = await startEnvironment();
  });
  afterAll(() => env?.close());

  test('an administrator backs up, verifies, downloads, deletes and adds the backup again', async () => {
    const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/admin/backups`);
    await page.getByText('No backup yet').waitFor();
    await page.keyboard.press('b');
    await page.getByText('Not verified').waitFor({ timeout: 120_000 });
    await page.keyboard.press('v');
    await page.getByText('Passed').waitFor({ timeout: 120_000 });
    await page.getByText('Every row was compared').waitFor();
    await page.getByLabel('Back up', { exact: true }).selectOption('day');
    await page.getByText('Next:').waitFor();
    await page.getByRole('button', { name: 'Save schedule' }).click();
    await page.getByText('Not scheduled').waitFor({ state: 'detached' });
    const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-drive-'));
    await page.getByRole('button', { name: 'Add place…' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Cold drive');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Folder' }).fill(folder);
    await page.getByRole('dialog').getByRole('button', { name: 'Add place' }).click();
    await page.getByRole('button', { name: 'Test Cold drive' }).click();
    await page.getByText('Cold drive works.').waitFor();
    await page.getByRole('button', { name: 'Copy now to Cold drive' }).click();
    await page.getByText('Up to date').waitFor({ timeout: 60_000 });
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^catalog-.*\.tar$/)]);
    rmSync(folder, { recursive: true });
    await waitUntilSettled(page);
    await screenshot(page, 'backups', ['desktop', 'phone']);
    expect(await accessibilityViolations(page)).toEqual([]);

    const menu = page.getByRole('button', { name: /^More for the backup/ });
    await menu.click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download' }).click();
    const file = await (await download).path();
    expect(statSync(file).size).toBeGreaterThan(1000);
    await menu.click();
    await page.getByRole('menuitem', { name: 'Restore…' }).click();
    await page.getByRole('dialog').getByText('catalog restore catalog-').waitFor();
    await page.keyboard.press('Escape');
    await menu.click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete backup' }).click();
    await page.getByText('No backup yet').waitFor();
    await page.getByLabel('Backup file').setInputFiles(file);
    await page.getByText('Not verified').waitFor();

    await page.goto(`${env.base}/#/admin/shares`);
    await page.getByRole('button', { name: 'Add address' }).click();
    await page.getByRole('textbox', { name: 'Folder' }).fill('/');
    await page.getByRole('textbox', { name: 'Network address' }).fill('smb://nas/all');
    await page
      .getByRole('cell', { name: /^smb:\/\/nas\/all\// })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Save addresses' }).click();
    await page.getByText('Network addresses saved').waitFor();
    await screenshot(page, 'shares', ['desktop', 'phone']);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
  }, 300_000);
});
