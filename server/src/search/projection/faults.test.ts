import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';
import { until } from '../../../test/service.ts';
import type { Database } from '../../platform/database/index.ts';
import { settingsForTests } from '../../settings/index.ts';
import { itemsDirectory, openSearchReader, type SearchReader } from '../engines/index.ts';
import { type FakeServer, startFakeServer } from '../engines/meilisearch/fake-server.fixture.ts';
import { compareIndex, indexChecks } from './checks.ts';
import { findDrift, outboxDepth } from './index.ts';
import { readRebuild, writeRebuild } from './store.ts';

const configDir = mkdtempSync(path.join(os.tmpdir(), 'catalog-faults-'));
const settings = settingsForTests({ SVC_CONFIG_DIR: configDir });
const program = fileURLToPath(new URL('projector-process.fixture.ts', import.meta.url));
let database: Database;
let reader: SearchReader;
let child: ChildProcess | null = null;
let counter = 0;

beforeAll(async () => {
  database = await cloneDatabase();
  reader = openSearchReader(settings);
  await sql`with made as (insert into libraries (name, root_path) values ('Docs', '/docs') returning id)
    insert into folders (library_id, rel_path, path) select id, 'a', 'a' from made`.execute(database.db);
});
afterEach(() => child?.kill('SIGKILL'));
afterAll(async () => {
  await reader.close();
  await database.close();
  rmSync(configDir, { recursive: true, force: true });
});

const addItems = async (count: number): Promise<void> => {
  counter += 1;
  await sql`insert into items (library_id, folder_id, filename, size, mtime_ns)
    select f.library_id, f.id, 'ledger ' || ${counter}::int || ' ' || n, n, 1700000000000000000 from folders f, generate_series(1, ${count}::int) n`.execute(
    database.db,
  );
};
const total = async (): Promise<number> =>
  (await sql<{ total: number }>`select count(*) as total from items`.execute(database.db)).rows[0]!.total;

/** Runs a projector until it has sent this message so many times, then kills it. */
async function killAfter(word: string, times = 1): Promise<void> {
  const mine = fork(program, [JSON.stringify(database.address), configDir], { execArgv: [], stdio: 'ignore' });
  child = mine;
  await new Promise<void>((resolve, reject) => {
    let heard = 0;
    mine.on('message', (said) => {
      if (said === word) heard += 1;
      if (heard === times) mine.kill('SIGKILL');
    });
    mine.once('exit', (_, signal) => (signal === 'SIGKILL' ? resolve() : reject(new Error('It ended by itself.'))));
  });
}

