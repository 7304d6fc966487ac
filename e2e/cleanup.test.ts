import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../server/test/service.ts';
import { chromiumPath, openPage } from './browser.ts';
import { accessibilityViolations, screenshot, waitUntilSettled } from './page-checks.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

describe.runIf(chromiumPath)('duplicates, integrity and schedules', () => {
  let env: TestEnvironment;
  beforeAll(async () => {
    env = await startEnvironment();
  });
  afterAll(() => env?.close());

  test('a person plans a cleanup, reviews it, and runs the script', async () => {
    const long = (word: string) => `${word} `.repeat(400);
    const photos = await env.addLibrary('Photos', {
      '2019/Wedding/all originals.txt': long('wedding'),
      'scan.txt': long('logbook'),
      'other.txt': 'once',
    });
    const backups = await env.addLibrary('Backups', {
      'laptop/2020/all originals.txt': long('wedding'),
      'laptop/all originals (1).txt': long('wedding'),
      'scan copy.txt': long('logbook'),
    });
    const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/reports/duplicates`);
    await page.getByText('2 groups hold').waitFor();
    await page.getByRole('button', { name: 'Rule', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Photos' }).click();
    await page.getByText('Keep the copy in Photos').waitFor();
    for (const move of [1, 2, 3]) {
      await page.getByRole('button', { name: `Change rule ${5 - move}` }).click();
      await page.getByRole('menuitem', { name: 'Move up' }).click();
      await page
        .getByRole('listitem')
        .filter({ hasText: 'Keep the copy in Photos' })
        .getByText(String(4 - move), { exact: true })
        .waitFor();
    }
    await page.getByRole('button', { expanded: false }).filter({ hasText: ' each' }).first().click();
    await page.getByText('Rule 1: the copy in Photos').waitFor();
    await waitUntilSettled(page);
    await screenshot(page, 'duplicates-plan', ['desktop', 'phone']);
    expect(await accessibilityViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Review 3 files' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'I have reviewed the plan' }).click();
    await page.getByRole('heading', { name: /Script for 3 files/ }).waitFor();
    await waitUntilSettled(page);
    await screenshot(page, 'duplicates-script', ['desktop']);
    expect(await accessibilityViolations(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download script' }).click();
    const script = path.join(env.folder, 'cleanup.sh');
    writeFileSync(script, readFileSync(await (await download).path()));
    const ran = spawnSync('sh', [script], { encoding: 'utf8', env: { ...process.env, HOLD: path.join(env.folder, 'hold') } });
    expect(ran.stdout).toContain('3 files moved');
    expect(existsSync(path.join(photos.root, 'scan.txt'))).toBe(true);
    expect(existsSync(path.join(backups.root, 'scan copy.txt'))).toBe(false);
    expect(await env.scan(backups.id)).toBe('finished');
    await page.reload();
    await page.getByText('No duplicates').waitFor();
    expect(pageErrors).toEqual([]);
  });

  test('a report is scheduled from where one sees it, and an administrator switches re-reading on', async () => {
    const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/reports/largest_files`);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Send regularly…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Largest files on Monday');
    await dialog.getByText('Next:').waitFor();
    await screenshot(page, 'schedule-dialog', ['desktop']);
    await dialog.getByRole('button', { name: 'Create schedule' }).click();
    await page.getByText('Every Monday at 06:00 UTC').waitFor();
    await page.getByRole('button', { name: 'Run now: Largest files on Monday' }).click();
    await page.getByText(/Under Exports/).waitFor();
    await page.getByRole('button', { name: 'History of Largest files on Monday' }).click();
    await page.getByRole('dialog').getByText('by hand').waitFor();
    await waitUntilSettled(page);
    await screenshot(page, 'schedule-history', ['desktop']);
    expect(await accessibilityViolations(page)).toEqual([]);

    await page.goto(`${env.base}/#/reports/integrity`);
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('each file every 90 days').waitFor();
    await until(async () => (await env.api('GET', '/integrity')).body.enabled === true, 're-reading to be on');
    expect(pageErrors).toEqual([]);
  });
});
