import AxeBuilder from '@axe-core/playwright';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { artifacts, type Size, SIZES, pendingRequests } from './browser.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What axe finds against WCAG 2.2 AA on the page as it is now, or only inside one part of it. */
export async function accessibilityViolations(page: Page, inside?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .withTags(RULES);
  return told(await (inside ? axe.include(inside) : axe).analyze());
}

/** Of all rules only contrast depends on the light; this looks for it alone. */
export async function contrastViolations(page: Page): Promise<string[]> {
  return told(
    await new AxeBuilder({ page })
      .setLegacyMode()
      .options({ resultTypes: ['violations'] })
      .withRules(['color-contrast'])
      .analyze(),
  );
}

const told = ({ violations: found }: Awaited<ReturnType<AxeBuilder['analyze']>>): string[] =>
  found.map(({ id, nodes }) => `${id} at ${nodes.map((node) => node.target.join(' ')).join(', ')}`);

/** Keeps the page as it is at three sizes, to be looked at by people. */
export async function screenshot(page: Page, name: string, sizes: readonly Size[] = ['desktop', 'tablet', 'phone']): Promise<void> {
  mkdirSync(artifacts, { recursive: true });
  const before = page.viewportSize();
  for (const size of sizes) {
    if (page.viewportSize()?.width !== SIZES[size].width) {
      await page.setViewportSize(SIZES[size]);
      await waitUntilSettled(page);
    }
    await page.screenshot({ path: path.join(artifacts, `${name}-${size}.png`) });
    const wide = await tooWide(page);
    if (wide.length > 0) throw new Error(`${name} at ${size} runs out of its page sideways: ${wide.join(', ')}`);
  }
  if (before && before.width !== page.viewportSize()?.width) await page.setViewportSize(before);
}

/** Parts as tall as a page that must be pushed sideways to be read. A wide table in its own box is none of them. */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll<HTMLElement>('body *')]
      .filter((part) => part.tagName !== 'TABLE' && part.clientHeight > innerHeight / 2 && part.scrollWidth > part.clientWidth + 1)
      .filter((part) => part === document.documentElement || /auto|scroll/.test(getComputedStyle(part).overflowX))
      .map((part) => `${part.tagName.toLowerCase()}.${part.className} (${part.scrollWidth} in ${part.clientWidth})`),
  );

/** Nothing under way: no request, no word of loading, pictures decoded, and the same again two frames later. */
export async function waitUntilSettled(page: Page): Promise<void> {
  const still = async () => {
    await page.waitForFunction(
      () =>
        document.querySelector('[aria-busy="true"]') === null &&
        !/(Loading|Searching|Looking at)[^.]*…/.test(document.querySelector('main')?.textContent ?? '') &&
        [...document.images].every((image) => image.complete || image.loading === 'lazy'),
    );
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    return (pendingRequests.get(page)?.size ?? 0) === 0;
  };
  const started = Date.now();
  let quiet = 0;
  while (quiet < 2 && Date.now() - started < 20_000) quiet = (await still()) ? quiet + 1 : 0;
}

/** Shows the page in another light, as the system would. */
export async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  // Colours change softly; a picture shows them as they stay.
  await page.waitForFunction(() => document.getAnimations().every((one) => !(one instanceof CSSTransition)));
}

const manual = path.resolve('manual');
const named = new Set(
  readdirSync(path.join(manual, 'pages')).flatMap((page) =>
    [...readFileSync(path.join(manual, 'pages', page), 'utf8').matchAll(/pictures\/([\w-]+)\.webp/g)].map((found) => found[1]!),
  ),
);

/** A picture for the manual, when the run is asked to make them and a page of the manual shows it. */
export async function manualScreenshot(page: Page, name: string): Promise<void> {
  if (!process.env['MANUAL_PICTURES'] || !named.has(name)) return;
  await waitUntilSettled(page);
  const shot = await page.screenshot();
  await sharp(shot)
    .webp({ quality: 82 })
    .toFile(path.join(manual, 'pictures', `${name}.webp`));
}
