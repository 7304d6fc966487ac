import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Database } from '../src/platform/database/index.ts';
import { listen } from '../src/platform/queue/index.ts';
import { cloneDatabase } from './database.ts';
import { freePort, startCommand, stopService, temporaryFolder, until } from './service.ts';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(existsSync);
const place = temporaryFolder();
afterAll(() => place.remove());

describe.skipIf(!program)('behind PgBouncer in transaction mode (skipped without pgbouncer)', () => {
  let direct: Database;
  let pooler: ChildProcess;
  let port: number;
  let user: string;
  let password: string | undefined;
  let host: string;
  let name: string;

  beforeAll(async () => {
    direct = await cloneDatabase();
    const address = direct.address as { host: string; port: number; user: string; database: string; password?: string };
    ({ host, user, password, database: name } = address);
    port = await freePort();
    const config = path.join(place.folder, 'pgbouncer.ini');
    const users = path.join(place.folder, 'users.txt');
    writeFileSync(users, `"${user}" "${password ?? ''}"\n`);
    writeFileSync(
      config,
      [
        '[databases]',
        `* = host=${host} port=${address.port} user=${user}${password ? ` password=${password}` : ''}`,
        '[pgbouncer]',
        'listen_addr = 127.0.0.1',
        `listen_port = ${port}`,
        'unix_socket_dir =',
        'auth_type = trust',
        `auth_file = ${users}`,
        'pool_mode = transaction',
        // Fewer than the app's own pool, so that sessions are shared.
        'default_pool_size = 4',
        `logfile = ${path.join(place.folder, 'pgbouncer.log')}`,
      ].join('\n'),
    );
    chmodSync(place.folder, 0o777);
    // PgBouncer refuses to run as root, but must reach the socket of the server, which runs as another user or in a user namespace.
    const { uid, gid } = statSync(host);
    const isRoot = process.getuid?.() === 0;
    if (isRoot && uid === 0)
      pooler = spawn('unshare', ['--user', '--map-user=65534', '--map-group=65534', '--', program!, config], { stdio: 'ignore' });
    else pooler = spawn(program!, [config], { ...(isRoot ? { uid, gid } : {}), stdio: 'ignore' });
    const probe = connect({ host: '127.0.0.1', port, user, database: name }, { max: 1 });
    await until(async () => (await probe.pool.query('select 1')).rowCount === 1, 'the pooler to answer');
    await probe.close();
  });
  afterAll(async () => {
    pooler?.kill('SIGKILL');
    await direct?.close();
  });

  test('statements and transactions go through the pooler, and LISTEN goes past it with the session address', async () => {
    const database = connect({ host: '127.0.0.1', port, user, database: name }, { sessionAddress: direct.address });
    const notices: string[] = [];
    let connected = false;
    const listener = listen({
      address: database.address,
      name: 'test',
      channels: ['pooled'],
      onConnected: () => {
        connected = true;
      },
      onNotice: (_, payload) => void notices.push(payload),
    });
    try {
      await until(() => connected, 'the listener to connect');
      const work = Array.from({ length: 40 }, (_, n) =>
        database.db.transaction().execute(async (trx) => {
          const { rows } = await sql<{ n: number }>`select ${n}::int as n, ${[n, n + 1]}::int[] as list`.execute(trx);
          await sql`select pg_notify('pooled', ${String(rows[0]?.n)})`.execute(trx);
        }),
      );
      await Promise.all(work);
      await until(() => notices.length === 40, 'every notification to arrive');
    } finally {
      await listener.stop();
      await database.close();
    }
  });

  test('an app and a worker scan, search and report progress with SVC_QUEUE_DSN past the pooler', async () => {
    const media = path.join(place.folder, 'media');
    mkdirSync(media);
    for (let n = 0; n < 60; n += 1) writeFileSync(path.join(media, `note ${n}.txt`), `harbour ${n}`);
    const secret = password ? `:${encodeURIComponent(password)}` : '';
    const http = await freePort();
    const env = {
      SVC_DATABASE_URL: `postgres://${user}${secret}@127.0.0.1:${port}/${name}`,
      SVC_QUEUE_DSN: `postgres://${user}${secret}@localhost/${name}?host=${encodeURIComponent(host)}`,
      SVC_CONFIG_DIR: path.join(place.folder, 'config'),
      SVC_PORT: String(http),
      SVC_AUTH_ENABLED: 'false',
      SVC_BROWSE_ROOTS: media,
      SVC_STOP_GRACE_SECONDS: '10',
    };
    const parts = [startCommand(['app'], env), startCommand(['worker'], env)];
    const api = `http://127.0.0.1:${http}/api/v1`;
    const post = (url: string, body: object) =>
      fetch(`${api}${url}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    try {
      await until(async () => (await fetch(`${api}/health`)).ok, 'the app to start');
      const library = (await (await post('/libraries', { name: 'L', root_path: media })).json()) as { id: string };
      expect((await post(`/libraries/${library.id}/scan`, {})).status).toBe(202);
      await until(async () => {
        const found = (await (await fetch(`${api}/search?q=harbour`)).json()) as { total?: number };
        return found.total === 60;
      }, 'every file to be found by its content');
      const pages = await Promise.all(Array.from({ length: 30 }, () => fetch(`${api}/items?library=${library.id}&limit=50`)));
      expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]));
      for (const { output } of parts) expect(output()).not.toMatch(/"level":"error"|prepared statement/);
    } finally {
      for (const part of parts) await stopService(part);
    }
    expect(readFileSync(path.join(place.folder, 'pgbouncer.log'), 'utf8')).toContain(`${name}/${user}`);
  });
});
