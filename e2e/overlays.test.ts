import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { chromiumPath, SIZES, openPage } from './browser.ts';
import { manualScreenshot, setColorScheme, screenshot, waitUntilSettled, accessibilityViolations } from './page-checks.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

/** Something that opens over a page: where, by which control, and what then is there. */
export interface Overlay {
  name: string;
  at: string;
  /** Brings the page to where the control is. */
  before?: (page: Page) => Promise<unknown>;
  /** The control that opens it; the focus returns there. */
  by: (page: Page) => ReturnType<Page['getByRole']>;
  opens: 'dialog' | 'menu' | 'listbox';
  /** Where the focus goes instead, so that the arrows move on. */
  back?: Overlay['by'];
  /** Where only one layout has it. */
  only?: 'desktop' | 'phone';
  /** Looked at once more after this: another tab of the dialog, an answer in it. */
  further?: ((page: Page) => Promise<unknown>)[];
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first();
const cardOf = (library: string, name: string | RegExp) => (page: Page) =>
  page.getByRole('article', { name: library, exact: true }).getByRole('button', { name });
const selectAll = async (page: Page) => {
  await page.getByRole('row').first().waitFor();
  await page.getByRole('grid', { name: 'Results' }).focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('toolbar', { name: 'Selected files' }).waitFor();
};
const tab = (name: string) => (page: Page) => page.getByRole('dialog').getByRole('tab', { name }).click();

/** Every dialog, menu and sheet of the console. The catalog has a library Studio, an emptied one and a person called tor. */
export const OVERLAYS: Overlay[] = [
  {
    name: 'commands',
    at: '?q=harbour',
    by: button(/^Commands/),
    opens: 'dialog',
    only: 'desktop',
    further: [(page) => page.keyboard.type('scan')],
  },
  { name: 'keys', at: '?q=harbour', by: button('Keyboard help'), opens: 'dialog', only: 'desktop' },
  { name: 'filter-menu', at: '?q=harbour', by: button(/^Filter$/), opens: 'menu', only: 'desktop' },
  { name: 'sort-menu', at: '?q=harbour', by: button(/^Sorted by/), opens: 'menu' },
  { name: 'save-search', at: '?q=harbour', by: button('Save search'), opens: 'dialog', only: 'desktop' },
  {
    name: 'status-choice',
    at: '?q=harbour',
    by: (page) => page.getByRole('combobox', { name: 'Status' }),
    opens: 'listbox',
    only: 'desktop',
  },
  { name: 'filters-sheet', at: '?q=harbour', by: button(/^Filters/), opens: 'dialog', only: 'phone' },
  { name: 'more-pages', at: '?q=harbour', by: button(/^More$/), opens: 'menu', only: 'phone' },
  { name: 'tag-many', at: '?q=harbour', before: selectAll, by: button(/^Tag$/), opens: 'dialog' },
  { name: 'note-many', at: '?q=harbour', before: selectAll, by: button(/^Note$/), opens: 'dialog', only: 'desktop' },
  {
    name: 'quick-look',
    at: '?q=IMG_4410',
    before: (page) => page.getByRole('row').filter({ hasText: 'IMG_4410' }).click(),
    by: button('Quick look'),
    back: (page) => page.getByRole('grid', { name: 'Results' }),
    opens: 'dialog',
    only: 'desktop',
  },
  {
    name: 'file-menu',
    at: '?q=IMG_4410',
    before: (page) => page.getByRole('row').filter({ hasText: 'IMG_4410' }).click(),
    by: button(/^More/),
    opens: 'menu',
    only: 'desktop',
  },
  { name: 'explain', at: 'libraries', by: button(/^Explain a path/), opens: 'dialog', only: 'desktop' },
  {
    name: 'new-library',
    at: 'libraries',
    by: (page) =>
      page
        .getByRole('link', { name: 'New library' })
        .or(page.getByRole('button', { name: 'New library' }))
        .first(),
    opens: 'dialog',
    further: [tab('Kinds'), tab('Leave out'), tab('Scans'), tab('Content')],
  },
  { name: 'library-menu', at: 'libraries', by: cardOf('Studio', 'More about Studio'), opens: 'menu' },
  { name: 'force', at: 'libraries', by: cardOf('emptied', 'Mark as missing…'), opens: 'dialog' },
  { name: 'errors', at: 'libraries', by: cardOf('Studio', 'Review'), opens: 'dialog' },
  { name: 'new-kind', at: 'taxonomy', by: button('New kind'), opens: 'dialog' },
  { name: 'new-group', at: 'taxonomy', by: button('New group'), opens: 'dialog' },
  { name: 'new-preset', at: 'presets', by: button('New preset'), opens: 'dialog' },
  { name: 'copy-preset', at: 'presets', by: button('Copy'), opens: 'dialog' },
  { name: 'new-field', at: 'fields', by: button('New field'), opens: 'dialog' },
  { name: 'new-key', at: 'account', by: button('New key'), opens: 'dialog' },
  { name: 'new-person', at: 'admin', by: button('New person'), opens: 'dialog' },
  { name: 'remove-person', at: 'admin', by: button('Remove tor'), opens: 'dialog' },
  { name: 'new-role', at: 'admin/roles', by: button('New role'), opens: 'dialog' },
  { name: 'who-may', at: 'admin/rules', by: (page) => page.getByRole('combobox', { name: 'What' }), opens: 'listbox' },
];

// `npm test` installs Chromium on Debian; elsewhere it says that these are left out without one.
describe.runIf(chromiumPath)('everything that opens over a page', () => {
  let env: TestEnvironment;
  beforeAll(async () => {
    env = await startEnvironment({ thumbnails: true });
    await env.api('POST', '/auth/users', { username: 'tor', password: 'long enough', global_role: 'viewer' });
    const { id, root } = await env.addLibrary('emptied', { 'shells/one.txt': 'one', 'shells/two.txt': 'two' });
    rmSync(path.join(root, 'shells'), { recursive: true });
    const scan = await env.api('POST', `/libraries/${id}/scan`);
    expect(await env.waitForScan(scan.body.scan_id)).toBe('failed');
  }, 180_000);
  afterAll(() => env?.close());

  for (const size of ['desktop', 'phone'] as const)
    test(`${size}: axe finds nothing in any dialog, menu or sheet, in light and dark, and the focus goes back to what opened it`, async () => {
      const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState, size });
      const found: string[] = [];
      let here = '';
      for (const overlay of OVERLAYS.filter(({ only }) => !only || only === size)) {
        const look = async (part = '') => {
          for (const colorScheme of ['dark', 'light'] as const) {
            await setColorScheme(page, colorScheme);
            if (part === '') await screenshot(page, `over-${overlay.name}-${colorScheme}`, [size]);
            found.push(
              ...(await accessibilityViolations(page, `[role="${overlay.opens}"]`)).map(
                (one) => `${overlay.name}${part} ${colorScheme}: ${one}`,
              ),
            );
          }
        };
        try {
          if (here !== overlay.at || overlay.before) await page.goto(`${env.base}/?${overlay.name}#/${overlay.at}`);
          here = overlay.at;
          await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
          await overlay.before?.(page);
          const control = overlay.by(page);
          await control.waitFor({ timeout: 10_000 });
          await waitUntilSettled(page);
          await control.focus();
          await page.keyboard.press(overlay.opens === 'listbox' ? 'ArrowDown' : 'Enter');
          await page.getByRole(overlay.opens).first().waitFor({ timeout: 10_000 });
          await waitUntilSettled(page);
          await look();
          if (size === 'desktop') await manualScreenshot(page, `over-${overlay.name}`);
          for (const [step, act] of (overlay.further ?? []).entries()) {
            await act(page);
            await look(` ${step + 2}`);
          }
          // A list of offers inside a dialog takes the first Esc for itself.
          for (let presses = 0; presses < 2 && (presses === 0 || (await page.getByRole(overlay.opens).count()) > 0); presses += 1) {
            await page.keyboard.press('Escape');
            await waitUntilSettled(page);
          }
          await page.getByRole(overlay.opens).first().waitFor({ state: 'detached', timeout: 10_000 });
          const back = overlay.back?.(page) ?? control;
          await expect.poll(() => back.evaluate((element) => element === document.activeElement), { timeout: 2_000 }).toBe(true);
        } catch (error) {
          here = '';
          found.push(`${overlay.name}: ${String(error).split('\n').slice(0, 4).join(' ')}`);
        }
      }
      expect(found).toEqual([]);
      expect(pageErrors).toEqual([]);
    }, 600_000);

