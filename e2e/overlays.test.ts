import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, SIZES, visit } from './browser.ts';
import { forManual, inLight, picture, settled, violations } from './looks.ts';
import { OVERLAYS } from './overlays.ts';
import { openWorld, type World } from './world.ts';

// `npm test` installs Chromium on Debian; elsewhere it says that these are left out without one.
describe.runIf(chromiumPath)('everything that opens over a page', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ pictures: true });
    await world.api('POST', '/auth/users', { username: 'tor', password: 'long enough', global_role: 'viewer' });
    const { id, root } = await world.library('emptied', { 'shells/one.txt': 'one', 'shells/two.txt': 'two' });
    rmSync(path.join(root, 'shells'), { recursive: true });
    const scan = await world.api('POST', `/libraries/${id}/scan`);
    expect(await world.scanned(scan.body.scan_id)).toBe('failed');
  }, 180_000);
  afterAll(() => world?.close());

  for (const size of ['desktop', 'phone'] as const)
    test(`${size}: axe finds nothing in any dialog, menu or sheet, in light and dark, and the focus goes back to what opened it`, async () => {
      const { page, troubles } = await visit(world.browser, world.base, { door: world.door, size });
      const found: string[] = [];
      let here = '';
      for (const overlay of OVERLAYS.filter(({ only }) => !only || only === size)) {
        const look = async (part = '') => {
          for (const colorScheme of ['dark', 'light'] as const) {
            await inLight(page, colorScheme);
            if (part === '') await picture(page, `over-${overlay.name}-${colorScheme}`, [size]);
            found.push(
              ...(await violations(page, `[role="${overlay.opens}"]`)).map((one) => `${overlay.name}${part} ${colorScheme}: ${one}`),
            );
          }
        };
        try {
          if (here !== overlay.at || overlay.before) await page.goto(`${world.base}/?${overlay.name}#/${overlay.at}`);
          here = overlay.at;
          await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
          await overlay.before?.(page);
          const control = overlay.by(page);
          await control.waitFor({ timeout: 10_000 });
          await settled(page);
          await control.focus();
          await page.keyboard.press(overlay.opens === 'listbox' ? 'ArrowDown' : 'Enter');
          await page.getByRole(overlay.opens).first().waitFor({ timeout: 10_000 });
          await settled(page);
          await look();
          if (size === 'desktop') await forManual(page, `over-${overlay.name}`);
          for (const [step, act] of (overlay.further ?? []).entries()) {
            await act(page);
            await look(` ${step + 2}`);
          }
          // A list of offers inside a dialog takes the first Esc for itself.
          for (let presses = 0; presses < 2 && (presses === 0 || (await page.getByRole(overlay.opens).count()) > 0); presses += 1) {
            await page.keyboard.press('Escape');
            await settled(page);
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
      expect(troubles).toEqual([]);
    }, 600_000);

  test('files in hand: gathered and tagged they stay chosen in a list as wide as before; a box on the map; a folder under the pointer', async () => {
    const { page, troubles } = await visit(world.browser, world.base, { door: world.door });
    const look = async (name: string) => {
      for (const colorScheme of ['dark', 'light'] as const) {
        await inLight(page, colorScheme);
        await settled(page);
        await picture(page, `use-${name}-${colorScheme}`, ['desktop']);
        expect(await violations(page)).toEqual([]);
      }
    };
    await page.goto(`${world.base}/#/?q=harbour&kind=image&lens=grid&sort=newest`);
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
    const bar = page.getByRole('toolbar', { name: 'Chosen files' });
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

    await page.goto(`${world.base}/#/?q=harbour&lens=map`);
    await page.getByRole('button', { name: 'Draw a box' }).click();
    const map = (await page.getByRole('region', { name: 'Results' }).boundingBox())!;
    await page.mouse.move(map.x + map.width * 0.45, map.y + map.height * 0.2);
    await page.mouse.down();
    await page.mouse.move(map.x + map.width * 0.8, map.y + map.height * 0.7, { steps: 5 });
    await page.mouse.up();
    await page.getByText(/files? in the box/).waitFor();
    await look('map-box');

    await page.goto(`${world.base}/#/browse`);
    await page.getByRole('link', { name: 'Studio' }).click();
    await page.getByRole('group', { name: 'Treemap' }).getByRole('button', { name: /^2023/ }).first().hover();
    await page.getByRole('tooltip').getByText('photos / 2023').waitFor();
    await look('treemap');

    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(troubles).toEqual([]);
  }, 120_000);

  test('what changes by itself is told to those who do not see it, and nothing moves for those who asked for rest', async () => {
    const { page } = await visit(world.browser, world.base, { door: world.door });
    await page.goto(`${world.base}/#/?q=harbour`);
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
