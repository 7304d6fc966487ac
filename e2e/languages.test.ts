import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage, SIZES } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { accessibilityViolations, screenshot, waitUntilSettled } from './page-checks.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

/** Texts that are the same in every language: names of files, people and products, dates, sizes and examples. */
const DATA =
  /^(Catalog|AN|,? ?ann|Studio|photos|root|English|Deutsch|Français|Español|SHA-256|\d+ min ago|v?\d[\w.+-]*|([\d.,:–−+×/%()·\s]|\b(B|kB|MB|GB|TB|s|ms|min|h|MP)\b|\d{1,2} \p{Lu}\p{Ll}{2,4} \d{4})*)$/u;
/** Words of the sample files, which the results and the page of a file show. */
const CONTENT = /harbour|their rails|crane|drawings|load test|the inner|412 a month|wall is advised/i;
/** A label of a library for growing text fields, hidden from everybody. */
const HIDDEN = 'autosize measurement';

/** Visible texts and labels without the brackets of the pseudo language, apart from data. */
async function untranslated(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const data = 'bdi, code, pre, kbd, .mono, option, noscript, style, script, title';
    const found: string[] = [];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = nodes.nextNode(); node; node = nodes.nextNode())
      if (!node.parentElement?.closest(data)) found.push(node.textContent?.trim() ?? '');
    for (const name of ['aria-label', 'placeholder'])
      for (const element of document.querySelectorAll(`[${name}]`))
        if (!element.closest(data)) found.push(element.getAttribute(name) ?? '');
    return [...new Set(found)];
  });
  return texts.filter((text) => {
    const rest = withoutBrackets(text);
    return /\p{L}{2}/u.test(rest) && !DATA.test(rest) && !CONTENT.test(rest) && rest !== HIDDEN;
  });
}

/** A text without its translated parts, which may be inside each other. */
function withoutBrackets(text: string): string {
  const rest = text.replace(/\[[^[\]]*\]/g, '');
  return rest === text ? text.trim() : withoutBrackets(rest);
}

// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip.
describe.runIf(chromiumPath)('the console in other languages', () => {
  let env: TestEnvironment;
  let pages: [name: string, route: string][];
  beforeAll(async () => {
    env = await startEnvironment();
    const [library] = (await env.api('GET', '/libraries')).body;
    const item = (await env.api('GET', '/search?q=final%20report')).body.hits[0].id;
    pages = [
      ['home', 'home'],
      ['search', '?q=harbour'],
      ['item', `item/${item}?q=harbour`],
      ['browse', `browse/${library.id}`],
      ['admin', 'admin'],
      ['reports', 'reports'],
      ['report', 'reports/largest_files'],
      ['alerts', 'alerts'],
      ['backups', 'admin/backups'],
      ['about', 'admin/about'],
      ['jobs', 'jobs'],
      ['audit', 'admin/audit'],
    ];
  }, 300_000);
  afterAll(() => env?.close());

  /** Opens every page in a language at desktop and phone size and returns what is wrong with its layout. */
  async function openPages(language: string, check: (page: Page, name: string) => Promise<string[]>): Promise<string[]> {
    const { page, context, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await context.addInitScript((chosen) => localStorage.setItem('catalog.language', chosen), language);
    const found: string[] = [];
    // The first visit fetches the language and loads the console again, which would interrupt the reload below.
    await page.goto(env.base);
    await page.locator(language === 'pseudo' ? 'html[dir="rtl"]' : `html[lang="${language}"]`).waitFor({ state: 'attached' });
    for (const [name, route] of pages) {
      await page.goto(`${env.base}/#/${route}`);
      await page.reload();
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      for (const size of ['desktop', 'phone'] as const) {
        await page.setViewportSize(SIZES[size]);
        await waitUntilSettled(page);
        await screenshot(page, `${name}-${language}`, [size]).catch((error: Error) => found.push(error.message));
        found.push(...(await accessibilityViolations(page, { contrast: 'without' })).map((one) => `${name} ${size}: ${one}`));
      }
      await page.setViewportSize(SIZES.desktop);
      found.push(...(await check(page, name)));
    }
    return [...found, ...pageErrors];
  }

  test('the console is in German, with dates and numbers as Germans write them', async () => {
    const { page } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/account`);
    await page.getByLabel('Language').selectOption('Deutsch');
    await page.getByRole('heading', { level: 1, name: 'Konto' }).waitFor();
    expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual(['de', 'ltr']);
    const found = await openPages('de', async (german, name) => {
      if (name === 'item' || name === 'search') return [];
      // What is visible, without a file name that is a sentence.
      const text = (await german.locator('#root').textContent())?.replace(/a very long name.*?v2\.txt/g, '');
      return (text?.match(/.{0,20} (the|of|and|files) .{0,20}/g) ?? []).map((english) => `${name}: ${english}`);
    });
    expect(found).toEqual([]);
  }, 300_000);

  test('messages of queries and readers are German too, with their values', async () => {
    const { page, context } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await context.addInitScript(() => localStorage.setItem('catalog.language', 'de'));
    await page.goto(`${env.base}/#/?q=modified:2024-02-31`);
    await page.getByText('Das Datum 2024-02-31 gibt es nicht.').first().waitFor();
    const [broken] = (await env.api('GET', '/search?q=broken.zip')).body.hits;
    const english = (await env.api('GET', `/items/${broken.id}`)).body.metadata._extract_error as string;
    const catalogue = JSON.parse(readFileSync('console/src/language/de.json', 'utf8')) as Record<string, string>;
    const german = catalogue[english];
    expect(german).toBeDefined();
    await page.goto(`${env.base}/#/item/${broken.id}`);
    await page.getByText(german!, { exact: false }).first().waitFor();
    expect(await page.getByText(english).count()).toBe(0);
  });

  test('the bar of selected files is one line inside the results at every width', async () => {
    const { page, context } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await context.addInitScript(() => localStorage.setItem('catalog.language', 'de'));
    await page.goto(`${env.base}/#/?q=harbour`);
    await page.getByRole('grid').getByRole('row').nth(1).click();
    await page.keyboard.press('Shift+ArrowDown');
    const bar = page.getByRole('toolbar', { name: 'Ausgewählte Dateien' });
    for (const width of [1024, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      const outside = await bar.evaluate((element) => {
        const { left, right, height } = element.getBoundingClientRect();
        const { clientWidth, scrollWidth } = element;
        const results = element.closest('section')?.getBoundingClientRect();
        const fits = results && left >= results.left && right <= results.right && height < 60 && scrollWidth <= clientWidth;
        return fits ? null : { left, right, height, clientWidth, scrollWidth, results };
      });
      expect(outside, String(width)).toBeNull();
    }
  });

  test('a layout from right to left works, and no text is outside of the catalogues', async () => {
    const found = await openPages('pseudo', async (page, name) => {
      const rail = await page.getByRole('navigation', { name: '[Main]' }).boundingBox();
      const place = rail && rail.x > SIZES.desktop.width / 2 ? [] : [`${name}: the rail is on the left`];
      return [...place, ...(await untranslated(page)).map((text) => `${name}: "${text}" is not translated`)];
    });
    expect(found).toEqual([]);
  }, 300_000);
});
