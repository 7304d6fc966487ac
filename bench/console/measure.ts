import { gzipSync } from 'node:zlib';
import type { CDPSession, Page, Response } from 'playwright-core';

const FRAMES = 300;
/** Pixels per frame: about as fast as a person can scroll with a wheel. */
const STEP = 240;
/** A frame that takes longer is seen as a stutter. */
export const SLOW_FRAME_MS = 50;

export interface Scrolling {
  slow: number;
  longest: number;
}

/** Scrolls a list frame by frame and measures the time between frames. */
export function scroll(page: Page, list: string): Promise<Scrolling> {
  return page.getByRole('grid', { name: list }).evaluate(
    (element, [frames, step, limit]) =>
      new Promise<Scrolling>((resolve) => {
        const times: number[] = [];
        let before = performance.now();
        const frame = (now: number) => {
          times.push(now - before);
          before = now;
          element.scrollTop += step;
          if (times.length <= frames) requestAnimationFrame(frame);
          // The first frame began before the measurement.
          else resolve({ slow: times.slice(1).filter((ms) => ms > limit).length, longest: Math.round(Math.max(...times.slice(1))) });
        };
        requestAnimationFrame(frame);
      }),
    [FRAMES, STEP, SLOW_FRAME_MS] as const,
  );
}

interface Keystroke {
  /** Main-thread time of all tasks until the result is shown, in milliseconds. */
  work: number;
  /** The longest task above 50 ms, or 0. */
  longTask: number;
}

/** Types text into the search field key by key and measures the work of each, until its result is shown. */
export async function typeKeys(page: Page, text: string): Promise<Keystroke[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.evaluate(() => {
    const found: number[] = [];
    Object.assign(window, { longTasks: found });
    new PerformanceObserver((list) => found.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
  });
  const keys: Keystroke[] = [];
  let typed = '';
  for (const key of text) {
    typed += key;
    const before = await taskSeconds(session);
    await page.keyboard.press(key);
    await page.waitForFunction(
      (q) => new URLSearchParams(location.hash.split('?')[1]).get('q') === q && document.querySelector('[aria-busy="true"]') === null,
      typed,
    );
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    const work = Math.round((await taskSeconds(session)) * 1000 - before * 1000);
    const longTask = await page.evaluate(() =>
      Math.round(Math.max(0, ...(window as unknown as { longTasks: number[] }).longTasks.splice(0))),
    );
    keys.push({ work, longTask });
  }
  return keys;
}

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}

/** The sum of all layout shifts of a page from its first request until everything is shown. */
export async function layoutShift(page: Page, address: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(address);
  // The network is never idle, because the console listens to events.
  await page.waitForFunction(() => document.querySelector('h1') !== null && document.querySelector('[aria-busy="true"]') === null);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!entry.hadRecentInput) sum += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(Math.round(sum * 1000) / 1000)));
      }),
  );
}

/** The compressed size of the scripts that a first visit of the search page loads before its first row, in kB. */
export async function firstScripts(page: Page, address: string): Promise<number> {
  const scripts = new Map<string, Promise<Buffer>>();
  const onResponse = (response: Response) => {
    if (new URL(response.url()).pathname.endsWith('.js')) scripts.set(response.url(), response.body());
  };
  page.on('response', onResponse);
  await page.goto(address);
  await page.getByRole('row').nth(1).waitFor();
  page.off('response', onResponse);
  const bodies = await Promise.all(scripts.values());
  return Math.round(bodies.reduce((sum, body) => sum + gzipSync(body).length, 0) / 1000);
}
