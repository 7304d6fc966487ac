import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { signIn } from './client.ts';
import { scriptsBeforeFirstRow } from './page-measures.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

const twenty = (name: string) => Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${name}/${name}-${n}.txt`, `${name} ${n}`]));

// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip.
describe.runIf(chromiumPath)('user journeys in a real browser', () => {
  let env: TestEnvironment;
  beforeAll(async () => {
    // Hash large files completely, so that a scan runs long enough to be stopped.
    env = await startEnvironment({ fresh: true, env: { SVC_SCAN_HASH_FULL_MAX_BYTES: String(2 ** 40) } });
  }, 300_000);
  afterAll(() => env?.close());

  const openAt = async (route = '') => {
    const opened = await openPage(env.browser, env.base, { storageState: env.storageState });
    await opened.page.goto(`${env.base}/#/${route}`);
    return opened;
  };
  const total = (page: Page) =>
    page
      .getByRole('status')
      .filter({ hasText: /\d files?/ })
      .first()
      .textContent();
  const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true });

  test('the search box is focused, results appear while typing, matches are highlighted, and the URL holds the state', async () => {
    const { page, pageErrors } = await openAt();
    await page.locator('input[aria-label="Search"]:focus').waitFor();
    await page.keyboard.type('crane');
    await page.getByRole('row').filter({ hasText: 'harbour crane survey.txt' }).waitFor();
    await expect.poll(() => page.url()).toContain('q=crane');
    await expect.poll(() => page.locator('mark').filter({ hasText: /crane/i }).count()).toBeGreaterThan(0);
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'harbour crane survey.txt' }).waitFor();
    expect(pageErrors).toEqual([]);
  });

  test('facet values of one field are combined with OR and fields with AND; chips remove filters', async () => {
    const { page, pageErrors } = await openAt('?q=harbour');
    const filters = page.getByRole('complementary', { name: 'Filters' });
    await page.getByRole('row').first().waitFor();
    const all = await env.api('GET', '/search?q=harbour&limit=1');
    const { image, document } = all.body.facets.file_category as Record<string, number>;
    await expect.poll(() => total(page)).toContain(`${all.body.total} files`);
    await filters.getByLabel(/^Image/).check();
    await expect.poll(() => total(page)).toContain(`${image} files`);
    await filters.getByLabel(/^Document/).check();
    await expect.poll(() => total(page)).toContain(`${image! + document!} files`);
    await page.getByText('Image', { exact: true }).last().waitFor();
    await page
      .getByRole('button', { name: 'Remove file type Image or Documents' })
      .or(page.getByRole('button', { name: /^Remove file type Image or/ }))
      .click();
    await expect.poll(() => total(page)).toContain(`${all.body.total} files`);
    expect(pageErrors).toEqual([]);
  });

  test('an empty result names the filter that caused it', async () => {
    const { page } = await openAt('?q=harbour&ext=py');
    await page.getByRole('heading', { name: 'No files match both filters' }).waitFor();
    await page.getByText(/match(es)? without/).waitFor();
    await page.getByRole('button', { name: 'Remove extension py' }).last().click();
    await page.getByRole('row').first().waitFor();
  });

  test('tags, a note and a custom field are saved immediately and survive a rescan of the changed file', async () => {
    const { id: library, root } = await env.addLibrary('overlay', { 'logbook.txt': 'Wind from the west.' });
    await env.api('POST', '/custom-fields', {
      name: 'shelf',
      label: 'Shelf',
      data_type: 'string',
      applies_to: [],
      library_ids: [library],
    });
    const { page, pageErrors } = await openAt(`?library=${library}`);
    await page.getByRole('row').filter({ hasText: 'logbook.txt' }).click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByRole('button', { name: 'Add tag' }).click();
    await page.getByRole('combobox', { name: 'New tag' }).fill('weather');
    await page.keyboard.press('Enter');
    await details.getByText(/^Saved/).waitFor();
    await details.getByRole('textbox', { name: 'Note' }).fill('For the calendar.');
    await details.getByRole('textbox', { name: 'Shelf' }).fill('B 4');
    await page.keyboard.press('Enter');
    const item = (await env.api('GET', `/search?library=${library}`)).body.hits[0].id;
    const kept = { tags: ['weather'], user_metadata: { note: 'For the calendar.', shelf: 'B 4' } };
    await expect.poll(async () => (await env.api('GET', `/items/${item}`)).body).toMatchObject(kept);

    writeFileSync(path.join(root, 'logbook.txt'), 'The barometer is falling.');
    await page.goto(`${env.base}/#/libraries`);
    await card(page, 'overlay').getByRole('button', { name: 'Scan', exact: true }).click();
    await expect.poll(async () => (await env.api('GET', '/search?q=barometer')).body.total, { timeout: 60_000 }).toBe(1);
    await page.goto(`${env.base}/#/item/${item}`);
    await expect.poll(() => page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('For the calendar.');
    expect(await page.getByRole('textbox', { name: 'Shelf' }).inputValue()).toBe('B 4');
    await page.getByRole('button', { name: 'Remove tag weather' }).waitFor();
    expect((await env.api('GET', `/items/${item}`)).body).toMatchObject(kept);
    expect(pageErrors).toEqual([]);
  });

  test('an emptied folder triggers the guard; no file is marked missing until the library name is typed', async () => {
    const { id, root } = await env.addLibrary('guarded', twenty('shell'));
    rmSync(path.join(root, 'shell'), { recursive: true });
    const { page, pageErrors } = await openAt('libraries');
    await card(page, 'guarded').getByRole('button', { name: 'Scan', exact: true }).click();
    await card(page, 'guarded').getByText('It would mark 20 of 20 files missing.', { exact: false }).waitFor({ timeout: 60_000 });
    await card(page, 'guarded').getByText('Nothing was changed.', { exact: false }).waitFor();
    expect((await env.api('GET', `/search?library=${id}&q=shell`)).body.total).toBe(20);

    await card(page, 'guarded').getByRole('button', { name: 'Mark as missing…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Mark 20 files missing?' });
    const confirm = dialog.getByRole('button', { name: 'Mark 20 missing' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('guarded');
    await confirm.click();
    await expect.poll(async () => (await env.api('GET', `/search?library=${id}&q=shell`)).body.total, { timeout: 60_000 }).toBe(0);
    await page.goto(`${env.base}/#/?library=${id}&status=missing`);
    await page
      .getByText(/Missing since/)
      .first()
      .waitFor();
    expect(pageErrors).toEqual([]);
  });

  test('a running scan can be stopped from its card and keeps the files read so far', async () => {
    const { id, root } = await env.addLibrary('slow', { 'first.txt': 'first' }, { hash_policy: 'full' });
    // Sparse files take long to hash but no disk space.
    for (const name of ['a.bin', 'b.bin', 'c.bin']) {
      writeFileSync(path.join(root, name), 'start');
      truncateSync(path.join(root, name), 24 * 1024 ** 3);
    }
    const { page, pageErrors } = await openAt('libraries');
    await card(page, 'slow').getByRole('button', { name: 'Scan', exact: true }).click();
    await card(page, 'slow').getByText('Scanning').waitFor();
    await card(page, 'slow').getByRole('progressbar').first().waitFor();
    await card(page, 'slow').getByRole('button', { name: 'Stop' }).click();
    await card(page, 'slow').getByRole('button', { name: 'Scan', exact: true }).waitFor({ timeout: 60_000 });
    const [scan] = (await env.api('GET', `/scans?library_id=${id}&limit=1`)).body.items;
    expect(scan.status).toBe('stopped');
    expect((await env.api('GET', `/search?library=${id}&q=first`)).body.total).toBe(1);
    await page
      .getByText(/Stopped/)
      .first()
      .waitFor();
    expect(pageErrors).toEqual([]);
  });

  test('a viewer sees only permitted folders and gets a message for the rest', async () => {
    const studio = (await env.api('GET', '/libraries')).body.find(({ name }: { name: string }) => name === 'Studio').id;
    const eve = { username: 'eve', password: 'long enough' };
    const created = await env.api('POST', '/auth/users', { ...eve, global_role: 'viewer' });
    await env.api('POST', '/rbac/grants', {
      subject_kind: 'principal',
      subject_id: created.body.id,
      library_id: studio,
      rel_path: 'documents',
      action: 'search_metadata',
    });
    const hidden = (await env.api('GET', '/search?q=tides')).body.hits[0].id;
    const { page, pageErrors } = await openPage(env.browser, env.base);
    await page.goto(env.base);
    await page.getByLabel('User name').fill(eve.username);
    await page.getByLabel('Password', { exact: true }).fill(eve.password);
    await page.keyboard.press('Enter');
    await expect.poll(() => total(page), { timeout: 30_000 }).toContain('6 files');
    await page.goto(`${env.base}/#/?q=harbour`);
    await page.getByRole('row').filter({ hasText: 'harbour crane survey.txt' }).waitFor();
    expect(await page.getByText('IMG_44').count()).toBe(0);

    await page.goto(`${env.base}/#/item/${hidden}`);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    await page.goto(`${env.base}/#/admin`);
    await page.getByRole('heading', { name: 'Administrators only' }).waitFor();
    await page.goto(`${env.base}/#/browse`);
    await page.getByText('documents').first().waitFor();
    expect(await page.getByText('photos').count()).toBe(0);
    await page.goto(`${env.base}/#/nowhere`);
    await page
      .getByRole('link', { name: /search/i })
      .first()
      .waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(pageErrors).toEqual([]);
  });

  test('keyboard only: search, move, quick look, select, tag, undo, commands, help and back', async () => {
    const { id } = await env.addLibrary('keys', twenty('pebble'));
    const { page, pageErrors } = await openAt('libraries');
    await page.getByRole('heading', { name: 'Libraries' }).waitFor();
    const key = async (...keys: string[]) => {
      for (const one of keys) await page.keyboard.press(one);
    };
    const chosen = page.getByRole('toolbar', { name: 'Selected files' });

    await key('/');
    await page.locator('input[aria-label="Search"]:focus').waitFor();
    await page.keyboard.type('pebble');
    const grid = page.getByRole('grid', { name: 'Results' });
    // Every key starts a new search, which resets the position in the list, so wait for the last response.
    await expect.poll(() => page.url()).toContain('q=pebble');
    await expect.poll(() => grid.getAttribute('aria-busy')).toBe('false');
    await page.getByRole('row').filter({ hasText: 'pebble-0.txt' }).waitFor();
    await key('ArrowDown');
    await expect.poll(() => grid.getAttribute('aria-activedescendant')).toBe('row-0');
    await key('ArrowDown', 'ArrowDown');
    await expect.poll(() => grid.getAttribute('aria-activedescendant')).toBe('row-2');
    await page
      .getByRole('complementary', { name: 'Details' })
      .getByRole('heading', { name: /pebble/ })
      .waitFor();

    await key('Space');
    await page.getByRole('dialog', { name: /^Quick look: pebble/ }).waitFor();
    await key('ArrowRight');
    await key('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid');

    await key('Shift+ArrowDown', 'Shift+ArrowDown');
    await chosen.getByText('3 selected').waitFor();
    await key('Escape');
    await expect.poll(() => chosen.count()).toBe(0);
    await key('x', 'ArrowDown', 'Control+Space');
    await chosen.getByText('1 selected').waitFor();
    await key('Control+a');
    await chosen.getByText('20 selected').waitFor();
    await key('t');
    await page.getByRole('dialog', { name: 'Add a tag to 20 files' }).waitFor();
    await page.keyboard.type('shore');
    await key('Enter');
    await page.getByText('added to 20 files', { exact: false }).first().waitFor();
    await expect.poll(async () => (await env.api('GET', `/search?library=${id}&tags=shore`)).body.total).toBe(20);
    await key('Control+z');
    await expect.poll(async () => (await env.api('GET', `/search?library=${id}&tags=shore`)).body.total).toBe(0);

    await key('ArrowDown', 'Enter');
    await page.getByRole('heading', { level: 1, name: /pebble/ }).waitFor();
    expect(page.url()).toContain('#/item/');
    await key('Escape');
    await expect.poll(() => page.url()).not.toContain('#/item/');
    await page.getByRole('row').first().waitFor();
    // The search box is focused again; moving into the list makes shortcuts work.
    await key('ArrowDown', '?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await key('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await key('Control+k');
    await page.locator('[aria-label="Find a command or file"]:focus').waitFor();
    await page.keyboard.type('go to jobs');
    await key('Enter');
    await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor();
    await key('g', 'l');
    await page.getByRole('heading', { name: 'Libraries', level: 1 }).waitFor();
    expect(pageErrors).toEqual([]);
  });

  test('very long and right-to-left names keep their end and direction and do not widen the page', async () => {
    const { page } = await openAt('?path=documents');
    await page.getByRole('row').filter({ hasText: 'مرحبا' }).waitFor();
    const name = page.getByRole('row').filter({ hasText: 'a very long name' });
    // The end of the name is a separate element that never shrinks.
    const end = name.getByText('al-v2.txt').last();
    const inside = await end.evaluate((element) => {
      const box = element.getBoundingClientRect();
      const row = element.closest('[role=row]')!.getBoundingClientRect();
      return box.width > 20 && box.right <= row.right && box.left >= row.left;
    });
    expect(inside).toBe(true);
    const arabic = page.getByRole('row').filter({ hasText: 'مرحبا' }).locator('bdi').first();
    expect(await arabic.evaluate((element) => getComputedStyle(element).unicodeBidi)).toMatch(/isolate/);
    for (const size of [1440, 1024, 390, 320]) {
      await page.setViewportSize({ width: size, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size);
    }
    await name.click();
    await page.getByRole('heading', { name: /a very long name/ }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });

  test('several selected files are downloaded as one archive whose size is shown first', async () => {
    const { page, pageErrors } = await openAt('?q=ext:py');
    await page.getByRole('row').first().waitFor();
    await page.getByRole('grid', { name: 'Results' }).focus();
    await page.keyboard.press('Control+a');
    await page.getByRole('toolbar', { name: 'Selected files' }).getByRole('button', { name: 'Download' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^One ZIP archive with \d+ files?, /).waitFor();
    const [saved] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download' }).click()]);
    expect(saved.suggestedFilename()).toMatch(/^catalog-.*\.zip$/);
    const bytes = readFileSync((await saved.path())!);
    expect(bytes.readUInt32LE(0)).toBe(0x04034b50);
    expect(bytes.includes('tides.py')).toBe(true);
    await dialog.waitFor({ state: 'hidden' });
    expect(pageErrors).toEqual([]);
  });

  test('a broken thumbnail is replaced by the icon of its category', async () => {
    const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.route('**/thumb**', (route) => route.fulfill({ status: 200, contentType: 'image/webp', body: 'not a picture' }));
    await page.goto(`${env.base}/#/?q=IMG_44&lens=grid`);
    await page.getByRole('gridcell').filter({ hasText: 'IMG_44' }).first().waitFor();
    await expect.poll(() => page.getByRole('gridcell').locator('img').count()).toBe(0);
    expect(await page.getByRole('gridcell').filter({ hasText: 'IMG_44' }).first().locator('svg').count()).toBeGreaterThan(0);
    expect(pageErrors).toEqual([]);
  });

  test('Content-Security-Policy: no inline scripts, and all requests go to our own origin', async () => {
    const { page, pageErrors } = await openAt();
    await page.getByRole('row').first().waitFor();
    const response = await fetch(env.base);
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|https?:/);
    const html = await response.text();
    expect([...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>/g)]).toEqual([]);
    expect(html).not.toMatch(/\son[a-z]+=/);
    expect(pageErrors).toEqual([]);
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.ranInline = true';
      document.body.append(script);
      return 'ranInline' in window;
    });
    expect(ran).toBe(false);
    expect(pageErrors.join()).toMatch(/Content Security Policy/);
  });

  test('the first visit loads at most 200 kB of compressed script; other pages load their own', async () => {
    const { page } = await openPage(env.browser, env.base, { storageState: env.storageState });
    const compressed = await scriptsBeforeFirstRow(page, async () => void (await page.goto(env.base)));
    expect(compressed).toBeGreaterThan(50_000);
    expect(compressed).toBeLessThanOrEqual(200_000);
    const own = page.waitForResponse(/\/assets\/jobs-page-[^/]+\.js$/);
    await page.goto(`${env.base}/#/jobs`);
    await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor();
    await own;
  });

  test('requests from another origin are rejected despite a valid session cookie', async () => {
    const { cookie } = await signIn(env.base, { username: 'ann', password: 'correct horse' });
    const response = await fetch(`${env.base}/api/v1/saved-searches`, {
      method: 'POST',
      headers: { cookie, origin: 'https://elsewhere.example', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'x', params: {} }),
    });
    expect(response.status).toBe(403);
  });
});