/** A new projector must bring the index up to date without intervention. */
async function heals(): Promise<void> {
  child = fork(program, [JSON.stringify(database.address), configDir], { execArgv: [], stdio: 'ignore' });
  await until(async () => (await outboxDepth(database.db)) === 0, 'the outbox to be drained');
  const items = await total();
  await until(async () => (await reader.search({ text: 'ledger', limit: 1 })).total === items, 'every item to be found');
  expect(await compareIndex(database.db, reader)).toEqual([]);
  const drift = await findDrift(database.db, reader, 100);
  expect([drift.missing, drift.stale, drift.extra]).toEqual([[], [], []]);
  const ended = new Promise((resolve) => child!.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

test.each([
  ['while it writes a batch', 'writing', 2],
  ['after a batch is written and before its notes are forgotten', 'written', 1],
])('kill -9 %s: nothing is lost and nothing is doubled', async (_, word, times) => {
  await addItems(2500);
  await killAfter(word, times);
  await heals();
});

test.each([
  ['between two pages', 'page', 1],
  ['just before the swap', 'swapping', 1],
  ['just after the swap', 'rebuilt', 1],
])('kill -9 during a rebuild %s: the old index or the new one answers, and the rebuild is done by the next', async (_, word, times) => {
  await writeRebuild(database.db, { id: word, status: 'requested', documents: 0, total: 0, error: null });
  await addItems(10);
  await killAfter(word, times);
  expect((await reader.search({ text: 'ledger', limit: 1 })).total).toBeGreaterThan(0);
  await heals();
  expect((await readRebuild(database.db))?.status).toBe('done');
});

test.each(['wiped', 'garbage in every file', 'a cut file'])(
  'the index folder is %s: unavailable at worst, then whole again',
  async (harm) => {
    const directory = itemsDirectory(settings);
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    if (harm === 'wiped' || harm === 'an empty folder')
      for (const entry of readdirSync(directory)) rmSync(path.join(directory, entry), { recursive: true, force: true });
    if (harm === 'wiped') rmSync(directory, { recursive: true, force: true });
    if (harm === 'garbage in every file') for (const file of files) writeFileSync(path.join(file.parentPath, file.name), 'garbage');
    if (harm === 'a cut file') for (const file of files) writeFileSync(path.join(file.parentPath, file.name), '');
    await reader.close();
    expect((await compareIndex(database.db, reader)).length).toBeGreaterThan(0);
    await addItems(5);
    await heals();
  },
);

/** An external engine end to end: rows, index, hits, and recovery after it was unreachable, wiped or returned garbage. */
let double: FakeServer;
let t: IndexedApp;
let library: string;

beforeAll(async () => {
  double = await startFakeServer();
  t = await createIndexedApp({ SVC_SEARCH_URL: double.url, SVC_SEARCH_MASTER_KEY: 'a master key' });
  library = await t.addLibrary('Docs', { exposeGps: true });
  await t.addItems(library, [
    { path: 'a/harbour one.pdf', tags: ['print'], body: 'the mooring fee', metadata: { exif: { gps_latitude: 60, gps_longitude: 5 } } },
    { path: 'b/harbour two.jpg', category: 'image', group: 'raster-photo' },
  ]);
  await t.waitForIndex();
});
afterAll(async () => {
  await t.close();
  await double.close();
});

const search = async (query: string) => (await t.request('GET', `/search?${query}`)).json();

test('search, filters, facets, snippets, geo and tags work through the server', async () => {
  const answer = await search('q=harbour&histograms=true');
  expect(answer).toMatchObject({
    total: 2,
    facets: { library_id: { [library]: 2 }, tags: { print: 1 } },
    degraded: false,
    total_bytes: 2000,
    facet_stats: { size: { min: 1000, max: 1000 } },
  });
  expect(answer.histograms.size).toEqual([{ from: 724, to: 1024, count: 2 }]);
  expect((await search('q=harbour%20kind:image')).total).toBe(1);
  expect((await search('q=mooring&search_in=content')).hits[0].snippet).toContain('<em>mooring</em>');
  expect((await search('geo_lat=60&geo_lng=5&geo_radius_m=1000')).total).toBe(1);
  expect((await t.request('GET', '/search/tags?q=pr')).json().tags).toEqual([{ value: 'print', count: 1 }]);
  expect((await search('limit=1&cursor=AAAA')).code).toBe('cursor_invalid');
  expect(await indexChecks[0]!.run(t.deps)).toEqual([]);
});

test.each([
  ['away', () => double.misbehave({ status: 503, body: '{}' })],
  ['talking nonsense', () => double.misbehave({ status: 200, body: 'nonsense' })],
  ['wiped', () => double.wipe()],
])('while the server is %s search answers 503; afterwards nothing is missing, without a person', async (harm, hurt) => {
  hurt();
  expect(await search('q=harbour')).toMatchObject({ status: 503, code: 'search_unavailable' });
  await t.addItems(library, [{ path: `c/harbour ${harm}.pdf` }]);
  double.misbehave(null);
  await t.waitForIndex();
  await until(async () => (await indexChecks[0]!.run(t.deps)).length === 0, 'parity');
  expect((await search(`q=${encodeURIComponent(harm)}`)).total).toBe(1);
});
