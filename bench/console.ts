import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { chromiumPath } from '../e2e/chromium.ts';
import { ADMIN, createAdministrator, signIn } from '../e2e/client.ts';
import { startIndexedService } from './api/indexed-service.ts';
import { firstScripts, layoutShift, type Scrolling, SLOW_FRAME_MS, scroll, typeKeys } from './console/measure.ts';
import { addPhotos } from './console/photos.ts';
import type { Bench, Row } from './row.ts';

const PHOTOS = 100_000;
const ITEMS = 1_000_000;
/** Words of the generated names begin with these letters, so that every keystroke has results. */
const TYPED = 'img_12';
const limits = { keystrokeMs: 100, scriptKb: 200, moreSlowFrames: 2 };

/** The console in Chromium over generated files: how smoothly it scrolls, what a keystroke costs, and whether pages move while they load. */
const bench: Bench = async ({ scale }) => {
  if (!chromiumPath) throw new Error('This benchmark needs Chromium. Install it or set CHROMIUM_PATH.');
  const photos = Math.max(500, Math.round(PHOTOS * Math.min(1, scale)));
  const items = Math.max(1000, Math.round(ITEMS * scale) - photos);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-console-'));
  let library = '';
  const service = await startIndexedService(folder, items, async (db) => {
    library = await addPhotos(db, photos);
  });
  let browser: Browser | null = null;
  try {
    const base = service.url.replace('127.0.0.1', 'localhost');
    await createAdministrator(base);
    const { storageState } = await signIn(base, ADMIN);
    browser = await chromium.launch({ executablePath: chromiumPath, headless: true, args: ['--no-sandbox', '--disable-gpu'] });
    const viewport = { width: 1440, height: 900 };
    const context = await browser.newContext({ viewport, storageState, serviceWorkers: 'block', reducedMotion: 'reduce' });
    context.setDefaultTimeout(120_000);
    await servePictures(context);
    const rows = await measure(await context.newPage(), base, library);
    return {
      rows,
      notes: [`${(items + photos).toLocaleString('en')} files, ${photos.toLocaleString('en')} of them photos with thumbnails.`],
    };
  } finally {
    await browser?.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
};

async function measure(page: Page, base: string, library: string): Promise<Row[]> {
  const kilobytes = await firstScripts(page, `${base}/#/`);
  const list = await scrolled(page, `${base}/#/?library=${library}&kind=image&sort=taken:desc`, 'Results');
  const timeline = await scrolled(page, `${base}/#/timeline?library=${library}`, 'Timeline');
  await page.goto(`${base}/#/`);
  await page.getByRole('row').nth(1).waitFor();
  await page.getByRole('searchbox', { name: 'Search' }).focus();
  const keys = await typeKeys(page, TYPED);
  const work = keys.map((key) => key.work).sort((a, b) => a - b);
  const item = await page.evaluate(async () => (await (await fetch('/api/v1/search?limit=1')).json()).hits[0].id as string);
  const shifts = {
    search: await layoutShift(page, `${base}/#/?q=img`),
    browse: await layoutShift(page, `${base}/#/browse/${library}`),
    'page of a file': await layoutShift(page, `${base}/#/item/${item}`),
  };
  return [
    {
      name: `timeline scrolled, frames over ${SLOW_FRAME_MS} ms`,
      value: timeline.slow,
      unit: 'of 300',
      peer: `list ${list.slow}`,
      ratio: list.slow > 0 ? Math.round((timeline.slow / list.slow) * 100) / 100 : null,
      limit: `≤ list + ${limits.moreSlowFrames}`,
      ok: timeline.slow <= list.slow + limits.moreSlowFrames,
      detail: `longest frame ${timeline.longest} ms, of the list ${list.longest} ms`,
    },
    limited('main-thread work after a keystroke', work.at(-1) ?? 0, 'ms', limits.keystrokeMs, {
      detail: `median ${work[Math.floor(work.length / 2)]} ms; longest task ${Math.max(...keys.map((key) => key.longTask))} ms (0: none over 50 ms)`,
    }),
    ...Object.entries(shifts).map(([name, sum]) => limited(`layout shift, ${name}`, sum, 'CLS', 0)),
    limited('first JavaScript, compressed', kilobytes, 'kB', limits.scriptKb),
  ];
}

/** Opens a page with a list and scrolls it once its first rows are there. */
async function scrolled(page: Page, address: string, list: string): Promise<Scrolling> {
  await page.goto('about:blank');
  await page.goto(address);
  await page.getByRole('grid', { name: list }).getByRole('img').or(page.getByRole('row')).nth(5).waitFor();
  return scroll(page, list);
}

/** Thumbnails of the generated photos. Chromium decodes them as it does real ones; only their bytes are made up. */
async function servePictures(context: BrowserContext): Promise<void> {
  const picture = await sharp({
    create: { width: 480, height: 320, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 30 }, background: '#888' },
  })
    .webp({ quality: 60 })
    .toBuffer();
  await context.route(/\/api\/v1\/items\/[^/]+\/thumb/, (route) => route.fulfill({ contentType: 'image/webp', body: picture }));
}

function limited(name: string, value: number, unit: string, limit: number, more: { detail?: string } = {}): Row {
  return { name, value, unit, peer: '', ratio: null, limit: `≤ ${limit} ${unit}`, ok: value <= limit, ...more };
}

export default bench;
