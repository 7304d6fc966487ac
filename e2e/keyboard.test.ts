import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

/** Presses Tab until the element has the focus. Fails if it cannot be reached. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 120; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** The main tasks without a pointer. Finding, selecting and tagging files is in journeys.test.ts. */
// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip.
describe.runIf(chromiumPath)('the main tasks with the keyboard alone', () => {
  let env: TestEnvironment;
  beforeAll(async () => {
    env = await startEnvironment();
  }, 300_000);
  afterAll(() => env?.close());

  const openAt = async (route: string): Promise<Page> => {
    const { page } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/${route}`);
    return page;
  };

  test('narrow a result with a filter and remove the filter', async () => {
    const page = await openAt('?q=harbour');
    const { body } = await env.api('GET', '/search?q=harbour&limit=1');
    const total = page.getByRole('status').filter({ hasText: /\d files?/ });
    await total.filter({ hasText: `${body.total} files` }).waitFor();
    await tabTo(page, page.getByRole('complementary', { name: 'Filters' }).getByRole('checkbox', { name: /^Image/ }));
    await page.keyboard.press('Space');
    await total.filter({ hasText: `${body.facets.file_category.image} files` }).waitFor();
    await page.keyboard.press('/');
    await tabTo(page, page.getByRole('button', { name: 'Remove file type Image' }));
    await page.keyboard.press('Enter');
    await total.filter({ hasText: `${body.total} files` }).waitFor();
  });

  test('look at a file: read its details tab by tab, and go back', async () => {
    const page = await openAt('?q=IMG_4410');
    await page.getByRole('row').filter({ hasText: 'IMG_4410' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /IMG_4410/ }).waitFor();
    await tabTo(page, page.getByRole('tab', { name: 'Details' }));
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.getByRole('tab', { name: 'Copies' }).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Escape');
    await page.getByRole('row').filter({ hasText: 'IMG_4410' }).waitFor();
  });

  test('browse folders: open one in the tree, go into another, look at a file and go up again', async () => {
    const page = await openAt('');
    await page.getByRole('row').nth(1).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    const tree = page.getByRole('tree', { name: 'Folders' });
    await tabTo(page, tree);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.url()).toContain('path=code');
    const list = page.getByRole('listbox', { name: 'Folders and files' });
    await tabTo(page, list);
    await list.getByRole('option', { name: /tides\.py/ }).waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await page.getByRole('dialog', { name: /^Quick look: tides\.py/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Backspace');
    await expect.poll(() => page.url()).not.toContain('path=');
  });

  test('browse in columns: right goes into a folder, left goes back, letters find a name', async () => {
    const page = await openAt('browse');
    await page.getByRole('listbox', { name: 'Folders and files' }).waitFor();
    await page.keyboard.press('3');
    const first = page.getByRole('listbox', { name: 'Studio', exact: true });
    await tabTo(page, first);
    await page.keyboard.press('Home');
    await page.keyboard.type('doc');
    await expect.poll(() => page.url()).toContain('path=documents');
    await page.keyboard.press('ArrowRight');
    const second = page.getByRole('listbox', { name: 'documents in Studio', exact: true });
    await expect.poll(() => second.evaluate((column) => column === document.activeElement)).toBe(true);
    await second.getByRole('option', { selected: true }).waitFor();
    await page.keyboard.type('quarterly');
    await page
      .getByRole('complementary', { name: 'Details' })
      .getByRole('heading', { name: /quarterlyReport\.csv/ })
      .waitFor();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => first.evaluate((column) => column === document.activeElement)).toBe(true);
    await first.getByRole('option', { name: 'documents', selected: true }).waitFor();
  });

  test('scan a library from its card', async () => {
    const page = await openAt('libraries');
    const [library] = (await env.api('GET', '/libraries')).body;
    const scans = async () => (await env.api('GET', `/scans?library_id=${library.id}&limit=50`)).body.items as { status: string }[];
    const before = (await scans()).length;
    await tabTo(page, page.getByRole('article', { name: 'Studio' }).getByRole('button', { name: 'Scan', exact: true }));
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await scans()).length, { timeout: 60_000 }).toBe(before + 1);
    await expect.poll(async () => (await scans())[0]?.status, { timeout: 60_000 }).toBe('finished');
  });
});
