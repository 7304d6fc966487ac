import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { StorageState } from './test-environment.ts';

/** Debian's Chromium, or the one named by CHROMIUM_PATH. Without it the browser tests are left out, and `npm test` says so. */
export const chromiumPath: string | undefined = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((file) => file !== undefined && existsSync(file));

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath!, headless: true, args: quiet });
}

export const SIZES = {
  desktop: { width: 1440, height: 900 },
  tablet: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
} as const;
export type Size = keyof typeof SIZES;

export interface OpenedPage {
  page: Page;
  context: BrowserContext;
  /** Troubles the page itself told of: errors in scripts, refused by policy, requests to elsewhere, answers of 500 and above. */
  pageErrors: string[];
}

export interface PageOptions {
  storageState?: StorageState | undefined;
  size?: Size;
  colorScheme?: 'light' | 'dark';
  /** Off where a test answers requests itself: the service worker would answer before it. */
  serviceWorkers?: 'allow' | 'block';
}

/** Requests of a page that are not answered yet. */
export const pendingRequests = new WeakMap<Page, ReadonlySet<Request>>();

/** A fresh browser profile with one page whose pageErrors are collected. */
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
  // A stream of events never ends; it is no wait.
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

/** Where screenshots are kept: looked at by people, not compared. */
export const artifacts = path.resolve('artifacts', 'screenshots');
