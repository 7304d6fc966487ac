import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage, SIZES } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { accessibilityViolations, everyState, manualScreenshot, screenshot, setColorScheme, waitUntilSettled } from './page-checks.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

/** A dialog, menu or list box that opens over a page. */
interface Overlay {
  name: string;
  route: string;
  /** Prepares the page so that the control is visible. */
  before?: (page: Page) => Promise<unknown>;
  /** The control that opens it and gets the focus back. */
  control: (page: Page) => ReturnType<Page['getByRole']>;
  opens: 'dialog' | 'menu' | 'listbox';
  /** Gets the focus afterwards instead of the control. */
  focusAfter?: Overlay['control'];
  /** If only one layout has it. */
  only?: 'desktop' | 'phone';
  /** Further states to check, such as other tabs of the dialog. */
  steps?: ((page: Page) => Promise<unknown>)[];
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

/** Every dialog, menu and sheet of the console. Expects a library Studio, an emptied library and a user tor. */
const OVERLAYS: Overlay[] = [
  {
    name: 'commands',
    route: '?q=harbour',
    control: button(/^Commands/),
    opens: 'dialog',
    only: 'desktop',
    steps: [(page) => page.keyboard.type('scan')],
  },
  { name: 'keys', route: '?q=harbour', control: button('Keyboard shortcuts'), opens: 'dialog', only: 'desktop' },
  { name: 'filter-menu', route: '?q=harbour', control: button(/^Filter$/), opens: 'menu', only: 'desktop' },
  { name: 'sort-menu', route: '?q=harbour', control: button(/^Sorted by/), opens: 'menu' },
  { name: 'save-search', route: '?q=harbour', control: button('Save search'), opens: 'dialog', only: 'desktop' },
  {
    name: 'status-choice',
    route: '?q=harbour',
    control: (page) => page.getByRole('combobox', { name: 'Status' }),
    opens: 'listbox',
    only: 'desktop',
  },
  { name: 'filters-sheet', route: '?q=harbour', control: button(/^Filters/), opens: 'dialog', only: 'phone' },
  { name: 'more-pages', route: '?q=harbour', control: button(/^More$/), opens: 'menu', only: 'phone' },
  { name: 'tag-many', route: '?q=harbour', before: selectAll, control: button(/^Tag$/), opens: 'dialog' },
  { name: 'note-many', route: '?q=harbour', before: selectAll, control: button(/^Note$/), opens: 'dialog', only: 'desktop' },
  {
    name: 'quick-look',
    route: '?q=IMG_4410',
    before: (page) => page.getByRole('row').filter({ hasText: 'IMG_4410' }).click(),
    control: button('Quick look'),
    focusAfter: (page) => page.getByRole('grid', { name: 'Results' }),
    opens: 'dialog',
    only: 'desktop',
  },
  {
    name: 'file-menu',
    route: '?q=IMG_4410',
    before: (page) => page.getByRole('row').filter({ hasText: 'IMG_4410' }).click(),
    control: button(/^More/),
    opens: 'menu',
    only: 'desktop',
  },
  { name: 'explain', route: 'libraries', control: button(/^Explain a path/), opens: 'dialog', only: 'desktop' },
  {
    name: 'new-library',
    route: 'libraries',
    control: (page) =>
      page
        .getByRole('link', { name: 'New library' })
        .or(page.getByRole('button', { name: 'New library' }))
        .first(),
    opens: 'dialog',
    steps: [tab('File types'), tab('Exclusions'), tab('Scans'), tab('Contents')],
  },
  { name: 'library-menu', route: 'libraries', control: cardOf('Studio', 'More actions for Studio'), opens: 'menu' },
  { name: 'force', route: 'libraries', control: cardOf('emptied', 'Mark as missing…'), opens: 'dialog' },
  { name: 'errors', route: 'libraries', control: cardOf('Studio', 'Review'), opens: 'dialog' },
  { name: 'new-category', route: 'taxonomy', control: button('New category'), opens: 'dialog' },
  { name: 'new-group', route: 'taxonomy', control: button('New group'), opens: 'dialog' },
  { name: 'new-preset', route: 'presets', control: button('New preset'), opens: 'dialog' },
  { name: 'copy-preset', route: 'presets', control: button('Copy'), opens: 'dialog' },
  { name: 'new-field', route: 'fields', control: button('New field'), opens: 'dialog' },
  { name: 'new-key', route: 'account', control: button('New key'), opens: 'dialog' },
  { name: 'new-person', route: 'admin', control: button('New person'), opens: 'dialog' },
  { name: 'remove-person', route: 'admin', control: button('Remove tor'), opens: 'dialog' },
  { name: 'new-role', route: 'admin/roles', control: button('New role'), opens: 'dialog' },
  {
    name: 'rule-permission',
    route: 'admin/rules',
    control: (page) => page.getByRole('combobox', { name: 'Permission' }).first(),
    opens: 'listbox',
  },
];

// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip.
describe.runIf(chromiumPath)('dialogs, menus and sheets', () => {
  let env: TestEnvironment;
  beforeAll(async () => {
    env = await startEnvironment();
    await env.api('POST', '/auth/users', { username: 'tor', password: 'long enough', global_role: 'viewer' });
    const { id, root } = await env.addLibrary('emptied', { 'shells/one.txt': 'one', 'shells/two.txt': 'two' });
    rmSync(path.join(root, 'shells'), { recursive: true });
    expect(await env.scan(id)).toBe('failed');
  }, 300_000);
  afterAll(() => env?.close());

  for (const size of ['desktop', 'phone'] as const)
    test(`${size}: every dialog, menu and sheet passes axe and returns the focus to its control`, async () => {
      const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState, size });
      const found: string[] = [];
      let currentRoute = '';
      for (const overlay of OVERLAYS.filter(({ only }) => !only || only === size)) {
        const check = async (step = '') => {
          for (const colorScheme of ['dark', 'light'] as const) {
            // Colours are the same at every size, and dialogs have the colours of pages, which are checked in dark as well.
            if (colorScheme === 'dark' && !everyState) continue;
            await setColorScheme(page, colorScheme);
            if (step === '') await screenshot(page, `over-${overlay.name}-${colorScheme}`, [size]);
            const contrast = colorScheme === 'dark' ? 'only' : size === 'desktop' || everyState ? 'with' : 'without';
            found.push(
              ...(await accessibilityViolations(page, { inside: `[role="${overlay.opens}"]`, contrast })).map(
                (one) => `${overlay.name}${step} ${colorScheme}: ${one}`,
              ),
            );
          }
        };
        try {
          if (currentRoute !== overlay.route || overlay.before) await page.goto(`${env.base}/?${overlay.name}#/${overlay.route}`);
          currentRoute = overlay.route;
          await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
          await overlay.before?.(page);
          const control = overlay.control(page);
          await control.waitFor({ timeout: 10_000 });
          await waitUntilSettled(page);
          await control.focus();
          await page.keyboard.press(overlay.opens === 'listbox' ? 'ArrowDown' : 'Enter');
          await page.getByRole(overlay.opens).first().waitFor({ timeout: 10_000 });
          await waitUntilSettled(page);
          await check();
          if (size === 'desktop') await manualScreenshot(page, `over-${overlay.name}`);
          for (const [index, act] of (overlay.steps ?? []).entries()) {
            await act(page);
            await check(` ${index + 2}`);
          }
          // Suggestions inside a dialog handle the first Esc.
          for (let presses = 0; presses < 2 && (presses === 0 || (await page.getByRole(overlay.opens).count()) > 0); presses += 1) {
            await page.keyboard.press('Escape');
            await waitUntilSettled(page);
          }
          await page.getByRole(overlay.opens).first().waitFor({ state: 'detached', timeout: 10_000 });
          const focused = overlay.focusAfter?.(page) ?? control;
          await expect.poll(() => focused.evaluate((element) => element === document.activeElement), { timeout: 2_000 }).toBe(true);
        } catch (error) {
          currentRoute = '';
          found.push(`${overlay.name}: ${String(error).split('\n').slice(0, 4).join(' ')}`);
        }
      }
      expect(found).toEqual([]);
      expect(pageErrors).toEqual([]);
    }, 600_000);

