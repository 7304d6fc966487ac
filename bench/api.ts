import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { systemClock } from '../server/src/platform/clock.ts';
import { connect, type Database, migrate, startEmbedded } from '../server/src/platform/database/index.ts';
import { silentLog } from '../server/src/platform/log/index.ts';
import { appNodeFlags, mallocEnv } from '../server/src/platform/processes.ts';
import { allDocuments } from '../server/src/search/documents/index.ts';
import { openSearchWriter } from '../server/src/search/engines/index.ts';
import { createProjector } from '../server/src/search/projection/index.ts';
import { settingsForTests } from '../server/src/settings/index.ts';
import { type Client, createClient, createLightClient, runConcurrently } from './api/client.ts';
import { loadItems } from './api/load.ts';
import { buildPostgresIndex, searchPostgres, sumTopFolders } from './api/postgres.ts';
import { createScopedKey, createServiceKey, nextMessage, startApp } from './api/service.ts';
import type { Bench, Row } from './row.ts';
import { type Latency, latencyOf, timeEach } from './search/measurements.ts';
import { makeQueries, makeUniquePrefixes } from './search/queries.ts';

/** Concurrent callers, and queries per caller. PostgreSQL gets fewer because it is far slower. */
const callers = 50;
const perCaller = 8;
const peerPerCaller = 1;
/** Rounds before the measurement, so that the JIT compiler is done. */
const warmUpRounds = 5;
/** Of the measurement; the median round counts, because one second of other load on the machine would decide otherwise. */
const rounds = 5;

type Settings = ReturnType<typeof settingsForTests>;

