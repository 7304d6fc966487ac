import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../server/test/service.ts';
import { openPage } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { accessibilityViolations, screenshot, waitUntilSettled } from './page-checks.ts';
import { startEnvironment, type TestEnvironment } from './test-environment.ts';

// Skipped without Chromium; `npm test` installs it on Debian and otherwise reports the skip.
describe.runIf(chromiumPath)('alerts', () => {
  let env: TestEnvironment;
  const received: { kind?: string; test?: boolean; title?: string }[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      received.push(JSON.parse(body));
      response.end();
    });
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    env = await startEnvironment({ env: { SVC_WEBHOOK_ALLOWED_CIDRS: '127.0.0.1' } });
  });
  afterAll(async () => {
    await env?.close();
    receiver.close();
  });

  test('an administrator adds a channel, tests it, makes a rule, is told about a deleted file, and acknowledges it', async () => {
    const { id, root } = await env.addLibrary('Contracts', { 'one.txt': 'one', 'two.txt': 'two' });
    const { page, pageErrors } = await openPage(env.browser, env.base, { storageState: env.storageState });
    await page.goto(`${env.base}/#/alerts`);
    await page.getByText('Nothing is firing.').waitFor();

    await page.getByRole('button', { name: 'Add channel' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Webhook' }).check();
    await dialog.getByLabel('Name', { exact: true }).fill('Operations');
    await dialog.getByLabel('Address').fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);
    await dialog.getByRole('button', { name: 'Send a test' }).click();
    await dialog.getByText('accepted the message').waitFor();
    await dialog.getByRole('button', { name: 'Add channel' }).click();
    await page.getByRole('button', { name: 'Operations' }).waitFor();
    expect(received).toMatchObject([{ test: true }]);

    await page.getByRole('button', { name: 'New rule' }).click();
    const drawer = page.getByRole('dialog', { name: 'New rule' });
    await drawer.getByLabel('Name', { exact: true }).fill('Contracts deleted');
    await drawer.getByText(/Would|Not enough data/).waitFor();
    // The input of a multiple choice lies below the chosen values.
    await drawer.getByRole('combobox', { name: 'Send to', exact: true }).click({ force: true });
    await page.getByRole('option', { name: 'Operations' }).click();
    await page.keyboard.press('Tab');
    await waitUntilSettled(page);
    await screenshot(page, 'alerts-rule', ['desktop']);
    await drawer.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('Operations accepted the message.').waitFor();
    expect(received).toMatchObject([{ test: true }, { test: true }]);
    await drawer.getByLabel('Name', { exact: true }).press('Escape');
    await page.getByRole('dialog', { name: 'Discard the changes?' }).getByRole('button', { name: 'Cancel' }).click();
    await drawer.getByLabel('Name', { exact: true }).press('Control+Enter');
    await drawer.waitFor({ state: 'detached' });
    const rule = (await env.api('GET', '/alert-rules')).body.find(({ name }: { name: string }) => name === 'Contracts deleted');
    await env.api('PATCH', `/alert-rules/${rule.id}`, { group_wait_s: 0 });

    rmSync(path.join(root, 'one.txt'));
    expect(await env.scan(id)).toBe('finished');
    await until(() => received.find(({ kind }) => kind === 'firing'), 'the message about the deleted file', 150_000);
    expect(received.at(-1)).toMatchObject({ kind: 'firing', title: 'one.txt deleted in Contracts' });
    await page.reload();
    await page.getByText('one.txt deleted in Contracts').waitFor();
    await page.getByText('sent to Operations').waitFor();
    await waitUntilSettled(page);
    await screenshot(page, 'alerts-firing', ['desktop', 'phone']);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Alerts' }).click();
    await page.getByRole('menuitem', { name: 'one.txt deleted in Contracts' }).waitFor();
    await waitUntilSettled(page);
    await screenshot(page, 'alerts-bell', ['desktop']);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.keyboard.press('s');
    await page.getByRole('menuitem', { name: 'For 4 hours' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.keyboard.press('a');
    await page.getByText('Nothing is firing.').waitFor();
    await page.getByText('Acknowledged by ann').waitFor();
    expect(pageErrors).toEqual([]);
  }, 300_000);
});
