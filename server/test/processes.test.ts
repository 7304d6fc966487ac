import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { connect, startEmbedded } from '../src/platform/database/index.ts';
import {
  childProcesses,
  freePort,
  runCommand,
  type Service,
  startCommand,
  startService,
  stopService,
  temporaryFolder,
  until,
} from './service.ts';

const place = temporaryFolder();
afterAll(() => place.remove());
const health = (url: string) => fetch(`${url}/api/v1/health`).then((response) => response.ok);

test.each(['postgres', 'app'] as const)('a stop while the %s process starts is an ordinary stop', async (name) => {
  const configDir = path.join(place.folder, `stopped with ${name}`);
  const running = startCommand(['all'], { SVC_CONFIG_DIR: configDir, SVC_PORT: String(await freePort()) });
  const seen = () => childProcesses(running.child.pid!, configDir);
  await until(() => seen()[name], `the ${name} process`, 120_000);
  running.child.kill('SIGTERM');
  const { code, output } = await running.ended;
  expect([code, output]).toEqual([0, expect.not.stringMatching(/is running|Warning|"level":"(warning|error)"|throw/)]);
  expect(seen()).toEqual({ app: undefined, worker: undefined, postgres: undefined });
});

describe('catalog all', () => {
  let service: Service;
  const configDir = path.join(place.folder, 'with space', 'config');
  beforeAll(async () => {
    service = await startService(configDir);
    await fetch(`${service.url}/api/v1/auth/bootstrap`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'ann', password: 'long enough' }),
    });
  });
  afterAll(() => stopService(service));
  const usersExist = async () =>
    ((await (await fetch(`${service.url}/api/v1/auth/status`)).json()) as { users_exist: boolean }).users_exist;

  test('prints its address, the data folder and how to stop it', () => {
    expect(service.output()).toContain(`Open   ${service.url.replace('127.0.0.1', 'localhost')}`);
    expect(service.output()).toContain(`Data   ${configDir}`);
    expect(service.output()).toContain('Stop   Ctrl-C');
  });

  test('the first start makes secret.key in the config folder for its owner alone and says so, and it can be rotated', async () => {
    const file = path.join(configDir, 'secret.key');
    expect(service.output()).toContain(`Created ${file}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file, 'utf8').trim();
    const rotated = await runCommand(['secrets', 'rotate'], { SVC_CONFIG_DIR: configDir });
    expect([rotated.code, rotated.output]).toEqual([0, expect.stringContaining('Encrypted 0 secrets with the current key.')]);
    expect(readFileSync(file, 'utf8').trim().split('\n')[1]).toBe(before);
    expect((await runCommand(['secrets'], { SVC_CONFIG_DIR: configDir })).code).toBe(2);
  });

  test('everything in the config folder is closed to other users; only the database user passes through to its data', async () => {
    const asRoot = process.getuid?.() === 0;
    const passage = asRoot ? 0o710 : 0o700;
    expect((statSync(configDir).mode & 0o777).toString(8)).toBe(passage.toString(8));
    expect((statSync(path.join(configDir, 'postgres')).mode & 0o777).toString(8)).toBe(passage.toString(8));
    const open = readdirSync(configDir, { recursive: true, encoding: 'utf8' }).filter((name) => {
      if (name === 'postgres' || name.includes('postgres/programs-')) return false;
      // Files of the running database may vanish between listing and reading.
      const facts = lstatSync(path.join(configDir, name), { throwIfNoEntry: false });
      return facts !== undefined && (facts.mode & 0o077) !== 0;
    });
    expect(open).toEqual([]);
    if (!asRoot) return;
    const list = spawnSync('ls', [configDir], { uid: 65_534, gid: 65_533, encoding: 'utf8' });
    expect([list.status === 0, list.stdout]).toEqual([false, '']);
  });

  test('a config folder of an earlier version, open to everybody, is closed at the next start', async () => {
    for (const name of ['', 'index']) chmodSync(path.join(configDir, name), 0o755);
    expect((await runCommand(['check'], { SVC_CONFIG_DIR: configDir })).code).toBe(0);
    for (const name of ['', 'index']) expect(statSync(path.join(configDir, name)).mode & 0o007).toBe(0);
  });

  test('a second instance with the same config folder is rejected and names the process id of the first', async () => {
    const second = await runCommand(['all'], { SVC_CONFIG_DIR: configDir, SVC_PORT: String(await freePort()) });
    expect(second.code).toBe(1);
    expect(second.output).toContain(`process ${service.child.pid}`);
  });

  test('the app and the worker are restarted after kill -9', async () => {
    for (const name of ['app', 'worker'] as const) {
      const before = await until(() => service.processes()[name], `a ${name} process`);
      process.kill(before, 'SIGKILL');
      await until(() => service.processes()[name] !== before && service.processes()[name], `another ${name} process`);
      await until(() => health(service.url), 'the health route to respond');
    }
    expect(await usersExist()).toBe(true);
  });

  test('repeated and concurrent bootstraps change nothing, even while the service runs', async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, () => runCommand(['bootstrap'], { SVC_CONFIG_DIR: configDir })));
    for (const run of runs) expect([run.code, run.output.replace(/\d+/, 'N')]).toEqual([0, 'The schema is up to date at version N.\n']);
  });

  test('check passes on the running service', async () => {
    const checked = await runCommand(['check'], { SVC_CONFIG_DIR: configDir });
    expect(checked.output).toContain('All checks passed.');
    expect(checked.code).toBe(0);
  });

  test('kill -9 of the database restarts it; requests get 503 problem documents meanwhile, and everything recovers by itself', async () => {
    const { postgres, app, worker } = service.processes();
    process.kill(postgres!, 'SIGKILL');
    const refused = await until(async () => {
      const response = await fetch(`${service.url}/api/v1/auth/status`);
      return response.status === 200 ? null : response;
    }, 'a request to fail');
    expect([refused.status, refused.headers.get('content-type')]).toEqual([503, expect.stringContaining('application/problem+json')]);
    expect(await refused.json()).toMatchObject({ code: 'database_unavailable' });
    await until(usersExist, 'the database to be back');
    expect(service.processes()).toMatchObject({ app, worker, postgres: expect.any(Number) });
    expect(service.processes().postgres).not.toBe(postgres);
    expect(service.output()).toContain('It is being restarted.');
  });

  test('after kill -9 of the supervisor its processes exit, and the next start takes over the database', async () => {
    const { app, worker, postgres } = service.processes();
    service.child.kill('SIGKILL');
    const alive = (pid: number | undefined) => {
      try {
        return pid !== undefined && process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await until(() => !alive(app) && !alive(worker), 'the processes to exit');
    expect(alive(postgres)).toBe(true);
    service = await startService(configDir);
    expect(alive(postgres)).toBe(false);
    expect(await usersExist()).toBe(true);
  });

  test('the stop signal ends all processes with exit code 0', async () => {
    const stopped = await stopService(service);
    expect(stopped.code).toBe(0);
    expect(service.processes()).toEqual({ app: undefined, worker: undefined, postgres: undefined });
  });
});

describe('startup errors', () => {
  const base = { SVC_CONFIG_DIR: path.join(place.folder, 'other') };

  test('invalid settings exit with code 2 and a complete list', async () => {
    const run = await runCommand(['all'], {
      ...base,
      SVC_PORT: 'many',
      SVC_SESSION_TTL_HOURS: '-1',
      SVC_THUMBS_ENABLED: 'perhaps',
      SVC_SCAN_BATCHSIZE: '5',
    });
    expect(run.code).toBe(2);
    for (const name of ['SVC_PORT', 'SVC_SESSION_TTL_HOURS', 'SVC_THUMBS_ENABLED', 'SVC_SCAN_BATCHSIZE'])
      expect(run.output).toContain(name);
    expect(run.output).toContain('SVC_SCAN_BATCH_SIZE');
  });

  test('a port in use is reported with what to change', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as { port: number };
    const run = await runCommand(['all'], { ...base, SVC_PORT: String(port) });
    holder.close();
    expect(run.code).toBe(3);
    expect(run.output).toContain(`Port ${port} is in use by another program. Stop that program, or set SVC_PORT to a free port.`);
  });

  test('a database with a newer schema is rejected and not changed', async () => {
    const folder = path.join(place.folder, 'newer');
    const server = await startEmbedded({ folder: path.join(folder, 'postgres'), durable: false });
    const database = connect(server);
    await database.pool.query(
      "create table schema_migrations (version integer primary key, name text, digest text); insert into schema_migrations values (9999, 'later', 'x')",
    );
    await database.close();
    await server.stop();
    const run = await runCommand(['all'], { SVC_CONFIG_DIR: folder, SVC_PORT: String(await freePort()) });
    expect(run.code).toBe(3);
    expect(run.output).toContain('newer Catalog (schema 9999');
    const again = await startEmbedded({ folder: path.join(folder, 'postgres'), durable: false });
    const look = connect(again);
    expect((await look.pool.query("select count(*) from pg_tables where schemaname = 'public'")).rows).toEqual([{ count: 1 }]);
    await look.close();
    await again.stop();
  });

  test('a database that does not exist is reported', async () => {
    const { host, port, user, password } = inject('postgres');
    const at = `host=${encodeURIComponent(host)}&port=${port}`;
    const missing = await runCommand(['bootstrap'], {
      ...base,
      SVC_DATABASE_URL: `postgres://${user}:${password}@localhost/nowhere?${at}`,
    });
    expect([missing.code, missing.output]).toEqual([
      3,
      'The database named in SVC_DATABASE_URL does not exist. Create it, then start again.\n',
    ]);
  });

  test('an unknown command and each --help', async () => {
    expect((await runCommand(['fly'], base)).code).toBe(2);
    for (const name of ['all', 'app', 'worker', 'bootstrap', 'check', 'version']) {
      const help = await runCommand([name, '--help'], base);
      expect([help.code, help.output.startsWith(`catalog ${name}: `)]).toEqual([0, true]);
    }
    expect((await runCommand(['version'], base)).output).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