  test('files in hand: gathered and tagged they stay chosen in a list as wide as before; a box on the map; a folder under the pointer', async () => {
    const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState });
    const look = async (name: string) => {
      for (const colorScheme of ['dark', 'light'] as const) {
        await setColorScheme(page, colorScheme);
        await waitUntilSettled(page);
        await screenshot(page, `use-${name}-${colorScheme}`, ['desktop']);
        expect(await accessibilityViolations(page)).toEqual([]);
      }
    };
    await page.goto(`${env.base}/#/?q=harbour&kind=image&lens=grid&sort=newest`);
    const cards = page.getByRole('gridcell').filter({ has: page.getByRole('button') });
    await cards.nth(4).waitFor();
    const wide = (await cards.nth(0).boundingBox())!.width;
    for (const at of [1, 3, 4]) {
      await cards.nth(at).hover();
      await cards
        .nth(at)
        .getByRole('button', { name: /^Select/ })
        .click();
    }
    const bar = page.getByRole('toolbar', { name: 'Selected files' });
    await bar.getByText('3 selected').waitFor();
    await page.keyboard.press('t');
    await page.getByRole('dialog').getByLabel('Tag', { exact: true }).fill('evening tide');
    await page.keyboard.press('Enter');
    await page.getByText('Tag “evening tide” added to 3 files').waitFor();
    await bar.getByText('3 selected').waitFor();
    expect((await cards.nth(0).boundingBox())!.width).toBe(wide);
    // Under the pointer the way back stays, however long looking takes.
    await page.getByRole('button', { name: 'Undo' }).hover();
    await look('gathered');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Tag “evening tide” added to 3 files').waitFor({ state: 'detached' });

