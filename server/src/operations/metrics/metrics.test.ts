import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { createMetrics, formatMetrics, startMetricsReport } from '../../platform/metrics/index.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
  const library = await addLibrary(t.deps, { name: 'Photos "2024"' });
  await addItem(t.deps, library, 'a.jpg');
  await sql`insert into scan_runs (library_id, status, phase, finished_at, stats) values (${library}, 'finished', 'done', now(), '{"files_per_s": 1200}')`.execute(
    t.deps.db,
  );
});
afterAll(() => t.close());

test('GET /metrics needs an administrator, and reports queues, scans, index, pool, memory, disk, alerts and backups', async () => {
  const anonymous = await t.app.inject({ url: '/metrics' });
  expect(anonymous.statusCode).toBe(401);
  await t.request('GET', '/search?q=photo');
  const response = await t.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${t.keys.admin}` } });
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toContain('text/plain; version=0.0.4');
  for (const line of [
    /^catalog_build_info\{version="[\d.]+"\} 1$/m,
    /^catalog_items\{status="active"\} 1$/m,
    /^catalog_scan_files_per_second\{library="Photos \\"2024\\""\} 1200$/m,
    /^catalog_index_outbox_rows \d+$/m,
    /^catalog_extract_pending_files \d+$/m,
    /^catalog_workers 0$/m,
    /^catalog_database_connections\{state="idle",process="app-[^"]+"\} \d+$/m,
    /^catalog_process_resident_memory_bytes\{process="app-[^"]+"\} \d+$/m,
    /^catalog_disk_free_bytes\{path="[^"]+"\} \d+$/m,
    /^catalog_alerts_firing\{severity="critical"\} 0$/m,
    /^catalog_backups 0$/m,
    /^catalog_http_request_seconds_bucket\{method="GET",route="\/api\/v1\/search",process="[^"]+",le="\+Inf"\} [1-9]\d*$/m,
  ])
    expect(response.body).toMatch(line);
  const names = [...response.body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('with SVC_METRICS_TOKEN the token reads the metrics and nothing else', async () => {
  const other = await createTestApp({ SVC_METRICS_TOKEN: 'a token of this test' });
  try {
    const get = (url: string, token?: string) =>
      other.app.inject({ url, ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}) });
    expect((await get('/metrics')).statusCode).toBe(401);
    expect((await get('/metrics', 'another')).statusCode).toBe(401);
    expect((await get('/metrics', 'a token of this test')).statusCode).toBe(200);
    expect((await get('/api/v1/system/jobs', 'a token of this test')).statusCode).toBe(401);
  } finally {
    await other.close();
  }
});

test('an app also reports what its workers have stored, until they stop', async () => {
  const metrics = createMetrics();
  metrics.count('catalog_files_extracted_total', { category: 'document', outcome: 'failed' }, 3);
  const options = { db: t.deps.db, pool: t.deps.database.pool, log: t.deps.log, metrics };
  const worker = startMetricsReport({ ...options, role: 'worker' });
  await worker.store();
  const app = startMetricsReport({ ...options, metrics: createMetrics(), role: 'app' });
  const found = async () => formatMetrics(await app.read()).match(/catalog_files_extracted_total\{.*process="worker-.*\} 3/) !== null;
  expect(await found()).toBe(true);
  await worker.stop();
  expect(await found()).toBe(false);
  await app.stop();
});
