import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { accessibilityViolations, screenshot, waitUntilSettled } from './page-checks.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip.
describe.runIf(chromiumPath)('cleaning up duplicates', () => {
  let env: TestEnvironment;
  beforeAll(async () => {
    env = await startEnvironment();
  });
  afterAll(() => env?.close());

  test('a person chooses what to keep, reviews the plan, runs the script, and the next scan finds no copies', async () => {
    const text = 'The same report, twice. '.repeat(400);
    const { id, root } = await env.addLibrary('Papers', { 'report.txt': text, 'old/report.txt': text, 'single.txt': 'Only once.' });
    const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/reports/duplicates`);
    await page.getByRole('heading', { name: 'Clean up duplicates' }).waitFor();

    await page.getByRole('button', { name: 'Rule', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Keep or avoid a path…' }).click();
    await page.getByLabel('Library and path').fill('Papers/old/*');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Papers/old/*' }).filter({ hasText: '1 group' }).waitFor();
    await waitUntilSettled(page);
    await screenshot(page, 'duplicates-plan', ['desktop', 'phone']);
    expect(await accessibilityViolations(page)).toEqual([]);

    await page.getByRole('button', { name: /^Review \d+ file/ }).click();
    await page.getByRole('button', { name: 'I have reviewed the plan' }).click();
    const script = page.getByRole('dialog', { name: /^Script for/ });
    await script.getByText('Reviewed by').waitFor();
    await waitUntilSettled(page);
    await screenshot(page, 'duplicates-script', ['desktop']);
    const downloading = page.waitForEvent('download');
    await script.getByRole('link', { name: 'Download script' }).click();
    const file = await (await downloading).path();

    const run = (...args: string[]) =>
      spawnSync('sh', [file, ...args], { encoding: 'utf8', env: { ...process.env, HOLD: path.join(env.folder, 'hold') } });
    expect(run('--check')).toMatchObject({ status: 0, stdout: expect.stringContaining('Nothing was changed.') });
    expect(run().status).toBe(0);
    expect([existsSync(path.join(root, 'old/report.txt')), existsSync(path.join(root, 'report.txt'))]).toEqual([true, false]);
    expect(await env.scan(id)).toBe('finished');
    const plan = (await env.api('GET', '/duplicates/plan')).body;
    expect(
      (await env.api('GET', '/duplicates/groups')).body.groups.filter(({ library }: { library: string }) => library === 'Papers'),
    ).toEqual([]);
    expect(plan.reviewed).toBe(false);
    expect(pageErrors).toEqual([]);
  });
});
