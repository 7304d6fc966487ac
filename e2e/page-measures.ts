import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** The sum of all layout shifts of the document so far, and what moved. */
export const layoutShifts = (page: Page): Promise<{ sum: number; moved: string[] }> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        let sum = 0;
        const moved: string[] = [];
        new PerformanceObserver((list) => {
          for (const entry of (list.getEntries() as LayoutShift[]).filter(({ hadRecentInput }) => !hadRecentInput)) {
            sum += entry.value;
            for (const { node, previousRect, currentRect } of entry.sources) {
              const place = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].join(' ');
              const what = `${node?.nodeName.toLowerCase()} "${node?.textContent?.trim().slice(0, 40)}"`;
              moved.push(`${what} from ${place(previousRect)} to ${place(currentRect)} after ${Math.round(entry.startTime)} ms`);
            }
          }
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve({ sum: Math.round(sum * 1000) / 1000, moved })));
      }),
  );

/** The compressed size in bytes of the scripts that a visit requests before its first row is shown. Parts that are loaded ahead of their use come later. */
export async function scriptsBeforeFirstRow(page: Page, open: () => Promise<void>): Promise<number> {
  const scripts = new Map<string, Promise<Buffer>>();
  const onResponse = (response: Response) => {
    if (new URL(response.url()).pathname.endsWith('.js')) scripts.set(response.url(), response.body());
  };
  page.on('response', onResponse);
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('[role="row"]')) return;
      performance.mark('first row');
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
  await open();
  await page.getByRole('row').first().waitFor();
  const needed = await page.evaluate(() => {
    const shown = performance.getEntriesByName('first row')[0]?.startTime ?? Number.POSITIVE_INFINITY;
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime < shown)
      .map(({ name }) => name);
  });
  page.off('response', onResponse);
  const bodies = await Promise.all([...scripts].filter(([url]) => needed.includes(url)).map(([, body]) => body));
  return bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
}
