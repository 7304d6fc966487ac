import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { ADMIN } from '../../e2e/client.ts';
import { startService, stopService } from '../../server/test/service.ts';
import { makeTree } from '../scan/tree.ts';

interface FirstResult {
  files: number;
  /** From the button that starts the first scan to the first row of a search, in seconds. */
  scanSeconds: number;
  /** From the first page, with everything that a person enters there, in seconds. */
  visitSeconds: number;
}

/** Visits a new service as its first user: creates the administrator, scans a folder and searches it. */
export async function measureFirstResult(newContext: () => Promise<BrowserContext>, folder: string, folders: number): Promise<FirstResult> {
  const media = join(folder, 'media');
  mkdirSync(media, { recursive: true });
  makeTree(media, folders);
  const service = await startService(join(folder, 'config'), { MEDIA_PATH: media, SVC_BROWSE_ROOTS: media });
  try {
    const context = await newContext();
    const page = await context.newPage();
    const opened = performance.now();
    await page.goto(service.url.replace('127.0.0.1', 'localhost'));
    await page.getByLabel('User name').fill(ADMIN.username);
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.getByLabel('Confirm password').fill(ADMIN.password);
    await page.keyboard.press('Enter');
    const scan = page.getByRole('button', { name: `Scan ${media}`, exact: true });
    await scan.waitFor();
    const started = performance.now();
    await scan.click();
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('document');
    await page.getByRole('grid', { name: 'Results', exact: true }).getByRole('row').first().waitFor();
    const found = performance.now();
    await context.close();
    return { files: folders * 100, scanSeconds: (found - started) / 1000, visitSeconds: (found - opened) / 1000 };
  } finally {
    await stopService(service);
  }
}
