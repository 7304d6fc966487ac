import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { connect as openSocket } from 'node:net';
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { cloneDatabase } from './database.ts';
import { freePort, runCommand, startCommand, startService, stopService, temporaryFolder, until } from './service.ts';

const place = temporaryFolder();
afterAll(() => place.remove());

const open = { SVC_AUTH_ENABLED: 'false' };
const postJson = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

test('workers and apps that start before the schema wait for it and log no error', async () => {
  const database = await cloneDatabase();
  const { host, port, user, database: name, password } = database.address as Record<string, string | number | undefined>;
  const empty = `${name}_empty`;
  await database.pool.query(`create database ${empty}`);
  const secret = password ? `:${encodeURIComponent(password)}` : '';
  const env = {
    SVC_DATABASE_URL: `postgres://${user}${secret}@localhost/${empty}?host=${encodeURIComponent(String(host))}&port=${port}`,
    SVC_CONFIG_DIR: path.join(place.folder, 'early'),
    SVC_STOP_GRACE_SECONDS: '5',
    SVC_PORT: String(await freePort()),
    SVC_AUTO_INIT_DB: 'false',
  };
  const early = [startCommand(['worker'], env), startCommand(['app'], env)];
  try {
    for (const { output } of early) await until(() => output().includes('Waiting for the app'), 'the process to wait');
    expect((await runCommand(['bootstrap'], env)).code).toBe(0);
    await until(() => early[0]!.output().includes('Running up to'), 'the worker to start');
    await until(() => early[1]!.output().includes('Listening on'), 'the app to start');
    for (const { output } of early) expect(output()).not.toMatch(/"level":"(error|critical)"|does not exist/);
  } finally {
    for (const each of early) await stopService(each);
    await database.pool.query(`drop database ${empty} with (force)`);
    await database.close();
  }
});

test('a stop under load ends within the grace period: requests are answered and a running download is ended', async () => {
  const media = path.join(place.folder, 'media');
  mkdirSync(media, { recursive: true });
  writeFileSync(path.join(media, 'large.bin'), Buffer.alloc(64_000_000, 1));
  const service = await startService(path.join(place.folder, 'load'), { ...open, SVC_BROWSE_ROOTS: media });
  onTestFinished(async () => void (await stopService(service)));
  const api = `${service.url}/api/v1`;
  const library = (await (await postJson(`${api}/libraries`, { name: 'L', root_path: media })).json()) as { id: string };
  await postJson(`${api}/libraries/${library.id}/scan`, {});
  const item = await until(async () => {
    const { items } = (await (await fetch(`${api}/items?library=${library.id}`)).json()) as { items: { id: string }[] };
    return items[0]?.id;
  }, 'the file to be catalogued');

  // A client that never reads: the response can only be ended by the server.
  const { hostname, port } = new URL(service.url);
  const download = openSocket(Number(port), hostname);
  onTestFinished(() => void download.destroy());
  download.write(`GET /api/v1/items/${item}/file HTTP/1.1\r\nHost: x\r\n\r\n`);
  const head = await new Promise<string>((resolve) => download.once('data', (data) => resolve(data.toString('latin1'))));
  download.pause();
  expect(head).toContain('HTTP/1.1 200');

  const broken: string[] = [];
  let answered = 0;
  const client = async (): Promise<void> => {
    for (;;) {
      try {
        const response = await fetch(`${api}/libraries`);
        await response.json();
        if (!response.ok) broken.push(String(response.status));
        answered += 1;
      } catch (error) {
        const code = ((error as Error).cause as { code?: string } | undefined)?.code;
        // The server no longer accepts connections.
        if (code !== 'ECONNREFUSED' && code !== 'ECONNRESET') broken.push(String(code ?? error));
        return;
      }
    }
  };
  const clients = Array.from({ length: 8 }, client);
  await until(() => answered > 40, 'the load to start');
  const stopped = await stopService(service);
  await Promise.all(clients);
  expect([stopped.code, broken]).toEqual([0, []]);
  expect(stopped.output).not.toContain('was killed');
});

/** A file system of its own is needed, which only root can mount. */
const canMount = process.getuid?.() === 0 && mountable();
function mountable(): boolean {
  const probe = path.join(place.folder, 'probe');
  mkdirSync(probe, { recursive: true });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', probe]).status !== 0) return false;
  return spawnSync('umount', [probe]).status === 0;
}

describe.skipIf(!canMount)('a full disk (skipped where a file system cannot be mounted)', () => {
  test('writes are refused with 507 and the reason, reads go on, and the service recovers without a restart', async () => {
    const small = path.join(place.folder, 'small');
    mkdirSync(small, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=700m,mode=755', 'tmpfs', small]);
    const service = await startService(path.join(small, 'config'), { ...open, SVC_LOG_DB_ENABLED: 'false' });
    try {
      const api = `${service.url}/api/v1`;
      const save = (n: number) =>
        postJson(`${api}/presets`, { name: `preset${n}`, patterns: Array.from({ length: 500 }, (_, i) => `${n} ${i} ${'x'.repeat(400)}`) });
      expect((await save(0)).status).toBe(201);
      const filler = path.join(small, 'filler');
      let n = 0;
      const refused = await until(
        async () => {
          const { bavail, bsize } = statfsSync(small);
          if (bavail > 0) writeFileSync(filler, Buffer.alloc(bavail * bsize), { flag: 'a' });
          n += 1;
          const response = await save(n);
          return response.status === 201 ? null : response;
        },
        'a write to be refused',
        120_000,
      );
      expect([refused.status, refused.headers.get('content-type')]).toEqual([
        expect.toBeOneOf([507, 503]),
        expect.stringContaining('problem+json'),
      ]);
      expect(((await refused.json()) as { code: string }).code).toBeOneOf(['disk_full', 'database_unavailable']);
      const { app, worker } = service.processes();
      rmSync(filler);
      await until(
        async () => {
          n += 1;
          return (await save(n)).status === 201;
        },
        'writes to work again',
        120_000,
      );
      expect(service.processes()).toMatchObject({ app, worker });
    } finally {
      await stopService(service);
      execFileSync('umount', ['-l', small]);
    }
  });
});
