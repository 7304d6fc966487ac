import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../server/test/service.ts';
import { openPage } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { accessibilityViolations, screenshot, waitUntilSettled } from './page-checks.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip.
describe.runIf(chromiumPath)('schedules and integrity', () => {
  let env: TestEnvironment;
  beforeAll(async () => {
    env = await startEnvironment();
  });
  afterAll(() => env?.close());

  test('a report is scheduled from where one sees it, and an administrator switches re-reading on', async () => {
    const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/reports/largest_files`);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Send regularly…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Largest files on Monday');
    await dialog.getByText('Next:').waitFor();
    await screenshot(page, 'schedule-dialog', ['desktop']);
    await dialog.getByRole('button', { name: 'Create schedule' }).click();
    await page.getByText('Every Monday at 06:00').waitFor();
    await page.getByRole('button', { name: 'Run now: Largest files on Monday' }).click();
    await page.getByText(/Under Exports/).waitFor();
    await page.getByRole('button', { name: 'History of Largest files on Monday' }).click();
    await page.getByRole('dialog').getByText('by hand').waitFor();
    await waitUntilSettled(page);
    await screenshot(page, 'schedule-history', ['desktop']);
    expect(await accessibilityViolations(page)).toEqual([]);

    await page.goto(`${env.base}/#/reports/integrity`);
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('each file every 90 days').waitFor();
    await until(async () => (await env.api('GET', '/integrity')).body.enabled === true, 're-reading to be on');
    expect(pageErrors).toEqual([]);
  });

  test('growth shows a chart with its libraries, opens to folders, becomes a table, is pinned to Home, and prints without navigation', async () => {
    const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/reports/growth`);
    const library = page.locator('tbody button[aria-expanded]').first();
    await library.click();
    await page.locator('tbody a[href*="?path="]').first().waitFor();
    await waitUntilSettled(page);
    await screenshot(page, 'report-growth-open', ['desktop']);
    expect(await accessibilityViolations(page)).toEqual([]);
    const rail = page.getByRole('navigation', { name: 'Main' });
    await page.emulateMedia({ media: 'print' });
    expect([await rail.isVisible(), await page.getByRole('button', { name: 'Export' }).isVisible(), await library.isVisible()]).toEqual([
      false,
      false,
      true,
    ]);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('radio', { name: 'Table' }).check({ force: true });
    await page.getByRole('columnheader', { name: 'Week of' }).waitFor();
    await page.getByRole('button', { name: 'Pin to Home' }).click();
    await page.goto(`${env.base}/#/home`);
    await page.getByRole('link', { name: /^Storage growth/ }).waitFor();
    expect(pageErrors).toEqual([]);
  });
});
