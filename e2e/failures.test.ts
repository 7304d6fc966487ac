import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openPage } from './browser.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { ADMIN, startEnvironment, signIn, type TestEnvironment } from './test-environment.ts';

const ours = (pageErrors: string[]) => pageErrors.filter((one) => !/ERR_|Failed to fetch|net::/.test(one));

// `npm test` installs Chromium on Debian; elsewhere it says that these are left out without one.
describe.runIf(chromiumPath)('the console when something is wrong', () => {
  let env: TestEnvironment;
  beforeAll(async () => {
    env = await startEnvironment();
  }, 180_000);
  afterAll(() => env?.close());

  const itemOf = async (q: string): Promise<string> => (await env.api('GET', `/search?q=${q}`)).body.hits[0].id;
  const noteOf = async (id: string) => (await env.api('GET', `/items/${id}`)).body.user_metadata.note;

  test('while the server is down a bar says so, the half-written note stays, and it is saved when the server is back', async () => {
    const proxy = await startFaultProxy(env.service.url);
    const id = await itemOf('tides');
    const { page, pageErrors } = await openPage(env.browser, proxy.base, { storageState: env.storageState });
    await page.goto(`${proxy.base}/#/item/${id}`);
    const note = page.getByRole('textbox', { name: 'Note' });
    await note.fill('Half a');
    proxy.close();
    await note.pressSequentially(' sentence.');
    await page.getByRole('heading', { level: 1 }).click();
    await page.getByText('The server does not answer. Your text is kept.').waitFor();
    expect(await note.inputValue()).toBe('Half a sentence.');
    expect(await noteOf(id)).toBeUndefined();
    proxy.open();
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByText('The server does not answer. Your text is kept.').waitFor({ state: 'detached' });
    expect(await note.inputValue()).toBe('Half a sentence.');
    await expect.poll(() => noteOf(id), { timeout: 20_000 }).toBe('Half a sentence.');
    expect(ours(pageErrors)).toEqual([]);
  });

  test('a page that was loading when the server went loads by itself when it is back, also after a restart', async () => {
    const { page } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/jobs`);
    await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor();
    const before = env.service.parts().app!;
    process.kill(before, 'SIGKILL');
    await expect.poll(() => env.service.parts().app, { timeout: 60_000 }).not.toBe(before);
    await page.goto(`${env.base}/#/?q=tides`).catch(() => {});
    await page.getByRole('row').filter({ hasText: 'tides.py' }).waitFor({ timeout: 60_000 });
    await expect.poll(() => page.getByText('The server does not answer').count(), { timeout: 30_000 }).toBe(0);
  });

  test('without a network the installed shell still opens, says what is wrong, and goes on by itself', async () => {
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
    await page.getByText('The server does not answer', { exact: false }).first().waitFor();
    // The shell is kept, what the service answered is not.
    const kept = await page.evaluate(async () => {
      const urls: string[] = [];
      for (const name of await caches.keys()) for (const request of await (await caches.open(name)).keys()) urls.push(request.url);
      return urls;
    });
    expect(kept.length).toBeGreaterThan(5);
    expect(kept.filter((url) => /\/api\/|\/docs\//.test(url))).toEqual([]);
    proxy.open();
    await page.getByRole('row').first().waitFor({ timeout: 30_000 });
    expect(ours(pageErrors)).toEqual([]);
    await context.close();
  });

  test('signing out forgets: nothing of the catalog stays in the browser', async () => {
    const { storageState } = await signIn(env.base, ADMIN);
    const { page, context } = await openPage(env.browser, env.base, { storageState, serviceWorkers: 'allow' });
    await page.goto(`${env.base}/#/?q=tides`);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.getByRole('row').filter({ hasText: 'tides.py' }).waitFor();
    await page.goto(`${env.base}/#/account`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const left = await page.evaluate(async () => {
      const answers: string[] = [];
      for (const name of await caches.keys())
        for (const request of await (await caches.open(name)).keys()) if (request.url.includes('/api/')) answers.push(request.url);
      return {
        answers,
        storage: JSON.stringify({ ...localStorage, ...sessionStorage }),
        databases: (await indexedDB.databases()).map(({ name }) => name),
      };
    });
    expect(left.answers).toEqual([]);
    expect(left.databases).toEqual([]);
    expect(left.storage).not.toMatch(/tides|harbour/);
    expect(page.url()).not.toContain('tides');
    await page.goBack();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('tides.py').count()).toBe(0);
    await context.close();
  });

  test('a session that ends in the middle of an edit asks for the password in place and then saves the edit', async () => {
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

  test('on a slow network every wait has a word, and only the last question is answered', async () => {
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

  /** A page on which the installed shell answers (from the second visit on) and a newer one was just found. */
  async function offered(before: (text: string) => string = (text) => text) {
    const proxy = await startFaultProxy(env.service.url);
    proxy.change('/sw.js', before);
    const seen = await openPage(env.browser, proxy.base, { storageState: env.storageState, serviceWorkers: 'allow' });
    const { page } = seen;
    await page.goto(`${proxy.base}/#/?q=tides`);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'tides.py' }).waitFor();
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    const findNewer = async () => {
      proxy.change('/sw.js', (text) => `${text}\n// the next version`);
      await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())!.update()));
      await page.getByText('A new version of Catalog is ready.').waitFor();
    };
    return { ...seen, proxy, findNewer };
  }
  const isSameDocument = (page: Page) => page.evaluate(() => 'sameDocument' in window);

  test('a new version is offered and waits; the old one goes on until the person loads it, in that tab only', async () => {
    const { page, context, proxy, findNewer, pageErrors } = await offered();
    const other = await context.newPage();
    await other.goto(`${proxy.base}/#/?q=tides`);
    await other.getByRole('row').filter({ hasText: 'tides.py' }).waitFor();
    await other.evaluate(() => Object.assign(window, { sameDocument: true }));
    await findNewer();
    await other.getByText('A new version of Catalog is ready.').waitFor();
    expect(await isSameDocument(page)).toBe(true);
    await page.getByRole('row').filter({ hasText: 'tides.py' }).waitFor();
    await page.getByRole('button', { name: 'Load it' }).click();
    await page.waitForFunction(() => !('sameDocument' in window));
    await page.getByRole('row').filter({ hasText: 'tides.py' }).waitFor();
    expect(await page.getByText('A new version of Catalog is ready.').count()).toBe(0);
    expect(await isSameDocument(other)).toBe(true);
    await other.getByRole('button', { name: 'Load it' }).click();
    await other.waitForFunction(() => !('sameDocument' in window));
    await other.getByRole('row').filter({ hasText: 'tides.py' }).waitFor();
    expect(ours(pageErrors)).toEqual([]);
    await context.close();
  });

  test('a new version is loaded although the old one never finishes what it was asked', async () => {
    const { page, context, findNewer, pageErrors } = await offered(
      (text) =>
        `self.addEventListener('fetch', (e) => { if (e.request.url.endsWith('/never')) e.respondWith(new Promise(() => {})); });${text}`,
    );
    await page.evaluate(() => void fetch('/never').catch(() => {}));
    await findNewer();
    await page.getByRole('button', { name: 'Load it' }).click();
    await page.getByText('Loading the new version…').waitFor();
    await page.waitForFunction(() => !('sameDocument' in window));
    await page.getByRole('row').filter({ hasText: 'tides.py' }).waitFor();
    expect(await page.getByText('A new version of Catalog is ready.').count()).toBe(0);
    // Installed again, from the new version: the one that hangs is gone.
    await page.evaluate(() => navigator.serviceWorker.ready);
    expect(await page.evaluate(() => fetch('/never').then((r) => r.status))).toBeGreaterThan(0);
    expect(ours(pageErrors)).toEqual([]);
    await context.close();
  });
});
