import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { chromiumPath } from './chromium.ts';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** With `scrollbars`, they are visible and take space, as with a mouse on Windows and Linux. */
export function openBrowser({ scrollbars = false } = {}): Promise<Browser> {
  const ignoreDefaultArgs = scrollbars ? ['--hide-scrollbars'] : [];
  return chromium.launch({ executablePath: chromiumPath ?? '', headless: true, args: ARGS, ignoreDefaultArgs });
}

export const SIZES = {
  desktop: { width: 1440, height: 900 },
  tablet: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
} as const;
export type Size = keyof typeof SIZES;

/** Cookies and storage of a signed-in browser. */
export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

interface OpenedPage {
  page: Page;
  context: BrowserContext;
  /** Script errors, policy violations, requests to other origins, and responses with status 500 or above. */
  pageErrors: string[];
}

interface PageOptions {
  storageState?: StorageState | undefined;
  size?: Size;
  colorScheme?: 'light' | 'dark';
  /** Must be blocked where a test intercepts requests, because a service worker would handle them first. */
  serviceWorkers?: 'allow' | 'block';
}

/** Requests without a response, by page. */
export const pendingRequests = new WeakMap<Page, ReadonlySet<Request>>();

/** Opens a page in a fresh browser profile and collects its errors. */
export async function openPage(browser: Browser, base: string, options: PageOptions = {}): Promise<OpenedPage> {
  const context = await browser.newContext({
    viewport: SIZES[options.size ?? 'desktop'],
    colorScheme: options.colorScheme ?? 'light',
    locale: 'en-GB',
    timezoneId: 'Europe/Oslo',
    reducedMotion: 'reduce',
    serviceWorkers: options.serviceWorkers ?? 'block',
    ...(options.storageState ? { storageState: options.storageState } : {}),
  });
  context.setDefaultTimeout(30_000);
  const pageErrors: string[] = [];
  context.on('request', (request) => {
    if (!request.url().startsWith(base) && !/^(data|blob):/.test(request.url())) pageErrors.push(`outside request: ${request.url()}`);
  });
  const page = await context.newPage();
  const open = new Set<Request>();
  pendingRequests.set(page, open);
  // An event stream never ends, so it does not count as pending.
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') open.add(request);
  });
  for (const ended of ['requestfinished', 'requestfailed'] as const) page.on(ended as 'requestfinished', (request) => open.delete(request));
  page.on('pageerror', (error) => pageErrors.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) pageErrors.push(`console: ${message.text()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 500) pageErrors.push(`${response.status()} ${response.url()}`);
  });
  onTestFinished(() => context.close());
  return { page, context, pageErrors };
}

/** Screenshots are reviewed by people, not compared automatically. */
export const artifacts = path.resolve('artifacts', 'screenshots');
