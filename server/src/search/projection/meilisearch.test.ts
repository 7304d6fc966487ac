import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessionCookie } from '../../../test/app.ts';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';
import { type MeilisearchServer, meilisearchProgram, startMeilisearch } from '../../../test/meilisearch-server.ts';
import { performTask } from '../../../test/perform.ts';
import { until } from '../../../test/service.ts';
import { createScanRun, performScan, scanDependencies } from '../../catalog/scan/index.ts';
import { indexChecks } from './checks.ts';
import { readRebuild } from './store.ts';
import { indexMaintenance } from './tasks.ts';

/** The service on a real Meilisearch server. Skipped when there is no program; `npm test` says so. */
describe.skipIf(meilisearchProgram === undefined)('the service on a real Meilisearch server', () => {
  let server: MeilisearchServer;
  let t: IndexedApp;
  let library: string;
  let root: string;

  beforeAll(async () => {
    server = await startMeilisearch(meilisearchProgram!);
    t = await createIndexedApp({ SVC_SEARCH_URL: server.url, SVC_SEARCH_MASTER_KEY: server.key });
    root = mkdtempSync(path.join(os.tmpdir(), 'catalog-library-'));
    for (const file of ['a/harbour plan.txt', 'a/harbour plan draft.txt', 'private/harbour fee.txt']) addFile(file);
    const added = await t.deps.db
      .insertInto('libraries')
      .values({ name: 'Docs', root_path: root })
      .returning('id')
      .executeTakeFirstOrThrow();
    library = added.id;
  });
  afterAll(async () => {
    await t?.close();
    await server?.close();
    if (root !== undefined) rmSync(root, { recursive: true, force: true });
  });

  function addFile(file: string): void {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), file);
  }

  const search = async (query: string, options?: Parameters<IndexedApp['request']>[3]) =>
    (await t.request('GET', `/search?${query}`, undefined, options)).json();
  const names = async (query: string) => (await search(query)).hits.map((hit: { filename: string }) => hit.filename);
  const differences = () => indexChecks[0]!.run(t.deps);
  async function scan(): Promise<void> {
    const run = await createScanRun(t.deps.db, { libraryId: library, trigger: 'manual', forceEmpty: false });
    await performScan(scanDependencies({ db: t.deps.db }), run.id);
  }
  async function isWhole(): Promise<void> {
    await t.waitForIndex();
    await until(async () => (await differences()).length === 0, 'the index to equal the database');
  }

  test('what a scan finds can be searched; the name that consists of the typed words comes first', async () => {
    await scan();
    await isWhole();
    expect(await names('q=harbour%20plan')).toEqual(['harbour plan.txt', 'harbour plan draft.txt']);
    expect((await search('q=harbour')).total).toBe(3);
  });

  test('a restricted person finds only what their grants allow', async () => {
    await t.request('POST', '/auth/bootstrap', { username: 'ann', password: 'long enough' }, { as: null });
    const eve = (await t.request('POST', '/auth/users', { username: 'eve', password: 'long enough', global_role: 'viewer' })).json();
    const headers = sessionCookie(await t.request('POST', '/auth/login', { username: 'eve', password: 'long enough' }, { as: null }));
    expect((await search('q=harbour', { as: null, headers })).total).toBe(0);
    const grant = { subject_kind: 'principal', subject_id: eve.id, library_id: library, action: 'search_metadata' };
    await t.request('POST', '/rbac/grants', { ...grant, rel_path: 'a', effect: 'allow' });
    expect((await search('q=harbour', { as: null, headers })).total).toBe(2);
  });

  test('a rebuild ends with the same documents', async () => {
    const rebuild = indexMaintenance(t.deps).find(({ key }) => key === 'rebuild_index')!.task;
    await performTask(t.deps, rebuild, {});
    expect(await readRebuild(t.deps.db)).toMatchObject({ status: 'done', documents: 3 });
    await isWhole();
    expect((await search('q=harbour')).total).toBe(3);
  });

  test('while the server is dead search is unavailable; when it is back, the index catches up by itself', async () => {
    await server.kill();
    expect(await search('q=harbour')).toMatchObject({ status: 503, code: 'search_unavailable' });
    addFile('a/harbour chart.txt');
    await scan();
    await server.start();
    await isWhole();
    expect((await search('q=harbour')).total).toBe(4);
  });

  test('a newer server refuses the data of an older one and says how to upgrade; with its upgrade switch, search works again', async () => {
    await server.kill();
    server.pretendVersion('1.48.0');
    await expect(server.start()).rejects.toThrow(/1\.48\.0.*--upgrade-db/s);
    expect(await search('q=harbour')).toMatchObject({ status: 503, code: 'search_unavailable' });
    await server.start({ upgrade: true });
    await isWhole();
    expect((await search('q=harbour')).total).toBe(4);
  });

  test('a server that lost its data gets a new index without a person', async () => {
    await server.kill();
    server.wipe();
    await server.start();
    await isWhole();
    expect((await search('q=harbour')).total).toBe(4);
  });
});
