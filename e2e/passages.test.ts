import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../server/test/service.ts';
import { writeTinyModel } from '../server/test/tiny-model.ts';
import { openPage } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { accessibilityViolations, screenshot, waitUntilSettled } from './page-checks.ts';
import { pdf } from './sample-library.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

const report = pdf([
  ['1.1 Inventory', 'The warehouse holds forty crates.'],
  ['1.2 Sea trials', 'The vessel reached twelve knots in calm water.', 'A second run was abandoned.'],
]);

// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip.
describe.runIf(chromiumPath)('search in passages', () => {
  let env: TestEnvironment;
  beforeAll(async () => {
    env = await startEnvironment({ env: { SVC_SEMANTIC_ENABLED: 'true', SVC_EMBED_MODEL: writeTinyModel() } });
    await env.addLibrary(
      'Yard',
      { 'trials.pdf': report, 'dock.txt': 'The gate of the dock is closed at night.' },
      { chunking_enabled: true },
    );
    const meaning = async () => (await env.api('GET', '/search/passages?q=boat&semantic=1')).body;
    await until(async () => {
      const { semantic, files } = await meaning();
      return semantic?.applied === true && files.some(({ filename }: { filename: string }) => filename === 'trials.pdf');
    }, 'the passages to have vectors');
  });
  afterAll(() => env?.close());

  test('a question in other words opens the page with the passage marked on it', async () => {
    const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/passages`);
    await page.getByLabel('Search', { exact: true }).fill('boat');
    await page.getByRole('radio', { name: 'Meaning' }).check();
    const first = page.getByRole('list').getByRole('button').first();
    await first.getByText('trials.pdf').waitFor();
    expect(await first.textContent()).toContain('Page 2, 1.2 Sea trials · Yard · by meaning');

    const reader = page.getByRole('region', { name: 'Page', exact: true });
    await reader.getByRole('img', { name: 'Page 2 of trials.pdf' }).waitFor();
    const mark = page.locator('mark[data-current="true"]').first();
    await mark.waitFor();
    const [sheet, box] = [await reader.getByRole('img').boundingBox(), await mark.boundingBox()];
    expect(box!.x).toBeGreaterThan(sheet!.x);
    expect(box!.y).toBeGreaterThan(sheet!.y);
    expect(box!.y).toBeLessThan(sheet!.y + sheet!.height / 3);
    await waitUntilSettled(page);
    await screenshot(page, 'passages-page', ['desktop', 'tablet', 'phone']);
    expect(await accessibilityViolations(page)).toEqual([]);

    await reader.focus();
    await page.keyboard.press('[');
    await reader.getByRole('img', { name: 'Page 1 of trials.pdf' }).waitFor();
    expect(await page.locator('mark[data-current="true"]').count()).toBe(0);

    await page.getByRole('radio', { name: 'Text' }).check();
    await page.locator('mark[data-current="true"]', { hasText: 'The vessel reached twelve knots' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
  });

  test('words alone do not find it, and the page says so', async () => {
    const { page } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/passages?q=boat&by=0`);
    await page.getByRole('heading', { name: 'No passage contains these words' }).waitFor();
  });

  test('similar files are found by meaning from the file itself', async () => {
    await env.addLibrary('Garage', { 'car.txt': 'The car needs a new tyre.', 'vehicle.txt': 'Vehicle automobile papers for sale.' });
    const found = await until(async () => (await env.api('GET', '/search?q=tyre')).body.hits[0], 'the file to be found');
    const id = found.id as string;
    await until(async () => {
      const { body } = await env.api('GET', `/items/${id}/similar`);
      return body.by === 'meaning' && body.hits[0]?.filename === 'vehicle.txt';
    }, 'both files to have vectors');
    const { page } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/item/${id}`);
    await page.getByRole('tab', { name: 'Similar' }).click();
    await page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: 'vehicle' }).first().waitFor();
  });
});