/** Searches a million items over HTTP with the embedded engine, compared with the same queries in PostgreSQL without HTTP. */
const bench: Bench = async ({ scale }) => {
  const size = Math.round(1_000_000 * scale);
  const folder = await mkdtemp(join(tmpdir(), 'bench-api-'));
  const server = await startEmbedded({ folder: join(folder, 'postgres'), durable: false, settings: { shared_buffers: '1GB' } });
  const database = connect({
    host: server.host,
    port: server.port,
    user: server.user,
    password: server.password,
    database: server.database,
  });
  let app: ChildProcess | null = null;
  try {
    await migrate(database.pool);
    const libraries = await loadItems(database.db, size);
    const settings = settingsForTests({ SVC_CONFIG_DIR: folder });
    const rebuilt = await measureRebuild(database, settings, size);
    const started = await startApp(database.address, folder, { ...mallocEnv, ...process.env }, appNodeFlags);
    app = started.app;
    const key = await createServiceKey(database.db);
    const client = createClient(started.url, key);
    const manyCallers = createLightClient(started.url, key);
    const queries = makeQueries(size);
    const searchPath = (text: string) => `/search?q=${encodeURIComponent(`${text} `)}`;
    const faceted = queries['filter + 4 facets'].slice(0, 100).map(({ text }) => searchPath(text));
    const prefixes = queries.prefix.slice(0, 100).map(({ text }) => `/search?q=${encodeURIComponent(text)}&facets=false&limit=20`);

    const words = queries['filter + 4 facets'].slice(0, 100).map(({ text }) => text);
    const unique = makeUniquePrefixes(size, callers * ((rounds + warmUpRounds) * perCaller + peerPerCaller), new Set(words));
    const uncached = unique.slice(0, callers * perCaller * rounds).map(searchPath);
    const warmUp = unique.slice(-callers * perCaller * warmUpRounds).map(searchPath);

    const start = performance.now();
    await buildPostgresIndex(database.db);
    const peerBuild = Math.round((size / (performance.now() - start)) * 1000);
    const rows: Row[] = [
      { ...rebuilt, peer: `${peerBuild} docs/s PostgreSQL (one tsvector and its GIN index)`, ratio: round(rebuilt.value / peerBuild) },
    ];
    const withFacets = (text: string): Promise<number> => searchPostgres(database.db, text, { facets: true });
    const peerFacets = await timeEach(words.slice(0, 60), withFacets, 15_000);
    const peerConcurrent = await runConcurrently(
      callers,
      peerPerCaller,
      unique.slice(callers * perCaller * rounds, callers * (perCaller * rounds + peerPerCaller)),
      withFacets,
    );
    const peerPrefix = await timeEach(
      queries.prefix.slice(0, 60),
      ({ text }) => searchPostgres(database.db, text, { prefix: true }),
      15_000,
    );
    const oneCaller = await timeEach(faceted, client);
    rows.push(row('search with facets, one caller, p95', oneCaller, 40, peerFacets));
    await runConcurrently(callers, perCaller * warmUpRounds, warmUp, manyCallers);
    const inRounds = (queriesOf: (round: number) => readonly string[]): Promise<Latency> =>
      medianRound((round) => runConcurrently(callers, perCaller, queriesOf(round), manyCallers));
    const concurrent = await inRounds((round) => uncached.slice(round * callers * perCaller, (round + 1) * callers * perCaller));
    rows.push(row('search with facets, 50 callers, uncached queries, p95', concurrent, 120, peerConcurrent));
    const repeated = await inRounds(() => uncached.slice(0, callers * perCaller));
    rows.push(row('search with facets, 50 callers, repeated queries, p95', repeated, 120, null));
    manyCallers.close();
    rows.push(row('search as you type, p95', await timeEach(prefixes, client), 25, peerPrefix));
    const roots = Array.from({ length: 12 }, () => [...libraries.values()]).flat();
    const peerRoots = await timeEach(roots, (library) => sumTopFolders(database.db, library), 15_000);
    const trees = await timeEach(
      roots.map((library) => `/libraries/${library}/tree?limit=200`),
      client,
    );
    rows.push(row('top-level folders of a library with their totals, p95', trees, 40, peerRoots));
    const scopedClient = createClient(started.url, await createScopedKey(database.db, [...libraries.values()]));
    const scoped = await timeEach(faceted, scopedClient);
    const ratio = scoped.p95 / oneCaller.p95;
    rows.push({
      ...row('search with facets, person with 100 grants, p95', scoped, null, null),
      peer: `${round(oneCaller.p95)} ms as administrator`,
      ratio: round(ratio),
      limit: 'at most 1.5 × an administrator',
      ok: ratio <= 1.5,
    });
    rows.push(await measureIndexingDelay(database, settings, client));
    rows.push(await measureMemory(app, folder, [...faceted, ...prefixes]));
    return { rows, notes: [`${size.toLocaleString('en')} items; PostgreSQL is queried directly, without HTTP`] };
  } finally {
    app?.kill();
    await database.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

/** The round with the median p95. */
async function medianRound(measure: (round: number) => Promise<Latency>): Promise<Latency> {
  const measured: Latency[] = [];
  for (let round = 0; round < rounds; round += 1) measured.push(await measure(round));
  return measured.toSorted((a, b) => a.p95 - b.p95)[Math.floor(rounds / 2)] as Latency;
}

async function measureRebuild({ db }: Database, settings: Settings, size: number): Promise<Row> {
  const writer = openSearchWriter(settings);
  const start = performance.now();
  await writer.rebuild(allDocuments(db, 2000));
  const rate = (size / (performance.now() - start)) * 1000;
  await writer.close();
  return {
    name: 'full rebuild from the database',
    value: Math.round(rate),
    unit: 'docs/s',
    peer: '',
    ratio: null,
    limit: 'at least 15,000 docs/s',
    ok: rate >= 15_000,
  };
}

/** Time from the commit of a change until a search over HTTP finds it. */
async function measureIndexingDelay(database: Database, settings: Settings, client: Client): Promise<Row> {
  const projector = createProjector(
    { db: database.db, database, settings, log: silentLog, clock: systemClock },
    openSearchWriter(settings),
  );
  projector.start();
  const times: number[] = [];
  try {
    for (let turn = 0; turn <= 20; turn += 1) {
      const word = `visiblemark${turn}x`;
      await sql`update items set title = ${word} where id = (select id from items where status = 'active' order by id offset ${turn * 3} limit 1)`.execute(
        database.db,
      );
      const start = performance.now();
      while ((await client(`/search?facets=false&q=${word}`)) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      times.push(performance.now() - start);
    }
  } finally {
    await projector.stop();
  }
  // The first change includes the start of the projector.
  const [first = Number.NaN, ...rest] = times;
  const { p50, max } = latencyOf(rest);
  return {
    name: 'delay until a committed change is found, worst of 20',
    value: Math.round(max),
    unit: 'ms',
    peer: '',
    ratio: null,
    limit: 'at most 1,000 ms',
    ok: max <= 1000,
    detail: `median ${Math.round(p50)} ms; ${Math.round(first)} ms for a change made while the projector starts`,
  };
}

/** Memory of the app without the engine: its resident memory minus that of a process that runs only the engine with the same queries. */
async function measureMemory(app: ChildProcess, folder: string, paths: readonly string[]): Promise<Row> {
  const report = nextMessage<{ rss: number }>(app);
  app.send('memory');
  const { rss } = await report;
  const words = paths.map((path) => new URLSearchParams(path.split('?')[1]).get('q') ?? '');
  const engine = fork(new URL('api/engine-process.ts', import.meta.url), [join(folder, 'index', 'items'), JSON.stringify(words)], {
    env: { ...mallocEnv, ...process.env },
  });
  const { bytes } = await nextMessage<{ bytes: number }>(engine);
  const own = Math.round((rss - bytes) / 2 ** 20);
  return {
    name: 'app memory without the engine',
    value: own,
    unit: 'MiB',
    peer: '',
    ratio: null,
    limit: 'at most 300 MiB',
    ok: own <= 300,
    detail: `resident ${Math.round(rss / 2 ** 20)} MiB, engine alone ${Math.round(bytes / 2 ** 20)} MiB`,
  };
}

function row(name: string, own: Latency, limit: number | null, peer: Latency | null): Row {
  return {
    name,
    value: round(own.p95),
    unit: 'ms',
    peer: peer ? `${round(peer.p95)} ms PostgreSQL` : '',
    ratio: peer ? round(own.p95 / peer.p95) : null,
    limit: limit === null ? '' : `at most ${limit} ms`,
    ok: limit === null || own.p95 <= limit,
    detail: `p50 ${round(own.p50)} ms, ${own.count} queries`,
  };
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}

export default bench;