  test('selected files stay selected after tagging; a box on the map; a tooltip in the treemap', async () => {
    const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState });
    const check = async (name: string) => {
      for (const colorScheme of ['dark', 'light'] as const) {
        await setColorScheme(page, colorScheme);
        await waitUntilSettled(page);
        await screenshot(page, `use-${name}-${colorScheme}`, ['desktop']);
        expect(await accessibilityViolations(page, { contrast: colorScheme === 'light' ? 'with' : 'only' })).toEqual([]);
      }
    };
    await page.goto(`${env.base}/#/?q=harbour&kind=image&lens=grid&sort=newest`);
    const cards = page.getByRole('gridcell').filter({ has: page.getByRole('button') });
    await cards.nth(4).waitFor();
    const width = (await cards.nth(0).boundingBox())!.width;
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
    expect((await cards.nth(0).boundingBox())!.width).toBe(width);
    // Hovering keeps the toast open during the checks.
    await page.getByRole('button', { name: 'Undo' }).hover();
    await check('selected');
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
    await check('map-box');

    await page.goto(`${env.base}/#/browse`);
    await page.getByRole('link', { name: 'Studio' }).click();
    await page.getByRole('radio', { name: 'Treemap' }).check();
    await page.getByRole('group', { name: 'Treemap' }).getByRole('button', { name: /^2023/ }).first().hover();
    await page.getByRole('tooltip').getByText('photos / 2023').waitFor();
    await check('treemap');

    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(pageErrors).toEqual([]);
  }, 120_000);

  test('changes are announced to screen readers, and reduced motion turns off all animation', async () => {
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
          // Even a tiny duration starts a transition with every change, such as the position of each row of a scrolled list.
          return seconds(transitionDuration) > 0 || (animationName !== 'none' && seconds(animationDuration) > 0.01);
        })
        .map((element) => element.className.toString()),
    );
    expect(moving).toEqual([]);
    await page.setViewportSize(SIZES.phone);
    await page.getByRole('status').first().waitFor({ state: 'attached' });
  });
});
