import AxeBuilder from '@axe-core/playwright';
import { mkdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, type Service, startService, stopService, temporaryFolder } from '../server/test/service.ts';
import { artifacts, chromiumPath, openBrowser, visit } from './browser.ts';
import { makeLibrary } from './library.ts';

const place = temporaryFolder();
const media = path.join(place.folder, 'media');

describe.runIf(chromiumPath)('the console in a real browser', () => {
  let service: Service;
  let browser: Browser;
  let signedIn: BrowserContext;
  let base: string;

  beforeAll(async () => {
    await makeLibrary(media);
    service = await startService(path.join(place.folder, 'config'), { MEDIA_PATH: media });
    base = service.url.replace('127.0.0.1', 'localhost');
    browser = await openBrowser();
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await stopService(service);
    place.remove();
  });
  const api = (page: Page, method: string, url: string, body?: unknown) =>
    page.evaluate(
      async ([verb, target, payload]) => {
        const answer = await fetch(`/api/v1${target}`, {
          method: verb as string,
          ...(payload ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(payload) } : {}),
        });
        const text = await answer.text();
        return { status: answer.status, body: text ? JSON.parse(text) : null };
      },
      [method, url, body] as const,
    );
  const hits = (page: Page) => page.getByText('IMG_44', { exact: false });

  test('first visit to first result: create the administrator, choose the offered folder, find a file while it scans', async () => {
    const { page, context, troubles } = await visit(browser, base);
    signedIn = context;
    await page.goto(base);
    await page.getByLabel('User name').fill('ann');
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await page.getByLabel('Password again').fill('correct horse');
    await page.keyboard.press('Enter');
    await page.getByText('Choose the first folder').last().waitFor();
    await page.getByLabel('Or type its path').fill(media);
    await page.getByRole('button', { name: /^Scan/ }).click();
    await page.goto(`${base}/#/search?q=harbour`);
    await expect.poll(() => hits(page).count(), { timeout: 60_000 }).toBeGreaterThan(3);
    expect(troubles).toEqual([]);
  });

  test('search as you type, with the match marked and the state in the address', async () => {
    const { page, troubles } = await visit(browser, base, { storage: signedIn });
    await page.goto(base);
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('crane');
    await page.getByText('harbour crane survey', { exact: false }).first().waitFor();
    await expect.poll(() => page.url()).toContain('crane');
    await expect.poll(() => page.locator('mark, em').filter({ hasText: /crane/i }).count()).toBeGreaterThan(0);
    await page.reload();
    await page.getByText('crane survey', { exact: false }).first().waitFor();
    expect(troubles).toEqual([]);
  });

  test('tags and notes survive a rescan', async () => {
    const { page } = await visit(browser, base, { storage: signedIn });
    await page.goto(base);
    const found = await api(page, 'GET', '/search?q=crane');
    const id = found.body.hits[0].id;
    expect(
      (await api(page, 'PATCH', `/items/${id}`, { tags: ['crane', 'print'], user_metadata: { note: 'For the calendar.' } })).status,
    ).toBe(200);
    writeFileSync(path.join(media, 'documents', 'harbour crane survey.txt'), 'The crane was taken down.');
    const [library] = (await api(page, 'GET', '/libraries')).body;
    const scan = (await api(page, 'POST', `/libraries/${library.id}/scan`)).body;
    await expect.poll(async () => (await api(page, 'GET', `/scans/${scan.scan_id}`)).body.status, { timeout: 60_000 }).toBe('finished');
    await expect.poll(async () => (await api(page, 'GET', '/search?q=taken+down')).body.total, { timeout: 60_000 }).toBe(1);
    expect((await api(page, 'GET', `/items/${id}`)).body).toMatchObject({
      tags: ['crane', 'print'],
      user_metadata: { note: 'For the calendar.' },
    });
  });

  test('a scoped person sees only their part', async () => {
    const { page } = await visit(browser, base, { storage: signedIn });
    await page.goto(base);
    const [library] = (await api(page, 'GET', '/libraries')).body;
    const eve = (await api(page, 'POST', '/auth/users', { username: 'eve', password: 'long enough', global_role: 'viewer' })).body;
    await api(page, 'POST', '/rbac/grants', {
      subject_kind: 'principal',
      subject_id: eve.id,
      library_id: library.id,
      rel_path: 'documents',
      action: 'search_metadata',
    });
    const other = await visit(browser, base);
    await other.page.goto(base);
    await other.page.getByLabel('User name').fill('eve');
    await other.page.getByLabel('Password', { exact: true }).fill('long enough');
    await other.page.keyboard.press('Enter');
    await expect.poll(async () => (await api(other.page, 'GET', '/search')).body.total, { timeout: 20_000 }).toBe(5);
    await other.page.goto(`${base}/#/search?q=harbour`);
    await other.page.getByText('harbour crane survey', { exact: false }).first().waitFor();
    expect(await hits(other.page).count()).toBe(0);
    await other.context.close();
  });

  test('an emptied folder trips the guard, and nothing is marked missing', async () => {
    const { page } = await visit(browser, base, { storage: signedIn });
    await page.goto(base);
    const [library] = (await api(page, 'GET', '/libraries')).body;
    const away = `${media}.away`;
    const { renameSync } = await import('node:fs');
    renameSync(media, away);
    mkdirSync(media);
    const scan = (await api(page, 'POST', `/libraries/${library.id}/scan`)).body;
    await expect.poll(async () => (await api(page, 'GET', `/scans/${scan.scan_id}`)).body.status, { timeout: 60_000 }).toBe('failed');
    expect((await api(page, 'GET', '/search')).body.total).toBe(13);
    await page.goto(`${base}/#/libraries`);
    await page
      .getByText(/Nothing was changed|nothing was changed/)
      .first()
      .waitFor({ timeout: 60_000 });
    rmSync(media, { recursive: true });
    renameSync(away, media);
    unlinkSync(path.join(media, 'code', 'tides.py'));
  });

  test('every page: no violation of WCAG 2.2 AA that axe can find, no trouble, and a picture at three sizes in light and dark', async () => {
    mkdirSync(artifacts, { recursive: true });
    const pages = ['search?q=harbour', 'browse', 'libraries', 'jobs', 'map', 'timeline', 'taxonomy', 'presets', 'account', 'admin'];
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, troubles } = await visit(browser, base, { storage: signedIn });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const name of pages) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.goto(`${base}/#/${name}`);
        await page.waitForLoadState('networkidle');
        const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).analyze();
        found.push(...violations.map(({ id, nodes }) => `${colorScheme} ${name}: ${id} at ${nodes[0]?.target.join(' ')}`));
        for (const [size, width, height] of [
          ['desktop', 1440, 900],
          ['tablet', 1024, 768],
          ['phone', 390, 844],
        ] as const) {
          await page.setViewportSize({ width, height });
          await page.screenshot({ path: path.join(artifacts, `${name.split('?')[0]}-${size}-${colorScheme}.png`) });
        }
      }
      expect(troubles).toEqual([]);
    }
    expect(found).toEqual([]);
  }, 240_000);

  test('the catalog holds at the end', async () => {
    const checked = await runCommand(['check'], { SVC_CONFIG_DIR: service.configDir });
    expect(checked.output).toContain('All checks hold.');
  });
});
