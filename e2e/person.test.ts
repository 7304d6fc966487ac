import { chmodSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage, SIZES } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { accessibilityViolations, screenshot, waitUntilSettled } from './page-checks.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

const isRoot = process.getuid?.() === 0;

// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip. Permissions of others need root.
describe.runIf(chromiumPath && isRoot)('access to files on disk', () => {
  let env: TestEnvironment;
  let office: { id: string; root: string };
  const at = (name: string) => path.join(office.root, name);
  beforeAll(async () => {
    env = await startEnvironment();
    office = await env.addLibrary('Office', { 'open/in/a.txt': '1', 'open/b.txt': '2', 'closed/c.txt': '3', 'later/d.txt': '4' });
    // The temporary folder is closed to others, and who may not enter it reads nothing below.
    for (let folder = office.root; folder.startsWith(env.folder); folder = path.dirname(folder)) chmodSync(folder, 0o755);
    for (const name of ['open', 'open/in', 'later']) chmodSync(at(name), 0o755);
    for (const name of ['open/in/a.txt', 'open/b.txt', 'closed/c.txt', 'later/d.txt']) chmodSync(at(name), 0o644);
    for (const name of ['closed', 'later']) chmodSync(at(name), 0o700);
    await env.scan(office.id);
    chmodSync(at('later'), 0o755);
    await env.scan(office.id);
  }, 300_000);
  afterAll(() => env?.close());

  async function isAccessible(page: Page, name: string): Promise<void> {
    await waitUntilSettled(page);
    for (const size of ['phone', 'tablet', 'desktop'] as const) {
      await page.setViewportSize(SIZES[size]);
      expect(await accessibilityViolations(page, { contrast: size === 'desktop' ? 'with' : 'without' }), `${name} at ${size}`).toEqual([]);
    }
    await screenshot(page, name);
  }

  test('what a person can read: keys open folders and explain them, changes have their effect, and a past day can be shown', async () => {
    const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/reports/access?principal=nobody`);
    await page.getByRole('heading', { name: 'What can nobody read?' }).waitFor();
    const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
    await row('Office').click();
    await page.keyboard.press('ArrowRight');
    await row('closed').filter({ hasText: 'none of 1' }).waitFor();
    // The rows are libraries by name and folders by name below them.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Office/closed' }).waitFor();
    await page.getByText('nobody can read none of 1 file').waitFor();
    const steps = page.getByRole('list', { name: 'Reasons in order' });
    await steps.getByText('nobody may not enter. Only the entry for everyone else applies.').waitFor();
    await page.getByText('What is further down was not needed').waitFor();
    await row('open').click();
    await steps.getByText('Everyone can read them.').waitFor();
    await page.getByText('The folder Office/later was changed').first().waitFor();
    await page.getByText('+1 file', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Compare two dates' }).click();
    await page.getByRole('rowheader', { name: 'Office' }).waitFor();
    await isAccessible(page, 'person');
    // Left closes the library again; / goes to the field that finds folders.
    await row('Office').first().press('ArrowLeft');
    await row('closed').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('offi');
    await expect.poll(() => page.getByRole('treegrid').getByRole('row').count()).toBe(2);
    await page.getByLabel('Day, empty for today').fill('2020-01-01');
    await page.getByRole('heading', { name: 'What could nobody read?' }).waitFor();
    await page.getByText(/0 of 0 files on disk.*with the groups of today/).waitFor();
    expect(pageErrors).toEqual([]);
  });

  test('the list of folders is exported', async () => {
    const { page } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/reports/access?principal=nobody`);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: /^CSV/ }).click();
    await page.getByText('The export runs in the background.').waitFor();
    const newest = async () => (await env.api('GET', '/exports?limit=1')).body.exports[0];
    await expect.poll(async () => (await newest())?.status, { timeout: 60_000 }).toBe('complete');
    expect((await newest()).row_count).toBeGreaterThanOrEqual(4);
  });

  test('the access tab says since when, for how many people, and what differs between two dates', async () => {
    const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState });
    const [hit] = (await env.api('GET', `/search?q=d.txt&library=${office.id}`)).body.hits;
    await page.goto(`${env.base}/#/item/${hit.id}`);
    await page.getByRole('tab', { name: /Access/ }).click();
    await page.getByText(/(person|people) can read this file/).waitFor();
    await page.getByText('The folder later was changed').first().waitFor();
    await page
      .getByText(/^\d+ (person|people)$/)
      .first()
      .waitFor();
    await page.keyboard.press('d');
    // The folder was closed and opened again, so nothing differs from what it was 30 days ago.
    await page.getByRole('status').getByText('The same people can read the file as before.').waitFor();
    await page.getByRole('button', { name: 'Check a person' }).click();
    await page.getByLabel('Person or group').fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByText('nobody can read this file of everyone else.').waitFor();
    await isAccessible(page, 'access-tab');
    await page.getByRole('link', { name: 'Everyone' }).first().click();
    await page.getByRole('heading', { name: 'What can Everyone read?' }).waitFor();
    expect(pageErrors).toEqual([]);
  });
});
