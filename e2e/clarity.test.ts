import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { accessibilityViolations } from './page-checks.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

/** Each name is shorter than a line, so that only slashes are places to break. */
const DEEP = 'Archive of the office/Letters to the port/2023 Quarter Four/received-from-abroad';
const FILES = {
  'Office/invoice 2024.txt': 'The invoice for the crane.',
  [`${DEEP}/letter.txt`]: 'Dear sirs',
  'notes.txt': 'Some notes.',
};

/** The left edges of the texts of elements, without their padding. */
const textEdges = (elements: Locator) =>
  elements.evaluateAll((found) =>
    found.map((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return Math.round(range.getBoundingClientRect().left);
    }),
  );

// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip.
describe.runIf(chromiumPath)('the console says what it shows', () => {
  let env: TestEnvironment;
  let library: string;
  beforeAll(async () => {
    env = await startEnvironment();
    library = (await env.addLibrary('shelf', FILES)).id;
  }, 300_000);
  afterAll(() => env?.close());

  const openAt = async (route: string): Promise<Page> => {
    const { page } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/${route}`);
    return page;
  };

  test('without words files are sorted by date, which the page says, and the grid has a heading for each month', async () => {
    const page = await openAt('?lens=grid');
    await page.getByRole('button', { name: 'Sorted by Newest' }).click();
    await page.getByRole('menuitem', { name: 'Name', exact: true }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Relevance' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('grid', { name: 'Results' }).getByText('July 2024').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('harbour');
    await page.getByRole('button', { name: 'Sorted by Relevance' }).waitFor();
  });

  test('a search that was corrected says for what, and can be repeated as typed', async () => {
    const page = await openAt('?q=invioce');
    await page.getByRole('row').filter({ hasText: 'invoice 2024.txt' }).waitFor();
    await page.getByText('Showing results for invoice.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Search only for “invioce”' }).click();
    await page.getByRole('heading', { name: /No files contain/ }).waitFor();
    await page.goto(`${env.base}/#/?q=invoice`);
    await page.getByRole('row').filter({ hasText: 'invoice 2024.txt' }).waitFor();
    expect(await page.getByText('Showing results for').count()).toBe(0);
  });

  test('a path breaks after a slash', async () => {
    const { hits } = (await env.api('GET', `/search?library=${library}&q=letter`)).body;
    const page = await openAt(`item/${hits[0].id}`);
    const folder = page.locator('dd bdi').filter({ hasText: '2023 Quarter Four' });
    const ends = await folder.evaluate((element) => {
      const range = document.createRange();
      const found: string[] = [];
      let before = { top: Number.NaN, character: '' };
      const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = nodes.nextNode(); node; node = nodes.nextNode())
        for (let at = 0; at < (node.textContent ?? '').length; at += 1) {
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          const { top } = range.getBoundingClientRect();
          if (top > before.top + 4) found.push(before.character);
          before = { top, character: node.textContent?.[at] ?? '' };
        }
      return found;
    });
    expect(ends.length).toBeGreaterThan(2);
    expect(new Set(ends)).toEqual(new Set(['/']));
  });

  test('the hint of a switch is below its label, and a unit is inside its field', async () => {
    const page = await openAt('libraries');
    await page
      .getByRole('link', { name: 'New library' })
      .or(page.getByRole('button', { name: 'New library' }))
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('tab', { name: 'Contents' }).click();
    await dialog.getByText('Show photos on the map').waitFor();
    expect(await textEdges(dialog.locator('.mantine-Switch-description'))).toEqual(
      await textEdges(dialog.locator('.mantine-Switch-label')),
    );
    const inside = await dialog.getByText('characters', { exact: true }).evaluate((unit) => {
      const field = unit.closest('.mantine-Input-wrapper')?.getBoundingClientRect();
      return field !== undefined && unit.getBoundingClientRect().right < field.right - 4;
    });
    expect(inside).toBe(true);
  });

  test('times are written as in the country of the browser', async () => {
    const times = async (locale: string) => {
      const context = await env.browser.newContext({ locale, storageState: env.storageState, serviceWorkers: 'block' });
      try {
        const page = await context.newPage();
        await page.goto(`${env.base}/#/libraries`);
        const cell = page.getByRole('cell', { name: /^(today|yesterday) / }).first();
        return await cell.textContent();
      } finally {
        await context.close();
      }
    };
    expect(await times('en-US')).toMatch(/ [1-9]\d?:\d\d\s[AP]M$/);
    expect(await times('en-GB')).toMatch(/ \d\d:\d\d$/);
  });

  test('the timeline writes years without separators and shows the month at the top', async () => {
    const page = await openAt('timeline');
    await page.getByText(/^\d+ files, 2022 to 2023$/).waitFor();
    await expect.poll(() => page.locator('input[type="month"]').inputValue()).toBe('2023-06');
  });

  test('the log of the jobs tells how scans ended', async () => {
    const page = await openAt('jobs');
    await page.getByText('Scan of shelf finished: 3 new, 0 changed, 0 missing.').waitFor();
  });

  test('Jobs shows only queues that can have work', async () => {
    const page = await openAt('jobs');
    await page.getByRole('region', { name: 'Reading contents', exact: true }).waitFor();
    for (const name of ['Thumbnails', 'Semantic search']) expect(await page.getByRole('region', { name, exact: true }).count()).toBe(0);
  });

  test('camera and date taken are filters', async () => {
    const page = await openAt('?q=IMG_44');
    const filters = page.getByRole('complementary', { name: 'Filters' });
    await filters
      .getByRole('heading', { name: 'Taken', exact: true })
      .or(filters.getByText('Taken', { exact: true }))
      .first()
      .waitFor();
    const camera = filters.getByRole('checkbox', { name: /ILCE-7M4/ });
    await camera.check();
    await expect.poll(() => page.url()).toContain('camera=');
    await page.getByRole('row').filter({ hasText: 'IMG_44' }).first().waitFor();
  });

  test('a schedule is chosen in local time, shows the next three times, and can be a cron expression', async () => {
    const page = await openAt('libraries');
    await page
      .getByRole('link', { name: 'New library' })
      .or(page.getByRole('button', { name: 'New library' }))
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('tab', { name: 'Scans' }).click();
    await dialog.getByLabel('Scan', { exact: true }).selectOption('Every day');
    await dialog.getByLabel('Time (yours)').fill('06:30');
    await expect.poll(() => dialog.getByText(/^Next: /).textContent()).toMatch(/^Next: .*06:30; .*06:30; .*06:30$/);
    await dialog.getByLabel('Scan', { exact: true }).selectOption('Cron expression');
    // 06:30 in Oslo is 05:30 UTC in winter and 04:30 in summer.
    expect(await dialog.getByLabel('Minute, hour, day, month, weekday (UTC)').inputValue()).toMatch(/^30 [45] \* \* \*$/);
  });

  test('an empty map leads to the setting that fills it', async () => {
    const page = await openAt(`?library=${library}&lens=map`);
    await page.getByRole('heading', { name: 'No files with a location' }).waitFor();
    await page.getByRole('link', { name: 'settings of their library' }).click();
    await page.getByRole('heading', { level: 1, name: 'Libraries' }).waitFor();
  });

  test('a new person who sees nothing yet leads to a rule with several permissions for a folder', async () => {
    const page = await openAt('admin');
    await page.getByRole('button', { name: 'New person' }).click();
    const form = page.getByRole('dialog', { name: 'New person' });
    await form.getByLabel('User name').fill('vera');
    await form.getByLabel('Password', { exact: true }).fill('correct horse');
    await form.getByRole('button', { name: 'Create account' }).click();
    const next = page.getByRole('dialog', { name: 'vera can now sign in' });
    await next.getByText('vera cannot see any files yet.').waitFor();
    expect(await accessibilityViolations(page, { inside: '[role="dialog"]' })).toEqual([]);
    await next.getByRole('link', { name: 'Add a rule' }).click();
    const rule = page.locator('form').filter({ hasText: 'Add rule' });
    await expect.poll(() => rule.getByRole('combobox', { name: 'Who' }).inputValue()).toBe('vera');
    await rule.getByRole('combobox', { name: 'Permissions' }).press('ArrowDown');
    await page.getByRole('option', { name: 'Open and download' }).click();
    await page.keyboard.press('Escape');
    await rule.getByRole('combobox', { name: 'Library' }).click();
    await page.getByRole('option', { name: 'shelf' }).click();
    await rule.getByRole('combobox', { name: 'Folder' }).click();
    await page.getByRole('option', { name: 'Archive of the office', exact: true }).click();
    // A chosen folder closes the list; opened again, it offers the subfolders.
    await rule.getByRole('combobox', { name: 'Folder' }).click();
    await page.getByRole('option', { name: 'Archive of the office/Letters to the port' }).click();
    await page.keyboard.press('Escape');
    await rule.getByRole('button', { name: 'Add rule' }).click();
    await page.getByText('2 rules added').waitFor();
    const { body } = await env.api('GET', '/rbac/grants');
    expect(body.map(({ action, rel_path }: { action: string; rel_path: string }) => `${action} ${rel_path}`).sort()).toEqual([
      'download Archive of the office/Letters to the port',
      'search_metadata Archive of the office/Letters to the port',
    ]);
  });
});
