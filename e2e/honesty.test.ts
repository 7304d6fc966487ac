import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, openPage } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

const FILES = {
  'Documents/International/treaty.txt': 'The lighthouse keeper signed.',
  'Documents/International/annex.txt': 'An annex.',
  'plan.pdf': '%PDF-1.4\n%%EOF\n',
  'photo.jpg': 'not a photo',
  'notes.txt': 'Some notes.',
};

// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip.
describe.runIf(chromiumPath)('what the console says is true', () => {
  let env: TestEnvironment;
  let library: string;
  let root: string;
  beforeAll(async () => {
    // A database disk that counts as full pauses reading, so the files of a new library stay unread.
    env = await startEnvironment({ env: { SVC_DISK_PG_PATH: '/', SVC_DISK_WARN_PCT_FREE: '100', SVC_DISK_CRIT_PCT_FREE: '100' } });
    ({ id: library, root } = await env.addLibrary('shelf', FILES));
  }, 300_000);
  afterAll(() => env?.close());

  const openAt = async (route: string): Promise<Page> => {
    const { page } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/${route}`);
    return page;
  };
  const idOf = async (name: string): Promise<string> => (await env.api('GET', `/search?library=${library}&q=${name}`)).body.hits[0].id;
  const card = (page: Page) => page.getByRole('article', { name: 'shelf' });

  test('files that wait to be read are counted after another scan, say so on their page, and explain an empty search', async () => {
    expect(await env.scan(library)).toBe('finished');
    const page = await openAt('libraries');
    await page.getByText('Reading contents is paused.').first().waitFor();
    await page.goto(`${env.base}/#/item/${await idOf('plan')}`);
    await page.getByText('This file has not been read yet.', { exact: false }).first().waitFor();
    await page.goto(`${env.base}/#/?library=${library}&q=lighthouse`);
    await page.getByText(/The contents of \d+ files have not been read yet/).waitFor();
  });

  test('while filters are counted, the empty result does not blame them', async () => {
    const page = await openAt('libraries');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // The first request gets the empty result, the others count what each filter excludes.
    let requests = 0;
    await page.route('**/api/v1/search?*', async (route) => {
      requests += 1;
      if (requests > 1) await held;
      await route.continue();
    });
    await page.goto(`${env.base}/#/?library=${library}&q=nowhere`);
    await page.getByText('Counting what each filter excludes…').waitFor();
    expect(await page.getByText('No single filter is the cause.', { exact: false }).count()).toBe(0);
    release();
  });

  test('an unfinished filter is not searched as a word, and the name of a folder offers its path', async () => {
    const page = await openAt(`?library=${library}&q=nowhere`);
    const row = page.getByRole('row').filter({ hasText: 'treaty.txt' });
    const box = page.getByRole('searchbox', { name: 'Search' });
    await page.getByText('No files match both filters').waitFor();
    await box.fill('size<10mb kind:');
    await row.waitFor();
    await box.fill('path:International');
    await page.getByRole('button', { name: 'Documents/International', exact: true }).click();
    await row.waitFor();
  });

  test('tagging several files and undoing it is seen at once in facets and details', async () => {
    const page = await openAt(`?library=${library}&q=international`);
    await page.getByRole('row').filter({ hasText: 'treaty.txt' }).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('t');
    await page.getByRole('dialog', { name: 'Add a tag to 2 files' }).waitFor();
    await page.keyboard.type('signed');
    await page.keyboard.press('Enter');
    await page.getByText('added to 2 files', { exact: false }).first().waitFor();
    const facet = page.getByRole('complementary', { name: 'Filters' }).getByText('signed', { exact: true });
    await facet.waitFor();
    await page.getByRole('complementary', { name: 'Details' }).getByText('signed', { exact: true }).first().waitFor();
    await page.keyboard.press('Control+z');
    await expect.poll(() => page.getByRole('complementary', { name: 'Details' }).getByText('signed', { exact: true }).count()).toBe(0);
    await expect.poll(() => facet.count()).toBe(0);
  });

  test('the heads of the columns stand above their values', async () => {
    // With scroll bars that take space, which the browsers of tests otherwise hide.
    const browser = await openBrowser({ scrollbars: true });
    try {
      const { page } = await openPage(browser, env.base, { storageState: env.storageState });
      await page.goto(`${env.base}/#/?q=harbour`);
      const results = page.getByRole('grid', { name: 'Results', exact: true });
      await results.getByRole('row').nth(3).waitFor();
      const edges = await results.evaluate((grid) => {
        const right = (cell: Element | undefined) => Math.round(cell?.getBoundingClientRect().right ?? Number.NaN);
        const head = [...(grid.previousElementSibling?.children ?? [])];
        const cells = [...(grid.querySelector('[role="row"]')?.children ?? [])];
        return { bar: grid.clientWidth < grid.getBoundingClientRect().width, head: head.map(right), cells: cells.map(right) };
      });
      expect(edges.bar).toBe(true);
      // The size column is the third.
      expect(edges.head[2]).toBe(edges.cells[2]);
      expect(edges.head.length).toBe(edges.cells.length);
    } finally {
      await browser.close();
    }
  });

  test('a preset that is on by default names the libraries that use it', async () => {
    const page = await openAt('presets');
    const hidden = page.locator('section').filter({ hasText: 'Hidden files' });
    await hidden.getByText(/used by .*shelf/).waitFor();
  });

  test('marking files as missing is in the audit log, and the card leads to them', async () => {
    rmSync(path.join(root, 'Documents'), { recursive: true });
    rmSync(path.join(root, 'notes.txt'));
    rmSync(path.join(root, 'photo.jpg'));
    rmSync(path.join(root, 'plan.pdf'));
    expect(await env.scan(library)).toBe('failed');
    const page = await openAt('libraries');
    await card(page).getByRole('button', { name: 'Mark as missing…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Mark 5 files missing?' });
    await dialog.getByRole('textbox').fill('shelf');
    await dialog.getByRole('button', { name: 'Mark 5 missing' }).click();
    await card(page).getByRole('link', { name: 'Show missing files' }).click();
    await page
      .getByText(/Missing since/)
      .first()
      .waitFor();
    const events = async () => (await env.api('GET', '/audit?limit=200')).body.events as { event_type: string }[];
    const before = (await events()).length;
    await page.goto(`${env.base}/#/admin/audit`);
    await page.getByText('Marking files as missing requested', { exact: false }).first().waitFor();
    // Saving a library without a change is not a change.
    expect((await env.api('PATCH', `/libraries/${library}`, { name: 'shelf' })).status).toBe(200);
    expect((await events()).length).toBe(before);
  });

  test('a scan that finds files again says how many', async () => {
    mkdirSync(path.join(root, 'Documents/International'), { recursive: true });
    for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(root, name), text);
    expect(await env.scan(library)).toBe('finished');
    const page = await openAt('libraries');
    const scans = page.getByRole('row').filter({ hasText: 'shelf' });
    await scans.filter({ hasText: '+5 found again' }).waitFor();
  });
});
