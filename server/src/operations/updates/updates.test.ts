import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import { settingsForTests } from '../../settings/index.ts';
import { checkForUpdate, type UpdateDependencies } from './service.ts';

let t: TestApp;
let requests: string[] = [];
let status = 200;
const commits = ['c3', 'c2', 'c1'].map((name, at) => ({
  sha: `${name.charCodeAt(1).toString(16)}`.padEnd(40, 'abcdef0'),
  commit: { message: `${name}: change\n\nWhy ${name}.`, committer: { date: new Date(Date.UTC(2026, 0, 10 - at)).toISOString() } },
}));
const source = createServer((request, response) => {
  requests.push(request.url ?? '');
  response.writeHead(status).end(JSON.stringify(commits));
});
beforeAll(async () => {
  t = await createTestApp();
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  requests = [];
  status = 200;
});
afterAll(async () => {
  source.close();
  await t.close();
});

let now = new Date('2026-02-01T00:00:00Z');
function dependencies(env: Record<string, string> = {}, buildStamp: string | null = null): UpdateDependencies {
  const settings = settingsForTests({
    SVC_SOURCE_URL: 'https://github.com/example/catalog',
    SVC_WEBHOOK_ALLOWED_CIDRS: '127.0.0.1',
    ...env,
  });
  return {
    db: t.deps.db,
    settings,
    clock: { ...t.deps.clock, now: () => now },
    outbound: createOutbound({ settings, env: {} }),
    buildStamp,
    apiBase: `http://127.0.0.1:${(source.address() as AddressInfo).port}`,
  };
}

test('POST performs the check now and compares by commit or by time; the result is cached in the database', async () => {
  const byCommit = dependencies({}, commits[1]!.sha);
  const result = await checkForUpdate(byCommit, { force: true });
  expect(result).toMatchObject({
    checked_at: now.toISOString(),
    error: null,
    components: [
      { component: 'central', latest: commits[0]!.sha.slice(0, 7), update_available: true, detail: '1 changes since this version.' },
    ],
    changelog: [{ subject: 'c3: change', body: 'Why c3.', is_new: true }, { is_new: false }, { is_new: false }],
  });
  expect(requests).toEqual(['/repos/example/catalog/commits?per_page=20']);
  expect(await checkForUpdate(byCommit, { force: false })).toEqual(result);
  expect(requests).toHaveLength(1);
  const byTime = await checkForUpdate(dependencies({}, '2026-01-20T00:00:00Z'), { force: true });
  expect(byTime.components[0]).toMatchObject({ update_available: false, detail: 'This is the newest version.' });
  expect((await checkForUpdate(dependencies(), { force: true })).components[0]).toMatchObject({ update_available: null });
});

test('a stale result is refreshed on a console load only with SVC_UPDATE_CHECK_AUTO, after six hours', async () => {
  await checkForUpdate(dependencies(), { force: true });
  now = new Date(now.getTime() + 7 * 3_600_000);
  requests = [];
  await checkForUpdate(dependencies(), { force: false });
  expect(requests).toEqual([]);
  const auto = dependencies({ SVC_UPDATE_CHECK_AUTO: 'true' });
  await checkForUpdate(auto, { force: false });
  await checkForUpdate(auto, { force: false });
  expect(requests).toHaveLength(1);
});

test('being offline, another answer and a source that is no repository degrade to a note', async () => {
  status = 503;
  expect((await checkForUpdate(dependencies(), { force: true })).error).toContain('503');
  const offline = { ...dependencies(), apiBase: 'http://127.0.0.1:1' };
  expect((await checkForUpdate(offline, { force: true })).error).toContain('could not be reached');
  expect((await checkForUpdate(dependencies({ SVC_SOURCE_URL: 'https://example.org/x' }), { force: true })).error).toContain(
    'SVC_SOURCE_URL',
  );
  const response = await t.request('POST', '/system/update-check');
  expect([response.statusCode, response.json().error]).toEqual([200, expect.stringContaining('SVC_SOURCE_URL')]);
  expect((await t.request('POST', '/system/update-check', undefined, { as: 'read' })).statusCode).toBe(403);
  expect((await t.request('GET', '/system/update-check', undefined, { as: 'read' })).statusCode).toBe(200);
});

test('GET /system/features lists the optional features, their setting, and the libraries that use them', async () => {
  const { features } = (await t.request('GET', '/system/features', undefined, { as: 'read' })).json();
  const byKey = Object.fromEntries((features as { key: string }[]).map((feature) => [feature.key, feature]));
  expect(byKey).toMatchObject({
    auth: { enabled: true, scope: 'env', env: 'SVC_AUTH_ENABLED' },
    ocr: { scope: 'libraries', count: 0, total: 0, enabled: false },
    chunking: { scope: 'libraries', count: 0, total: 0, enabled: false },
    update_check_auto: { enabled: false, env: 'SVC_UPDATE_CHECK_AUTO' },
    log_db: { env: 'SVC_LOG_DB_ENABLED' },
    thumbnail_budget: { env: 'SVC_THUMBNAIL_BUDGET_GB' },
  });
});
