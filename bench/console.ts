import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../e2e/chromium.ts';
import { ADMIN, createAdministrator, signIn } from '../e2e/client.ts';
import { startIndexedService } from './api/indexed-service.ts';
import { measureFirstResult } from './console/first-result.ts';
import { firstScripts, layoutShift, SLOW_FRAME_MS, scrollFrames, typeKeys } from './console/measure.ts';
import { openFresh, untilSettled, watchRequests } from './console/pages.ts';
import { addPhotos, writePictures } from './console/photos.ts';
import type { Bench, Row } from './row.ts';

const PHOTOS = 100_000;
const ITEMS = 1_000_000;
/** Folders of 100 files that a first user scans. */
const FOLDERS = 50;
/** List and timeline are scrolled in turn, so that both meet the same load of the machine. */
const ROUNDS = 5;
/** Names of the generated photos begin with these letters, so that every keystroke has results. */
const TYPED = 'img_12';
const limits = { scroll: 1.2, keystrokeMs: 100, scriptKb: 200, firstResultSeconds: 10 };
/** Frames come in steps of the screen's refresh, so a difference below one refresh is none. */
const REFRESH_MS = 17;

/** The console in Chromium over generated files: how smoothly it scrolls, what a keystroke costs, whether pages move, and how soon a first user finds a file. */
const bench: Bench = async ({ scale }) => {
  if (!chromiumPath) throw new Error('This benchmark needs Chromium. Install it or set CHROMIUM_PATH.');
  const photos = Math.max(5000, Math.round(PHOTOS * Math.min(1, scale)));
  const items = Math.max(1000, Math.round(ITEMS * scale) - photos);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-console-'));
  const browser = await chromium.launch({ executablePath: chromiumPath, headless: true, args: ['--no-sandbox', '--disable-gpu'] });
  const newContext = async (options: Parameters<typeof browser.newContext>[0] = {}): Promise<BrowserContext> => {
    const viewport = { width: 1440, height: 900 };
    const context = await browser.newContext({ viewport, locale: 'en-GB', serviceWorkers: 'block', reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(120_000);
    return context;
  };
  try {
    const first = await measureFirstResult(newContext, path.join(folder, 'first'), Math.max(5, Math.round(FOLDERS * Math.min(1, scale))));
    const loaded = path.join(folder, 'loaded');
    await writePictures(loaded);
    let library = '';
    const service = await startIndexedService(loaded, items, async (db) => {
      library = await addPhotos(db, photos);
    });
    try {
      const base = service.url.replace('127.0.0.1', 'localhost');
      await createAdministrator(base);
      const { storageState } = await signIn(base, ADMIN);
      const context = await newContext({ storageState });
      const rows = await measure(await context.newPage(), base, library);
      rows.push(
        limited('first result of a first user after the start of the scan', round(first.scanSeconds), 's', limits.firstResultSeconds, {
          detail: `${first.files.toLocaleString('en')} files; ${round(first.visitSeconds)} s from the first page`,
        }),
      );
      return {
        rows,
        notes: [`${(items + photos).toLocaleString('en')} files, ${photos.toLocaleString('en')} of them photos with thumbnails.`],
      };
    } finally {
      await service.close();
    }
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
};

async function measure(page: Page, base: string, library: string): Promise<Row[]> {
  const kilobytes = await firstScripts(page, `${base}/#/`);
  watchRequests(page);
  const scrolled = await measureScrolling(page, base, library);
  // Parts that the page loads ahead of their use are no work of a keystroke.
  const preloaded = page.waitForResponse(/\/assets\/palette-[^/]+\.js$/);
  await openFresh(page, `${base}/#/`, '[role="row"]');
  await preloaded;
  await untilSettled(page);
  await page.getByRole('searchbox', { name: 'Search', exact: true }).focus();
  const keys = await typeKeys(page, TYPED);
  const work = keys.map((key) => key.work);
  const item = await page.evaluate(async () => (await (await fetch('/api/v1/search?limit=1')).json()).hits[0].id as string);
  const shifts = {
    search: await layoutShift(page, `${base}/#/?q=img`),
    browse: await layoutShift(page, `${base}/#/browse/${library}`),
    'page of a file': await layoutShift(page, `${base}/#/item/${item}`),
  };
  return [
    ...scrolled,
    limited('main-thread work after a keystroke', Math.max(...work), 'ms', limits.keystrokeMs, {
      detail: `median ${median(work)} ms of ${work.length} keys; longest task ${Math.max(...keys.map((key) => key.longTask))} ms (0: none over 50 ms)`,
    }),
    ...Object.entries(shifts).map(([name, { sum, moved }]) =>
      limited(`layout shift, ${name}`, sum, 'CLS', 0, moved.length > 0 ? { detail: `moved: ${moved.join(', ')}` } : undefined),
    ),
    limited('first JavaScript, compressed', kilobytes, 'kB', limits.scriptKb),
  ];
}

/** Scrolls the list of the photos and the timeline of the same photos, several times. */
async function measureScrolling(page: Page, base: string, library: string): Promise<Row[]> {
  const frames = { list: [] as number[][], timeline: [] as number[][] };
  for (let round = 0; round < ROUNDS; round += 1) {
    await openFresh(page, `${base}/#/?library=${library}&kind=image&sort=taken:desc`, '[role="row"] img');
    await untilSettled(page);
    frames.list.push(await scrollFrames(page, 'Results'));
    await openFresh(page, `${base}/#/timeline?library=${library}`, '[role="row"] img');
    await untilSettled(page);
    frames.timeline.push(await scrollFrames(page, 'Timeline'));
  }
  const slow = (rounds: number[][]) => percentOver(rounds.flat(), SLOW_FRAME_MS);
  const worst = (rounds: number[][]) => Math.round(median(rounds.map((times) => Math.max(...times))));
  return [
    compared(`timeline scrolled, frames over ${SLOW_FRAME_MS} ms`, '%', slow(frames.timeline), slow(frames.list), 1),
    compared('timeline scrolled, longest frame', 'ms', worst(frames.timeline), worst(frames.list), REFRESH_MS),
  ];
}

/** Passes if the value is at most `limits.scroll` times the peer's, or at most `step` above it. */
function compared(name: string, unit: string, value: number, peer: number, step: number): Row {
  return {
    name,
    value,
    unit,
    peer: `list ${peer} ${unit}`,
    ratio: peer > 0 ? round(value / peer) : null,
    limit: `at most ${limits.scroll} × list, or ${step} ${unit} more`,
    ok: value <= Math.max(peer * limits.scroll, peer + step),
    detail: `${ROUNDS} rounds`,
  };
}

function limited(name: string, value: number, unit: string, limit: number, more: { detail?: string } = {}): Row {
  return { name, value, unit, peer: '', ratio: null, limit: `at most ${limit} ${unit}`, ok: value <= limit, ...more };
}

const round = (value: number): number => Math.round(value * 100) / 100;
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const percentOver = (values: readonly number[], limit: number): number =>
  round((values.filter((value) => value > limit).length / values.length) * 100);

export default bench;
