import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { ADMIN, signIn } from './client.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

const unexpected = (errors: string[]) => errors.filter((one) => !/ERR_|Failed to fetch|net::/.test(one));

// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip.
describe.runIf(chromiumPath)('the console under failures', () => {
  let env: TestEnvironment;
  beforeAll(async () => {
    env = await startEnvironment();
  }, 300_000);
  afterAll(() => env?.close());

  const itemOf = async (q: string): Promise<string> => (await env.api('GET', `/search?q=${q}`)).body.hits[0].id;
  const noteOf = async (id: string) => (await env.api('GET', `/items/${id}`)).body.user_metadata.note;

  test('while the server is down a bar says so, and an unsaved note is kept and saved when it is back', async () => {
    const proxy = await startFaultProxy(env.service.url);
    const id = await itemOf('tides');
    const { page, pageErrors } = await openPage(env.browser, proxy.base, { storageState: env.storageState });
    await page.goto(`${proxy.base}/#/item/${id}`);
    const note = page.getByRole('textbox', { name: 'Note' });
    await note.fill('Half a');
    proxy.close();
    await note.pressSequentially(' sentence.');
    await page.getByRole('heading', { level: 1 }).click();
    await page.getByText('The server is not responding. Your input is kept.').waitFor();
    expect(await note.inputValue()).toBe('Half a sentence.');
    expect(await noteOf(id)).toBeUndefined();
    proxy.open();
    await page.getByRole('button', { name: 'Retry now' }).click();
    await page.getByText('The server is not responding. Your input is kept.').waitFor({ state: 'detached' });
    expect(await note.inputValue()).toBe('Half a sentence.');
    await expect.poll(() => noteOf(id), { timeout: 20_000 }).toBe('Half a sentence.');
    expect(unexpected(pageErrors)).toEqual([]);
  });

  test('a page that was loading when the server stopped recovers after a restart', async () => {
    const { page } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/jobs`);
    await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor();
    const before = env.service.processes().app!;
    process.kill(before, 'SIGKILL');
    await expect.poll(() => env.service.processes().app, { timeout: 60_000 }).not.toBe(before);
    // Navigation may fail while the server restarts; the page must recover either way.
    await page.goto(`${env.base}/#/?q=tides`).catch(() => {});
    await page.getByRole('row').filter({ hasText: 'tides.py' }).waitFor({ timeout: 60_000 });
    await expect.poll(() => page.getByText('The server is not responding').count(), { timeout: 30_000 }).toBe(0);
  });

  test('without a network the installed app still opens, reports the problem and recovers', async () => {
    const proxy = await startFaultProxy(env.service.url);
    const { page, context, pageErrors } = await openPage(env.browser, proxy.base, {
      storageState: env.storageState,
      serviceWorkers: 'allow',
    });
    await page.goto(proxy.base);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await page.getByRole('row').first().waitFor();
    proxy.close();
    await page.reload();
    await page.getByText('The server is not responding', { exact: false }).first().waitFor();
    // The app is cached, API responses are not.
    const kept = await page.evaluate(async () => {
      const urls: string[] = [];
      for (const name of await caches.keys()) for (const request of await (await caches.open(name)).keys()) urls.push(request.url);
      return urls;
    });
    expect(kept.length).toBeGreaterThan(5);
    expect(kept.filter((url) => /\/api\/|\/docs\//.test(url))).toEqual([]);
    proxy.open();
    await page.getByRole('row').first().waitFor({ timeout: 30_000 });
    expect(unexpected(pageErrors)).toEqual([]);
    await context.close();
  });

  test('after sign-out no catalog data stays in the browser', async () => {
    const { storageState } = await signIn(env.base, ADMIN);
    const { page, context } = await openPage(env.browser, env.base, { storageState, serviceWorkers: 'allow' });
    await page.goto(`${env.base}/#/?q=tides`);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.getByRole('row').filter({ hasText: 'tides.py' }).waitFor();
    await page.goto(`${env.base}/#/account`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    const left = await page.evaluate(async () => {
      const responses: string[] = [];
      for (const name of await caches.keys())
        for (const request of await (await caches.open(name)).keys()) if (request.url.includes('/api/')) responses.push(request.url);
      return {
        responses,
        storage: JSON.stringify({ ...localStorage, ...sessionStorage }),
        databases: (await indexedDB.databases()).map(({ name }) => name),
      };
    });
    expect(left.responses).toEqual([]);
    expect(left.databases).toEqual([]);
    expect(left.storage).not.toMatch(/tides|harbour/);
    expect(page.url()).not.toContain('tides');
    await page.goBack();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.getByText('tides.py').count()).toBe(0);
    await context.close();
  });

  test('a session that ends during an edit asks for the password in place and then saves the edit', async () => {
    const { storageState } = await signIn(env.base, ADMIN);
    const id = await itemOf('quarterlyReport');
    const { page, pageErrors } = await openPage(env.browser, env.base, { storageState });
    await page.goto(`${env.base}/#/item/${id}`);
    const note = page.getByRole('textbox', { name: 'Note' });
    await note.fill('Written while signed');
    const sessions = (await fetch(`${env.base}/api/v1/auth/sessions`, {
      headers: { cookie: `${storageState.cookies[0]!.name}=${storageState.cookies[0]!.value}` },
    }).then((r) => r.json())) as { id: string; current: boolean }[] | { items: { id: string; current: boolean }[] };
    const own = (Array.isArray(sessions) ? sessions : sessions.items).find(({ current }) => current)!;
    expect((await env.api('DELETE', `/auth/sessions/${own.id}`)).status).toBeLessThan(300);
    await note.pressSequentially(' out.');
    await page.getByRole('heading', { level: 1 }).click();
    const dialog = page.getByRole('dialog', { name: 'You were signed out' });
    await dialog.getByLabel('Password', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await dialog
      .getByRole('status')
      .filter({ hasText: /password/i })
      .waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => noteOf(id)).toBe('Written while signed out.');
    expect(await note.inputValue()).toBe('Written while signed out.');
    expect(pageErrors).toEqual([]);
  });

  test('on a slow network loading is announced, and only the last search is shown', async () => {
    const proxy = await startFaultProxy(env.service.url);
    const { page, pageErrors } = await openPage(env.browser, proxy.base, { storageState: env.storageState });
    await page.goto(proxy.base);
    await page.getByRole('row').first().waitFor();
    proxy.slow(700);
    await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('tides', { delay: 200 });
    await page.getByRole('row').filter({ hasText: 'tides.py' }).waitFor();
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'IMG_44' }).count()).toBe(0);
    await page.goto(`${proxy.base}/#/libraries`);
    await page
      .getByText(/Loading/)
      .first()
      .waitFor();
    await page.getByRole('heading', { name: 'Libraries', level: 1 }).waitFor();
    expect(pageErrors).toEqual([]);
  });

  /** Opens a page served by the service worker, with a function that publishes a newer version. */
  async function openWithUpdate(before: (text: string) => string = (text) => text) {
    const proxy = await startFaultProxy(env.service.url);
    proxy.rewrite('/sw.js', before);
    const opened = await openPage(env.browser, proxy.base, { storageState: env.storageState, serviceWorkers: 'allow' });
    const { page } = opened;
    await page.goto(`${proxy.base}/#/?q=tides`);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'tides.py' }).waitFor();
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    const publishUpdate = async () => {
      proxy.rewrite('/sw.js', (text) => `${text}\n// the next version`);
      await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())!.update()));
      await page.getByText('A new version of Catalog is available.').waitFor();
    };
    return { ...opened, proxy, publishUpdate };
  }
  const isSameDocument = (page: Page) => page.evaluate(() => 'sameDocument' in window);

  test('a new version is offered, and only the tab where it is accepted reloads', async () => {
    const { page, context, proxy, publishUpdate, pageErrors } = await openWithUpdate();
    const other = await context.newPage();
    await other.goto(`${proxy.base}/#/?q=tides`);
    await other.getByRole('row').filter({ hasText: 'tides.py' }).waitFor();
    await other.evaluate(() => Object.assign(window, { sameDocument: true }));
    await publishUpdate();
    await other.getByText('A new version of Catalog is available.').waitFor();
    expect(await isSameDocument(page)).toBe(true);
    await page.getByRole('row').filter({ hasText: 'tides.py' }).waitFor();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.waitForFunction(() => !('sameDocument' in window));
    await page.getByRole('row').filter({ hasText: 'tides.py' }).waitFor();
    expect(await page.getByText('A new version of Catalog is available.').count()).toBe(0);
    expect(await isSameDocument(other)).toBe(true);
    await other.getByRole('button', { name: 'Reload' }).click();
    await other.waitForFunction(() => !('sameDocument' in window));
    await other.getByRole('row').filter({ hasText: 'tides.py' }).waitFor();
    expect(unexpected(pageErrors)).toEqual([]);
    await context.close();
  });

  test('a new version loads even if the old service worker never finishes a request', async () => {
    const { page, context, publishUpdate, pageErrors } = await openWithUpdate(
      (text) =>
        `self.addEventListener('fetch', (e) => { if (e.request.url.endsWith('/never')) e.respondWith(new Promise(() => {})); });${text}`,
    );
    // The request fails when its service worker is replaced.
    await page.evaluate(() => void fetch('/never').catch(() => {}));
    await publishUpdate();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('Loading the new version…').waitFor();
    await page.waitForFunction(() => !('sameDocument' in window));
    await page.getByRole('row').filter({ hasText: 'tides.py' }).waitFor();
    expect(await page.getByText('A new version of Catalog is available.').count()).toBe(0);
    // The new version is installed, so the request that hung is answered.
    await page.evaluate(() => navigator.serviceWorker.ready);
    expect(await page.evaluate(() => fetch('/never').then((r) => r.status))).toBeGreaterThan(0);
    expect(unexpected(pageErrors)).toEqual([]);
    await context.close();
  });
});
