import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../server/test/service.ts';
import { openPage } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { accessibilityViolations, manualScreenshot, waitUntilSettled } from './page-checks.ts';
import { layoutShifts } from './page-measures.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

const notebook = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: {},
  cells: [
    { cell_type: 'markdown', metadata: {}, source: ['# Tides'] },
    {
      cell_type: 'code',
      metadata: {},
      execution_count: 1,
      source: ['print(3)'],
      outputs: [{ output_type: 'stream', name: 'stdout', text: ['3 metres'] }],
    },
  ],
};
const FILES = {
  'survey.md': '# Survey\n\nSome **strong** words.\n\n- one\n- two\n\n<script>document.title = "run"</script>\n',
  'fees.csv': 'berth;fee\n"A; north";120\nB;95\n',
  'letter.eml':
    'From: Ada <ada@example.com>\nTo: Bo <bo@example.com>\nSubject: Mooring\nMessage-ID: <1@example.com>\nDate: Wed, 14 Jun 2023 10:00:00 +0200\nContent-Type: text/plain\n\nThe berth is free.\n',
  'answer.eml':
    'From: Bo <bo@example.com>\nTo: Ada <ada@example.com>\nSubject: Re: Mooring\nMessage-ID: <2@example.com>\nIn-Reply-To: <1@example.com>\nReferences: <1@example.com>\nDate: Thu, 15 Jun 2023 10:00:00 +0200\nContent-Type: text/plain\n\nI take it.\n',
  'tides.ipynb': JSON.stringify(notebook),
  'walk.gpx': '<gpx version="1.1"><trk><trkseg><trkpt lat="60" lon="5"/><trkpt lat="60.01" lon="5.01"/></trkseg></trk></gpx>',
  'indent.py': 'def depth():\n    if True:\n        return 3\n',
  "O'Donoghue.txt": "The estate of O'Donoghue is <sold>.",
  'report \u202Egpj.exe': 'x',
  'plan-a.txt': 'Plan\nfirst pier\nend\n',
  'plan-b.txt': 'Plan\nsecond pier\nend\n',
};

// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip.
describe.runIf(chromiumPath)('the console as a person meets it', () => {
  let env: TestEnvironment;
  let library: string;
  const ids = new Map<string, string>();
  beforeAll(async () => {
    env = await startEnvironment();
    library = (await env.addLibrary('desk', FILES)).id;
    const read = async () => (await env.api('GET', `/search?library=${library}&limit=50`)).body.hits as { id: string; filename: string }[];
    for (const { id, filename } of await read()) ids.set(filename, id);
    // Previews need what the readers found.
    const isRead = async () => (await env.api('GET', `/items/${ids.get('letter.eml')}/thread`)).body.messages.length === 2;
    await until(isRead, 'the letter and the answer to be read', 90_000);
  }, 300_000);
  afterAll(() => env?.close());

  const openAt = async (route = '') => {
    const opened = await openPage(env.browser, env.base, { storageState: env.storageState });
    await opened.page.goto(`${env.base}/#/${route}`);
    return opened;
  };
  const photo = async (name: string) => (await env.api('GET', `/search?q=${name}`)).body.hits[0].id as string;

  test('the timeline shows pictures by month, says which date it uses, and jumps to a month', async () => {
    const { page, pageErrors } = await openAt('timeline');
    await page.getByRole('heading', { name: 'June 2023' }).waitFor();
    await expect.poll(() => page.getByRole('gridcell').locator('img').count()).toBeGreaterThan(4);
    const { total } = (await env.api('GET', '/search?file_category=image&file_category=video&limit=1')).body;
    await page.getByText(new RegExp(`^${total} files, \\d{4} to \\d{4}$`)).waitFor();
    const date = page.locator('input[aria-label="Date used"]');
    expect(await date.inputValue()).toBe('Date taken');
    const scrubber = page.getByRole('slider', { name: 'Jump to a month' });
    expect(await scrubber.getAttribute('aria-valuetext')).toBe('Jun 2023');
    await scrubber.press('End');
    await expect.poll(() => scrubber.getAttribute('aria-valuetext')).toMatch(/2022/);
    await page.locator('input[type="month"]').fill('2023-06');
    await page.getByRole('heading', { name: 'June 2023' }).waitFor();
    await page.getByRole('gridcell').locator('img').first().click();
    await page.getByRole('dialog', { name: /^Quick look/ }).waitFor();
    await page.keyboard.press('Escape');
    await date.click();
    await page.getByRole('option', { name: 'Date modified' }).click();
    await expect.poll(() => page.url()).toContain('date=modified');
    // The old months are grey until the new ones are there.
    await waitUntilSettled(page);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
  });

  test('two selected files are compared, and facts that differ are marked', async () => {
    const { page, pageErrors } = await openAt(`?library=${library}&q=plan`);
    await page
      .getByRole('row')
      .filter({ hasText: 'plan-a.txt' })
      .click({ modifiers: ['ControlOrMeta'] });
    await page
      .getByRole('row')
      .filter({ hasText: 'plan-b.txt' })
      .click({ modifiers: ['ControlOrMeta'] });
    await page.getByRole('toolbar', { name: 'Selected files' }).getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('heading', { name: 'Compare 2 files' }).waitFor();
    await page.getByRole('row', { name: /Size differs/ }).waitFor();
    await page.getByText('Only in A: first pier').waitFor();
    await page.goto(`${env.base}/#/compare?id=${await photo('IMG_4410')}&id=${await photo('IMG_4425')}`);
    await page.getByRole('row', { name: /Taken differs/ }).waitFor();
    await manualScreenshot(page, 'compare');
    await page.getByRole('radio', { name: 'Swipe' }).check({ force: true });
    await page.getByRole('slider', { name: 'How much of B is shown' }).press('ArrowRight');
    await page.getByRole('radio', { name: 'Difference' }).check({ force: true });
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
  });

  test('the paths of selected files are copied', async () => {
    const { page } = await openAt(`?library=${library}&q=plan`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page
      .getByRole('row')
      .filter({ hasText: 'plan-a.txt' })
      .click({ modifiers: ['ControlOrMeta'] });
    await page.getByRole('button', { name: 'Copy paths' }).click();
    await page.getByRole('menuitem', { name: 'Paths on the server' }).click();
    await page.getByText('1 path copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/desk\/plan-a\.txt$/);
  });

  test('documents, tables, messages, notebooks, tracks and code are shown as what they are, and nothing in them runs', async () => {
    const { page, pageErrors } = await openAt();
    const show = async (name: string) => {
      await page.goto(`${env.base}/#/item/${ids.get(name)}`);
      return page.getByRole('region', { name: 'Preview' });
    };
    const document = await show('survey.md');
    await document.getByRole('heading', { name: 'Survey' }).waitFor();
    await document.getByText('<script>document.title = "run"</script>').waitFor();
    expect(await page.title()).not.toBe('run');
    await (await show('fees.csv')).getByRole('cell', { name: 'A; north' }).waitFor();
    const message = await show('letter.eml');
    await message.getByRole('heading', { name: 'Mooring' }).waitFor();
    await message.getByText('The berth is free.').waitFor();
    await message.getByRole('link', { name: 'Re: Mooring', exact: true }).click();
    await message.getByText('I take it.').waitFor();
    await (await show('tides.ipynb')).getByText('3 metres').waitFor();
    await (await show('walk.gpx')).getByRole('img', { name: /^Track of 1/ }).waitFor();
    await show('indent.py');
    await expect.poll(() => page.locator('pre').textContent()).toContain('        return 3');
    const keyword = page.locator('pre code').nth(0).locator('span').filter({ hasText: 'def' });
    await keyword.waitFor();
    const drawn = await page
      .locator('pre code')
      .nth(2)
      .evaluate((line) => {
        const words = line.ownerDocument.querySelector('pre code span');
        return {
          number: getComputedStyle(line, '::before').content,
          coloured: words !== null && getComputedStyle(words).color !== getComputedStyle(line).color,
        };
      });
    expect(drawn).toEqual({ number: expect.stringMatching(/counter/), coloured: true });
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
  });

  test('names and snippets are what they seem: no hidden direction, no entities', async () => {
    const { page } = await openAt(`?library=${library}&q=estate`);
    const row = page.getByRole('row').filter({ hasText: "O'Donoghue.txt" });
    await expect.poll(() => row.textContent()).toMatch(/estate of O'Donoghue/);
    expect(await row.textContent()).not.toContain('&');
    await page.goto(`${env.base}/#/item/${ids.get('report \u202Egpj.exe')}`);
    const heading = page.getByRole('heading', { level: 1 });
    await heading.waitFor();
    expect(await heading.textContent()).not.toContain('\u202E');
    expect(await heading.textContent()).toMatch(/gpj\.exe$/);
  });

  test('one result is one result', async () => {
    const { page } = await openAt(`?library=${library}&q=estate`);
    await page
      .getByRole('status')
      .filter({ hasText: /^1 file/ })
      .waitFor();
    await page.getByRole('row').filter({ hasText: "O'Donoghue.txt" }).dblclick();
    await page.getByText('1 result for “estate”', { exact: true }).waitFor();
    expect(await page.locator('#root').textContent()).not.toMatch(/\b1 (files|results)\b/);
  });

  test('Home opens first when it was chosen as the start page', async () => {
    const { page } = await openAt('account');
    await page.getByRole('radiogroup', { name: 'Start page' }).getByRole('radio', { name: 'Home', exact: true }).check({ force: true });
    await page.goto('about:blank');
    await page.goto(env.base);
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    await page.goto(`${env.base}/#/?q=plan`);
    await page.getByRole('row').filter({ hasText: 'plan-a.txt' }).waitFor();
  });

  test('Home shows what takes the space as areas, by file type and by library', async () => {
    const { page, pageErrors } = await openAt('home');
    const storage = page.getByRole('region', { name: 'Storage', exact: true });
    const areas = storage.getByRole('group', { name: 'Treemap', exact: true });
    await areas.getByRole('button', { name: /^Image/ }).click();
    await expect.poll(() => page.url()).toContain('kind=image');
    await page.goBack();
    await storage.getByRole('radio', { name: 'By library', exact: true }).check({ force: true });
    await areas.getByRole('button', { name: /^Studio/ }).click();
    await page.getByRole('tree').first().waitFor();
    expect(page.url()).toContain('#/browse/');
    expect(pageErrors).toEqual([]);
  });

  test('on a phone the tab of an address is in view', async () => {
    const { page } = await openPage(env.browser, env.base, { storageState: env.storageState, size: 'phone' });
    await page.goto(`${env.base}/#/admin/about`);
    const tab = page.getByRole('tab', { name: 'About', exact: true, selected: true });
    await expect.poll(async () => (await tab.boundingBox())!.x + (await tab.boundingBox())!.width).toBeLessThanOrEqual(390);
  });

  test('selecting a range selects no text, a saved search starts with its name selected, the map lights its own entry', async () => {
    const { page } = await openAt(`?library=${library}`);
    await page.getByRole('row').nth(1).click();
    await page
      .getByRole('row')
      .nth(4)
      .click({ modifiers: ['Shift'] });
    await page.getByText(/^\d selected/).waitFor();
    expect(await page.evaluate(() => String(getSelection()))).toBe('');
    await page.goto(`${env.base}/#/?q=pier`);
    await page.getByRole('button', { name: 'Save search' }).click();
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await page.keyboard.type('Piers');
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Piers');
    await page.goto(`${env.base}/#/map`);
    await page.getByRole('navigation', { name: 'Main' }).locator('[aria-current="page"]', { hasText: 'Map' }).waitFor();
  });

  test('search, browse and the page of a file load without moving anything', async () => {
    const { page } = await openPage(env.browser, env.base, { storageState: env.storageState });
    const shifts = async (route: string) => {
      await page.goto('about:blank');
      await page.goto(`${env.base}/#/${route}`);
      await waitUntilSettled(page);
      const { sum, moved } = await layoutShifts(page);
      return sum === 0 ? [] : moved;
    };
    expect({
      search: await shifts('?q=harbour'),
      browse: await shifts(`browse/${library}`),
      item: await shifts(`item/${await photo('IMG_4410')}`),
      timeline: await shifts('timeline'),
    }).toEqual({ search: [], browse: [], item: [], timeline: [] });
    // Names of libraries that come later would move the sections of the filters and the paths of the rows.
    await page.route('**/api/v1/libraries', async (route) => {
      await page.getByRole('row').first().waitFor();
      await route.continue();
    });
    expect(await shifts('?q=harbour')).toEqual([]);
  });

  test('nothing on the page of a file moves, whichever response comes late', async () => {
    const { page } = await openPage(env.browser, env.base, { storageState: env.storageState });
    const address = `${env.base}/#/item/${await photo('IMG_4410')}`;
    const asked = new Set<string>();
    const note = (request: Request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/') && !pathname.endsWith('/events')) asked.add(pathname);
    };
    page.on('request', note);
    await page.goto(address);
    await waitUntilSettled(page);
    page.off('request', note);
    const moved: Record<string, string[]> = {};
    for (const late of asked) {
      await page.route(`**${late}*`, async (route) => {
        await page.waitForTimeout(700);
        await route.continue();
      });
      await page.goto('about:blank');
      await page.goto(address);
      await waitUntilSettled(page);
      moved[late] = (await layoutShifts(page)).moved;
      await page.unrouteAll({ behavior: 'wait' });
    }
    expect(moved).toEqual(Object.fromEntries([...asked].map((each) => [each, []])));
    // A picture that turns out to be gone.
    await page.route(/\/api\/v1\/items\/[^/]+\/(thumb|file)/, (route) => route.fulfill({ status: 404 }));
    await page.goto('about:blank');
    await page.goto(address);
    await page.getByText('No preview').first().waitFor();
    expect((await layoutShifts(page)).moved).toEqual([]);
  });

  test('a typed letter sends one search, and the rows stay as they are until its response', async () => {
    const { page } = await openAt('?q=harbour');
    const grid = page.getByRole('grid', { name: 'Results', exact: true });
    await grid.getByRole('row').first().waitFor();
    await waitUntilSettled(page);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const sent: string[] = [];
    await page.route('**/api/v1/search?**', async (route) => {
      sent.push(route.request().url());
      await held;
      await route.continue();
    });
    const changes = await grid.getByRole('rowgroup').evaluateHandle((rows) => {
      const seen: MutationRecord[] = [];
      new MutationObserver((list) => seen.push(...list)).observe(rows, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
      return seen;
    });
    await page.getByRole('searchbox', { name: 'Search', exact: true }).press('End');
    await page.keyboard.press('Backspace');
    await page.locator('[role="grid"][aria-busy="true"]').waitFor();
    await expect.poll(() => sent.length).toBe(1);
    expect(await changes.evaluate((seen) => seen.length)).toBe(0);
    release();
    await page.locator('[role="grid"][aria-busy="false"]').waitFor();
    await waitUntilSettled(page);
    expect(sent.length).toBe(1);
  });

  test('a screen reader is told what the five main tasks need', async () => {
    const { page } = await openAt();
    const spoken = async (within = page.locator('body')) => within.ariaSnapshot();
    const told = async (read: (page: Page) => Promise<string>, ...parts: RegExp[]) => {
      for (const part of parts) await expect.poll(() => read(page)).toMatch(part);
    };
    // Find a file.
    await page.locator('input[aria-label="Search"]:focus').waitFor();
    await page.keyboard.type('harbour crane');
    await told(
      () => spoken(),
      /textbox "Search"|searchbox "Search"|combobox "Search"/,
      /status.*\d+ files?/,
      /grid "Results"/,
      /row .*harbour crane survey/i,
    );
    // Narrow the result.
    await told(() => spoken(page.getByRole('complementary', { name: 'Filters' })), /checkbox "Document/);
    // Look at a file.
    await page.keyboard.press('ArrowDown');
    await told(
      () => spoken(page.getByRole('complementary', { name: 'Details' })),
      /heading .*harbour crane survey/i,
      /tab "Details"/,
      /button "Add tag"/,
    );
    // Browse folders.
    await page.goto(`${env.base}/#/browse/${library}`);
    await told(() => spoken(), /tree/, /survey\.md/);
    // Scan a library.
    await page.goto(`${env.base}/#/libraries`);
    await told(() => spoken(), /article "desk"/, /button "Scan"/);
  });

  test('after the first scan Home lists first steps until they are dismissed', async () => {
    const { page } = await openAt('home');
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await page.getByRole('link', { name: 'Choose a schedule' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Dismiss first steps' }).click();
    await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0);
    expect((await env.api('GET', '/auth/me')).body.preferences.first_steps).toEqual({ dismissed: true });
  });
});
