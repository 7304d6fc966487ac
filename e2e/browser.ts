import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

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

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Troubles the page itself told of: errors in scripts, refused by policy, requests to elsewhere. */
  troubles: string[];
}

/** A page whose troubles are collected. Answers below 500 that the page handles (a missing thumbnail) are none. */
export async function visit(
  browser: Browser,
  base: string,
  options: { width?: number; height?: number; colorScheme?: 'light' | 'dark'; storage?: BrowserContext } = {},
): Promise<Visit> {
  const context =
    options.storage ??
    (await browser.newContext({
      viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
      colorScheme: options.colorScheme ?? 'light',
      locale: 'en-GB',
      reducedMotion: 'reduce',
    }));
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) troubles.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !/^(data|blob):/.test(request.url())) troubles.push(`outside request: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 500) troubles.push(`${response.status()} ${response.url()}`);
  });
  onTestFinished(() => page.close());
  return { page, context, troubles };
}

/** Where screenshots are kept: looked at by people, not compared. */
export const artifacts = path.resolve('artifacts', 'screenshots');
