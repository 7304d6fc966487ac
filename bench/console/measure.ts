import type { CDPSession, Page } from 'playwright-core';
import { layoutShifts, scriptsBeforeFirstRow } from '../../e2e/page-measures.ts';
import { openFresh, untilRowsPainted, untilSettled } from './pages.ts';

const FRAMES = 300;
/** Pixels per frame: about as fast as a person can scroll with a wheel. */
const STEP = 240;
/** A frame that takes longer than two refreshes of the screen is seen as a stutter. */
export const SLOW_FRAME_MS = 34;

/** The time of each frame while a list is scrolled, in milliseconds. */
export function scrollFrames(page: Page, list: string): Promise<number[]> {
  return page.getByRole('grid', { name: list, exact: true }).evaluate(
    (element, [frames, step]) =>
      new Promise<number[]>((resolve) => {
        const times: number[] = [];
        let before = performance.now();
        const frame = (now: number) => {
          times.push(now - before);
          before = now;
          element.scrollTop += step;
          if (times.length <= frames) requestAnimationFrame(frame);
          // The first frame began before the measurement.
          else resolve(times.slice(1));
        };
        requestAnimationFrame(frame);
      }),
    [FRAMES, STEP] as const,
  );
}

interface Keystroke {
  /** CPU time of all tasks of the main thread until the rows and filters are painted, in milliseconds. */
  work: number;
  /** The longest task above 50 ms, or 0. */
  longTask: number;
}

/** Types text into the search field key by key and measures the work after each, until its rows and filters are shown. */
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
    const answered = page.waitForResponse((response) => new URL(response.url()).searchParams.get('q') === typed);
    await page.keyboard.press(key);
    await answered;
    await untilRowsPainted(page);
    const work = Math.round((await taskSeconds(session)) * 1000 - before * 1000);
    await untilSettled(page);
    const longTask = await page.evaluate(() =>
      Math.round(Math.max(0, ...(window as unknown as { longTasks: number[] }).longTasks.splice(0))),
    );
    keys.push({ work, longTask });
  }
  await session.detach();
  return keys;
}

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}

/** The sum of all layout shifts of a page from its first request until everything is shown. */
export async function layoutShift(page: Page, address: string): ReturnType<typeof layoutShifts> {
  await openFresh(page, address, 'h1');
  await untilSettled(page);
  return layoutShifts(page);
}

/** The compressed size of the scripts that a first visit of the search page loads before its first row, in kB. */
export const firstScripts = async (page: Page, address: string): Promise<number> =>
  Math.round((await scriptsBeforeFirstRow(page, () => openFresh(page, address, '[role="row"]'))) / 1000);
