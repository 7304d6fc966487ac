import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage, SIZES, type Size } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import {
  accessibilityViolations,
  everyState,
  manualScreenshot,
  picturesOnly,
  screenshot,
  setColorScheme,
  waitUntilSettled,
} from './page-checks.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

const SCHEMES = ['light', 'dark'] as const;

/** Every page of the console with its route. */
const PAGES = (item: string, photo: string, library: string, invitation: string): [name: string, route: string][] => [
  ['search', `?q=harbour&item=${photo}`],
  ['search-grid', '?q=harbour&kind=image&lens=grid&sort=newest'],
  ['search-map', '?q=harbour&lens=map'],
  ['search-empty', '?q=harbour&ext=py&kind=audio'],
  ['search-wrong', '?q=size:>>'],
  ['passages', 'passages?q=harbour'],
  ['item', `item/${item}?q=harbour`],
  ['item-picture', `item/${photo}`],
  ['home', 'home'],
  ['browse', `browse/${library}`],
  ['libraries', 'libraries'],
  ['scan-history', `libraries/history?library=${library}`],
  ['reports', 'reports'],
  ['report', 'reports/largest_files'],
  ['report-growth', 'reports/growth'],
  ['report-new', 'reports/custom/new'],
  ['duplicates', 'reports/duplicates'],
  ['integrity', 'reports/integrity'],
  ['access', 'reports/access?principal=root'],
  ['schedules', 'reports/schedules'],
  ['schedule-new', 'reports/schedules?report=largest_files'],
  ['exports', 'reports/exports'],
  ['alerts', 'alerts'],
  ['jobs', 'jobs'],
  ['map', 'map'],
  ['timeline', 'timeline'],
  ['compare-mixed', `compare?id=${photo}&id=${item}`],
  ['taxonomy', 'taxonomy'],
  ['presets', 'presets'],
  ['fields', 'fields'],
  ['account', 'account'],
  ['admin', 'admin'],
  ['admin-roles', 'admin/roles'],
  ['admin-groups', 'admin/groups'],
  ['admin-rules', 'admin/rules'],
  ['admin-sign-in', 'admin/sign-in'],
  ['admin-agents', 'admin/agents'],
  ['admin-shares', 'admin/shares'],
  ['admin-backups', 'admin/backups'],
  ['admin-audit', 'admin/audit'],
  ['admin-about', 'admin/about'],
  ['invite', invitation],
  ['not-found', 'nowhere'],
];
/** Only these pages, for example SCREENSHOT_PAGES=home,browse. */
const ONLY = process.env['SCREENSHOT_PAGES']?.split(',');
/** Pages with a separate tablet layout. */
const TABLET = /^(search|item|browse|map)/;

/** A size and colour scheme with the rules of axe to check there. Contrast needs checking once per scheme; `everyState` checks all the same. */
function axeOptions(name: string, size: Size, colorScheme: (typeof SCHEMES)[number]): Parameters<typeof accessibilityViolations>[1] | null {
  if (size === 'tablet' && !TABLET.test(name)) return null;
  if (size === 'desktop' || everyState) return colorScheme === 'light' ? {} : { contrast: 'only' };
  return colorScheme === 'light' ? { contrast: 'without' } : null;
}

// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip.
describe.runIf(chromiumPath)('accessibility and layout of every page', () => {
  let env: TestEnvironment;
  let pages: [string, string][];
  beforeAll(async () => {
    env = await startEnvironment();
    const first = async (q: string) => (await env.api('GET', `/search?q=${q}`)).body.hits[0].id;
    const [library] = (await env.api('GET', '/libraries')).body;
    await env.api('PATCH', `/libraries/${library.id}`, { chunking_enabled: true });
    const photo = await first('IMG_4410');
    await env.api('PATCH', `/items/${photo}`, { tags: ['bergen', 'evening'], user_metadata: { note: 'On the cover of the calendar.' } });
    await env.api('POST', '/rbac/groups', { name: 'Archivists' });
    const tor = await env.api('POST', '/auth/users', { username: 'tor', password: 'long enough', global_role: 'viewer' });
    await env.api('POST', '/rbac/grants', {
      subject_kind: 'principal',
      subject_id: tor.body.id,
      library_id: library.id,
      rel_path: 'documents',
      action: 'search_metadata',
    });
    const { link } = (await env.api('POST', '/auth/invitations', { username: 'guest', global_role: 'viewer' })).body;
    const all = PAGES(await first('final%20report'), photo, library.id, link.replace('/#/', ''));
    pages = ONLY ? all.filter(([name]) => ONLY.includes(name)) : all;
  }, 300_000);
  afterAll(() => env?.close());

  test('every page meets WCAG 2.2 AA at every size in light and dark', async () => {
    const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState });
    const found: string[] = [];
    for (const [name, route] of pages) {
      await page.setViewportSize(SIZES.desktop);
      await page.goto(`${env.base}/#/${route}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      for (const size of ['desktop', 'tablet', 'phone'] as Size[]) {
        await page.setViewportSize(SIZES[size]);
        await waitUntilSettled(page);
        if (size === 'desktop') await manualScreenshot(page, name);
        if (picturesOnly) break;
        // The same card repeats for every category, and axe needs minutes for all of them.
        if (name === 'taxonomy') await page.getByLabel('Find a category, group or extension').fill('audio');
        const bar = name === 'item' ? await page.getByRole('toolbar', { name: 'Pages' }).boundingBox() : null;
        if (bar && bar.height > 44) found.push(`${name} ${size}: the toolbar takes two lines`);
        for (const colorScheme of SCHEMES) {
          const options = axeOptions(name, size, colorScheme);
          if (colorScheme === 'dark' && !options && !everyState) continue;
          await setColorScheme(page, colorScheme);
          await screenshot(page, `${name}-${colorScheme}`, [size]).catch((error: Error) => found.push(error.message));
          if (options) found.push(...(await accessibilityViolations(page, options)).map((one) => `${name} ${size} ${colorScheme}: ${one}`));
        }
        await setColorScheme(page, 'light');
      }
      await page.setViewportSize({ width: 320, height: 640 });
      if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) found.push(`${name}: wider than 320 pixels`);
    }
    expect(found).toEqual([]);
    expect(pageErrors).toEqual([]);
  }, 600_000);

  test('on a phone, long paths do not make the rows of a report as high as a paragraph', async () => {
    const { page } = await openPage(env.browser, env.base, { storageState: env.storageState, size: 'phone' });
    await page.goto(`${env.base}/#/reports/largest_files`);
    await page.locator('tbody tr').first().waitFor();
    const heights = await page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.clientHeight).sort((a, b) => a - b));
    expect(heights[Math.floor(heights.length / 2)]).toBeLessThan(80);
  });

  test.runIf(everyState)(
    'every page in German at every size in light and dark',
    async () => {
      const { page, context, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState });
      await context.addInitScript(() => localStorage.setItem('catalog.language', 'de'));
      const found: string[] = [];
      for (const [name, route] of pages) {
        await page.setViewportSize(SIZES.desktop);
        await page.goto(`${env.base}/#/${route}`);
        await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
        for (const colorScheme of SCHEMES) {
          await setColorScheme(page, colorScheme);
          await waitUntilSettled(page);
          await screenshot(page, `${name}-de-${colorScheme}`).catch((error: Error) => found.push(error.message));
        }
        if (name !== 'item') continue;
        await page.setViewportSize(SIZES.tablet);
        await waitUntilSettled(page);
        const bar = await page.getByRole('toolbar', { name: 'Seiten' }).boundingBox();
        if (bar && bar.height > 44) found.push(`${name}: the toolbar takes two lines on a tablet`);
      }
      expect(found).toEqual([]);
      expect(pageErrors).toEqual([]);
    },
    600_000,
  );

  test.skipIf(ONLY)('the manual and the API reference work under their own policy and pass axe', async () => {
    const { page, pageErrors } = await openPage(env.browser, env.base);
    const found: string[] = [];
    for (const name of ['index', 'first-steps', 'console', 'filter-language', 'configuration', 'operations', 'accounts', 'sizing']) {
      await page.goto(`${env.base}/docs/${name}.html`);
      if (name === 'sizing') await page.getByRole('cell', { name: 'Memory for search' }).waitFor();
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        // All pages of the manual have one stylesheet.
        if (colorScheme === 'dark' && name !== 'console' && !everyState) continue;
        const contrast = colorScheme === 'light' ? 'with' : 'only';
        found.push(...(await accessibilityViolations(page, { contrast })).map((one) => `${name} ${colorScheme}: ${one}`));
      }
      await screenshot(page, `manual-${name}`, ['desktop', 'phone']);
      expect(
        await page.evaluate(() =>
          [...document.images].filter((image) => image.complete && image.naturalWidth === 0).map((image) => image.src),
        ),
      ).toEqual([]);
    }
    await page.getByRole('searchbox').fill('guard');
    await page.locator('#found li').first().waitFor();
    await page.goto(`${env.base}/api/docs`);
    await page.locator('.opblock-tag').first().waitFor();
    await screenshot(page, 'api-reference', ['desktop']);
    expect(found).toEqual([]);
    // Swagger UI tries to apply inline styles, which the policy blocks without harm.
    expect(pageErrors.filter((one) => !/Applying inline style/.test(one))).toEqual([]);
  });
});
