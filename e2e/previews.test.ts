import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleCertificate } from '../readers/test/samples/certificates.ts';
import { makePptx } from '../readers/test/samples/office.ts';
import { until } from '../server/test/service.ts';
import { openPage } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { accessibilityViolations } from './page-checks.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

const fonts = path.dirname(createRequire(path.resolve('readers/package.json')).resolve('dejavu-fonts-ttf/package.json'));

function writeDatabase(file: string): void {
  const db = new DatabaseSync(file);
  db.exec("create table berths (name text, metres int); insert into berths values ('North', 120), ('South', 80)");
  db.close();
}

// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip.
describe.runIf(chromiumPath)('previews in a real browser', () => {
  let env: TestEnvironment;
  const ids = new Map<string, string>();
  beforeAll(async () => {
    env = await startEnvironment();
    const files = {
      'harbour.ttf': readFileSync(path.join(fonts, 'ttf', 'DejaVuSansMono.ttf')),
      'pier.pem': sampleCertificate,
      'talk.pptx': makePptx(['Welcome to the pier', 'Thank you']),
    };
    const { id, root } = await env.addLibrary('shelf', files, { native_prefix: 'Q:\\Shelf' });
    writeDatabase(path.join(root, 'berths.sqlite'));
    expect(await env.scan(id)).toBe('finished');
    type Hit = { id: string; filename: string };
    const hits = async () => (await env.api('GET', `/search?library=${id}&limit=10`)).body.hits as Hit[];
    await until(async () => (await hits()).length === 4, 'four files in the index', 90_000);
    for (const hit of await hits()) ids.set(hit.filename, hit.id);
    const isRead = async (name: string) => (await env.api('GET', `/items/${ids.get(name)}`)).body.unread === false;
    for (const name of ids.keys()) await until(() => isRead(name), `${name} to be read`, 90_000);
  }, 300_000);
  afterAll(() => env?.close());

  async function show(name: string) {
    const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/item/${ids.get(name)}`);
    return { page, pageErrors, preview: page.getByRole('region', { name: 'Preview', exact: true }) };
  }

  test('a font is shown as a specimen in its own letters', async () => {
    const { page, pageErrors, preview } = await show('harbour.ttf');
    const lines = preview.getByText('The quick brown fox jumps over the lazy dog', { exact: true });
    await expect.poll(() => lines.count()).toBe(5);
    // In a monospaced font, narrow letters are as wide as others.
    const widths = await lines.first().evaluate((line) => {
      const context = document.createElement('canvas').getContext('2d')!;
      context.font = `20px ${getComputedStyle(line).fontFamily}`;
      return [context.measureText('iiii').width, context.measureText('MMMM').width];
    });
    expect(widths[0]).toBe(widths[1]);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
  });

  test('a certificate is shown with its subject and the dates it is valid for', async () => {
    const { page, pageErrors, preview } = await show('pier.pem');
    await preview.getByRole('heading', { name: 'Certificate', exact: true }).waitFor();
    const facts = await preview.locator('dl').textContent();
    expect(facts).toMatch(/Issued to.*files\.example\.org/);
    expect(facts).toMatch(/Valid until12 Nov 2036/);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
  });

  test('a database is shown with its tables, their columns and numbers of rows', async () => {
    const { page, pageErrors, preview } = await show('berths.sqlite');
    await preview.getByRole('heading', { name: 'Database', exact: true }).waitFor();
    const table = preview.getByRole('table', { name: 'Tables', exact: true });
    expect(await table.getByRole('row').nth(1).textContent()).toBe('berths2name, metres');
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
  });

  test('a presentation is shown slide by slide', async () => {
    const { page, pageErrors } = await show('talk.pptx');
    const drawn = (number: number) =>
      page
        .getByRole('region', { name: `Page ${number} of 2`, exact: true })
        .locator('img')
        .first()
        .evaluate((picture) => (picture as HTMLImageElement).naturalWidth);
    await expect.poll(() => drawn(1)).toBeGreaterThan(200);
    await page.getByRole('button', { name: 'Next page', exact: true }).click();
    await expect.poll(() => drawn(2)).toBeGreaterThan(200);
    expect(pageErrors).toEqual([]);
  });

  test('a file and its folder open in the file manager by the native prefix of their library', async () => {
    const { page } = await show('pier.pem');
    await page.getByRole('button', { name: 'More actions', exact: true }).click();
    const target = (name: string) => page.getByRole('menuitem', { name, exact: true }).getAttribute('href');
    expect(await target('Open original location')).toBe('file:///Q:/Shelf/pier.pem');
    expect(await target('Open folder in the file manager')).toBe('file:///Q:/Shelf');
  });
});
