import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { artifacts, pendingRequests, SIZES, type Size } from './browser.ts';

/** `npm run test:browser` checks every page and dialog at every size in both colour schemes and takes the screenshots, which takes four times as long. */
export const everyState = process.env['BROWSER_CHECKS'] === 'all';

/** A run with MANUAL_PICTURES only takes the pictures of the manual: other runs check the pages. */
export const picturesOnly = Boolean(process.env['MANUAL_PICTURES']);

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

interface AxeOptions {
  /** Check only inside elements that match this selector. */
  inside?: string;
  /** Colours depend on the colour scheme, not on the size: contrast is the slowest rule by far and needs to run once per scheme. */
  contrast?: 'with' | 'without' | 'only';
}

/** Violations of WCAG 2.2 AA that axe finds on the page. Axe is loaded once per document and only what it found is returned, which is most of the time. */
export async function accessibilityViolations(page: Page, { inside, contrast = 'with' }: AxeOptions = {}): Promise<string[]> {
  if (picturesOnly) return [];
  for (const frame of page.frames()) if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
  return page.evaluate(
    async ([selector, which, tags]) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(selector ? { include: [[selector]] } : document, {
        resultTypes: ['violations'],
        runOnly: which === 'only' ? ['color-contrast'] : tags,
        ...(which === 'without' ? { rules: { 'color-contrast': { enabled: false } } } : {}),
      });
      return violations.map(({ id, nodes }) => `${id} at ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
    },
    [inside, contrast, RULES] as const,
  );
}

/** Fails if the page scrolls horizontally at one of the sizes; takes a screenshot of each if asked for. */
export async function screenshot(page: Page, name: string, sizes: readonly Size[] = ['desktop', 'tablet', 'phone']): Promise<void> {
  if (everyState) mkdirSync(artifacts, { recursive: true });
  const before = page.viewportSize();
  for (const size of sizes) {
    if (page.viewportSize()?.width !== SIZES[size].width) {
      await page.setViewportSize(SIZES[size]);
      await waitUntilSettled(page);
    }
    if (everyState) await page.screenshot({ path: path.join(artifacts, `${name}-${size}.png`) });
    const overflowing = await overflowingElements(page);
    if (overflowing.length > 0) throw new Error(`${name} at ${size} scrolls horizontally: ${overflowing.join(', ')}`);
  }
  if (before && before.width !== page.viewportSize()?.width) await page.setViewportSize(before);
}

/** Page-high elements that scroll horizontally. Wide tables may scroll inside their container. */
const overflowingElements = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll<HTMLElement>('body *')]
      .filter(
        (element) => element.tagName !== 'TABLE' && element.clientHeight > innerHeight / 2 && element.scrollWidth > element.clientWidth + 1,
      )
      .filter((element) => element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowX))
      .map((element) => `${element.tagName.toLowerCase()}.${element.className} (${element.scrollWidth} in ${element.clientWidth})`),
  );

/** Waits until there are no pending requests or loading messages and all images are loaded, twice in a row. */
export async function waitUntilSettled(page: Page): Promise<void> {
  const isIdle = async () => {
    await page.waitForFunction(
      () =>
        document.querySelector('[aria-busy="true"]') === null &&
        !/(Loading|Searching)[^.]*…|geladen…|Suche läuft…/.test(document.querySelector('main')?.textContent ?? '') &&
        [...document.images].every((image) => image.complete || image.loading === 'lazy'),
    );
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    return (pendingRequests.get(page)?.size ?? 0) === 0;
  };
  const started = Date.now();
  let idle = 0;
  while (idle < 2 && Date.now() - started < 20_000) idle = (await isIdle()) ? idle + 1 : 0;
}

/** Emulates the colour scheme of the operating system. */
export async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  // A screenshot must not catch a colour transition.
  await page.waitForFunction(() => document.getAnimations().every((one) => !(one instanceof CSSTransition)));
}

const manual = path.resolve('manual');
const usedInManual = new Set(
  readdirSync(path.join(manual, 'pages')).flatMap((page) =>
    [...readFileSync(path.join(manual, 'pages', page), 'utf8').matchAll(/pictures\/([\w-]+)\.webp/g)].map((found) => found[1] ?? ''),
  ),
);

/** Writes a screenshot for the manual if MANUAL_PICTURES is set and a manual page uses it. */
export async function manualScreenshot(page: Page, name: string): Promise<void> {
  if (!picturesOnly || !usedInManual.has(name)) return;
  await waitUntilSettled(page);
  const shot = await page.screenshot();
  await sharp(shot)
    .webp({ quality: 82 })
    .toFile(path.join(manual, 'pictures', `${name}.webp`));
}
