import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assembleApp } from '../src/assembly/app.ts';
import { seed } from '../src/assembly/seed.ts';
import { connect, type Database, migrate, startEmbedded } from '../src/platform/database/index.ts';
import type { App } from '../src/platform/http/index.ts';
import { addPerson } from './catalog-rows.ts';
import { createIndexedApp, type IndexedApp } from './indexed-app.ts';
import { temporaryFolder, until } from './service.ts';

type Server = Awaited<ReturnType<typeof startEmbedded>>;

/** A primary and a streaming replica of it, both from the embedded programs. The replica starts as a copy of the stopped primary. */
const place = temporaryFolder();
const folders = { primary: path.join(place.folder, 'primary'), replica: path.join(place.folder, 'replica') };
const settings = { wal_level: 'replica', max_wal_senders: '4', max_connections: '60', shared_buffers: '32MB' };
const startPrimary = () => startEmbedded({ folder: folders.primary, durable: false, settings });
const startReplica = ({ host, port, user, password }: Server) =>
  startEmbedded({
    folder: folders.replica,
    durable: false,
    settings: {
      ...settings,
      primary_conninfo: `host=${host} port=${port} user=${user} password=${password}`,
      wal_retrieve_retry_interval: '100ms',
    },
  });
const addressOf = ({ host, port, user, password }: Server, database: string) => ({ host, port, user, password, database });
const urlOf = ({ host, port, user, password }: Server) =>
  `postgres://${user}:${encodeURIComponent(password)}@localhost/catalog?host=${encodeURIComponent(host)}&port=${port}`;

let servers: { primary: Server; replica: Server };
let onReplica: Database;
let t: IndexedApp;
let library: string;
let ids: string[];
let reader: string;

beforeAll(async () => {
  chmodSync(place.folder, 0o755);
  const first = await startPrimary();
  const admin = connect(addressOf(first, 'postgres'), { max: 1 });
  await admin.pool.query('create database catalog');
  await admin.close();
  const empty = connect(addressOf(first, 'catalog'), { max: 1 });
  await migrate(empty.pool);
  await seed(empty.db);
  await empty.close();
  await first.stop();
  mkdirSync(folders.replica);
  for (const name of ['data', 'password']) cpSync(path.join(folders.primary, name), path.join(folders.replica, name), { recursive: true });
  chmodSync(path.join(folders.replica, 'data'), 0o700);
  writeFileSync(path.join(folders.replica, 'data', 'standby.signal'), '');
  const primary = await startPrimary();
  const database = connect(addressOf(primary, 'catalog'));
  writeFileSync(
    path.join(folders.primary, 'data', 'pg_hba.conf'),
    'local all catalog scram-sha-256\nlocal replication catalog scram-sha-256\n',
  );
  await database.pool.query('select pg_reload_conf()');
  servers = { primary, replica: await startReplica(primary) };
  onReplica = connect(addressOf(servers.replica, 'catalog'), { max: 2 });
  t = await createIndexedApp(env(60), database);
  library = await t.addLibrary('Replicated');
  ids = await t.addItems(library, [
    { path: 'harbour one.pdf', title: 'before', size: 5000 },
    { path: 'harbour two.pdf', title: 'before', size: 4000 },
  ]);
  await t.waitForIndex();
  reader = (await addPerson(t.deps, [[library, '', 'search_metadata']])).key;
});
afterAll(async () => {
  await t?.close();
  await onReplica?.close();
  await servers?.replica.stop();
  await servers?.primary.stop();
  place.remove();
});

function env(maxLag: number): Record<string, string> {
  return {
    SVC_DATABASE_URL: urlOf(servers.primary),
    SVC_DATABASE_REPLICA_URL: urlOf(servers.replica),
    SVC_DATABASE_REPLICA_MAX_LAG_SECONDS: String(maxLag),
  };
}

const replicaState = async (app: Pick<IndexedApp, 'request'> = t) => {
  const { services } = (await app.request('GET', '/system/about')).json() as {
    services: { name: string; detail: string; error: string | null }[];
  };
  return services.find(({ name }) => name === 'PostgreSQL replica');
};
const inUse = async () => (await replicaState())?.detail.startsWith('in use') ?? false;
const replayed = () =>
  until(async () => {
    const { rows } = await sql<{ at: string }>`select pg_current_wal_insert_lsn()::text as at`.execute(t.deps.db);
    const { rows: there } = await sql<{ there: boolean }>`select pg_last_wal_replay_lsn() >= ${rows[0]!.at}::pg_lsn as there`.execute(
      onReplica.db,
    );
    return there[0]!.there;
  }, 'the replica to catch up');
const pause = () => onReplica.pool.query('select pg_wal_replay_pause()');
const resume = () => onReplica.pool.query('select pg_wal_replay_resume()');

/** Another process on the same database. */
const asking = (app: App) =>
  ({
    request: async (method: 'GET', url: string, _body?: unknown, { as = 'admin' }: { as?: string | null } = {}) =>
      app.inject({ method, url: `/api/v1${url}`, headers: { authorization: `Bearer ${t.keys[as as 'admin'] ?? as}` } }),
  }) as unknown as Pick<IndexedApp, 'request'>;

