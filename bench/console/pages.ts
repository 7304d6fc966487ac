import type { Page, Request } from 'playwright-core';

/** Requests without a response, by page. */
const pending = new WeakMap<Page, Set<Request>>();

/** Counts the requests of a page from now on. An event stream never ends, so it is left out. */
export function watchRequests(page: Page): void {
  const open = new Set<Request>();
  pending.set(page, open);
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
}

/** Waits until nothing is loading any more. It asks the page as rarely as possible, because each question is work of its main thread. */
export async function untilSettled(page: Page): Promise<void> {
  for (let idle = 0; idle < 2; ) {
    await untilAnswered(page);
    const shown = await page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve)));
      return document.querySelector('h1') !== null && document.querySelector('[aria-busy="true"]') === null;
    });
    idle = shown && !pending.get(page)?.size ? idle + 1 : 0;
  }
}

async function untilAnswered(page: Page, counts: (request: Request) => boolean = () => true): Promise<void> {
  while ([...(pending.get(page) ?? [])].some(counts)) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Waits until the rows and filters of a query are painted. Thumbnails may follow. */
export async function untilRowsPainted(page: Page): Promise<void> {
  await untilAnswered(page, (request) => request.resourceType() !== 'image');
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    while (document.querySelector('[role="grid"][aria-busy="true"]')) await frame();
    // The second frame begins after the first was painted.
    await frame();
    await frame();
  });
}

/** Opens an address in a new document and waits for an element of it. */
export async function openFresh(page: Page, address: string, selector: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(address);
  await page
    .locator(selector)
    .first()
    .waitFor()
    .catch(async (error: Error) => {
      const shown = await page.getByRole('main').textContent();
      throw new Error(`${address} shows no ${selector}, but: ${shown?.slice(0, 500)}`, { cause: error });
    });
}