    await page.goto(`${env.base}/#/?q=harbour&lens=map`);
    await page.getByRole('button', { name: 'Draw a box' }).click();
    const map = (await page.getByRole('region', { name: 'Results' }).boundingBox())!;
    await page.mouse.move(map.x + map.width * 0.45, map.y + map.height * 0.2);
    await page.mouse.down();
    await page.mouse.move(map.x + map.width * 0.8, map.y + map.height * 0.7, { steps: 5 });
    await page.mouse.up();
    await page.getByText(/files? in the box/).waitFor();
    await look('map-box');

    await page.goto(`${env.base}/#/browse`);
    await page.getByRole('link', { name: 'Studio' }).click();
    await page.getByRole('group', { name: 'Treemap' }).getByRole('button', { name: /^2023/ }).first().hover();
    await page.getByRole('tooltip').getByText('photos / 2023').waitFor();
    await look('treemap');

    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(pageErrors).toEqual([]);
  }, 120_000);

  test('what changes by itself is told to those who do not see it, and nothing moves for those who asked for rest', async () => {
    const { page } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/?q=harbour`);
    await page.getByRole('status').filter({ hasText: /files/ }).first().waitFor();
    await page.getByRole('grid', { name: 'Results' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await page.getByRole('status').filter({ hasText: '1 selected' }).waitFor();
    const moving = await page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter((element) => {
          const { transitionDuration, animationDuration, animationName } = getComputedStyle(element);
          const seconds = (text: string) => Math.max(...text.split(',').map(Number.parseFloat));
          return seconds(transitionDuration) > 0.01 || (animationName !== 'none' && seconds(animationDuration) > 0.01);
        })
        .map((element) => element.className.toString()),
    );
    expect(moving).toEqual([]);
    await page.setViewportSize(SIZES.phone);
    await page.getByRole('status').first().waitFor({ state: 'attached' });
  });
});