async function titles(as: string, via: Pick<IndexedApp, 'request'> = t): Promise<(string | null)[]> {
  const { hits } = (await via.request('GET', '/search?q=harbour&sort=size', undefined, { as })).json() as {
    hits: { title: string | null }[];
  };
  return hits.map(({ title }) => title);
}
const largest = async (as: string): Promise<number[]> => {
  const { rows } = (await t.request('GET', '/reports/largest_files', undefined, { as })).json() as { rows: { size: number }[] };
  return rows.map(({ size }) => size);
};

test('rows of search results and pages of reports are read from the replica', async () => {
  await until(inUse, 'the replica to be in use');
  await replayed();
  await pause();
  try {
    await sql`update items set title = 'after', size = size + 1 where id = ${ids[0]}`.execute(t.deps.db);
    expect(await titles(reader)).toEqual(['before', 'before']);
    expect(await largest(reader)).toEqual([5000, 4000]);
  } finally {
    await resume();
  }
  await replayed();
  expect(await largest(reader)).toEqual([5001, 4000]);
});

test('a caller who wrote reads the own write in every process, while others may read from the replica', async () => {
  const other = await assembleApp(t.deps);
  const secondProcess = asking(other);
  await until(async () => (await replicaState(secondProcess))?.detail.startsWith('in use'), 'the second process to use the replica');
  await replayed();
  await pause();
  try {
    const changed = await t.request('PATCH', `/items/${ids[1]}`, { title: 'mine' }, { as: 'write' });
    expect(changed.statusCode, changed.body).toBe(200);
    expect(await titles('write')).toContain('mine');
    expect(await titles('write', secondProcess)).toContain('mine');
    expect(await titles(reader)).not.toContain('mine');
  } finally {
    await resume();
    await other.close();
  }
  await replayed();
  await until(async () => (await titles(reader)).includes('mine'), 'the replica to serve the change');
});

test('a report that settles totals first reads them from the primary while the replica does not have them', async () => {
  await replayed();
  await pause();
  try {
    const [added] = await t.addItems(library, [{ path: 'late.pdf', size: 10 }]);
    expect(added).toBeDefined();
    const { rows } = (await t.request('GET', '/reports/library_totals')).json() as { rows: { file_count: number }[] };
    expect(rows.map(({ file_count }) => file_count)).toEqual([3]);
  } finally {
    await resume();
  }
});

test('a hit that the replica does not have yet is read from the primary', async () => {
  await replayed();
  await pause();
  try {
    await t.addItems(library, [{ path: 'lighthouse.pdf', title: 'new' }]);
    await t.waitForIndex();
    const { hits } = (await t.request('GET', '/search?q=lighthouse', undefined, { as: reader })).json() as { hits: { title: string }[] };
    expect(hits.map(({ title }) => title)).toEqual(['new']);
  } finally {
    await resume();
  }
});

test('a replica that lags too far is left out, and used again when it has caught up', async () => {
  const strict = await assembleApp({ ...t.deps, settings: { ...t.deps.settings, databaseReplicaMaxLagSeconds: 1 } });
  const app = asking(strict);
  try {
    await until(async () => (await replicaState(app))?.detail.startsWith('in use'), 'the replica to be in use');
    await pause();
    await sql`update items set title = 'much later' where id = ${ids[0]}`.execute(t.deps.db);
    const state = await until(async () => {
      const found = await replicaState(app);
      return found?.detail.startsWith('left out') ? found : null;
    }, 'the replica to be left out');
    expect(state.error).toContain('more than 1 seconds behind');
    expect(await titles(reader, app)).toContain('much later');
    await resume();
    await until(async () => (await replicaState(app))?.detail.startsWith('in use'), 'the replica to be in use again');
  } finally {
    await resume();
    await strict.close();
  }
});

test('without its replica the service reads from the primary and says so, and uses a replica that comes back', async () => {
  await until(inUse, 'the replica to be in use');
  await onReplica.close();
  await servers.replica.stop();
  expect(await titles(reader)).toContain('much later');
  expect(await largest(reader)).toContain(5001);
  const state = await until(async () => {
    const found = await replicaState();
    return found?.detail === 'left out' ? found : null;
  }, 'the replica to be left out');
  expect(state.error).toBeTruthy();
  servers.replica = await startReplica(servers.primary);
  onReplica = connect(addressOf(servers.replica, 'catalog'), { max: 2 });
  await until(inUse, 'the replica to be in use again');
});

test('an address that leads to the primary or to another database is not used', async () => {
  const wrong = await assembleApp({ ...t.deps, settings: { ...t.deps.settings, databaseReplicaUrl: urlOf(servers.primary) } });
  try {
    const about = () => wrong.inject({ method: 'GET', url: '/api/v1/system/about', headers: { authorization: `Bearer ${t.keys.admin}` } });
    const error = await until(async () => {
      const { services } = (await about()).json() as { services: { name: string; error: string | null }[] };
      const found = services.find(({ name }) => name === 'PostgreSQL replica')?.error;
      return found?.startsWith('It has not been checked') ? null : found;
    }, 'the check');
    expect(error).toContain('not a streaming replica');
  } finally {
    await wrong.close();
  }
});
