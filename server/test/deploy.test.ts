import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { request as requestTls } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRoot, issueCertificate } from '../src/fleet/authority/certificates.ts';
import { definitions } from '../src/platform/metrics/definitions.ts';
import { settingsForTests } from '../src/settings/index.ts';
import { settingsTable } from '../src/settings/table/index.ts';
import { createTestApp } from './app.ts';
import { databaseForTest } from './database.ts';
import { until } from './service.ts';

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));
const read = (name: string): string => readFileSync(path.join(deploy, name), 'utf8');
const run = (program: string, args: string[], input = '') => spawnSync(program, args, { encoding: 'utf8', input });
const has = (program: string, flag = '--version'): boolean => run(program, [flag]).error === undefined;

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-deploy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('every metric in the dashboard and the alert rules exists', () => {
  const used = new Set([...read('monitoring/grafana-dashboard.json').matchAll(/catalog_[a-z_]+/g)].map(([name]) => name));
  for (const [name] of read('monitoring/catalog-rules.yml').matchAll(/catalog_[a-z_]+/g)) used.add(name);
  const known = Object.keys(definitions);
  expect(used.size).toBeGreaterThan(10);
  expect([...used].filter((name) => !known.includes(name.replace(/_(bucket|sum|count)$/, '')))).toEqual([]);
  expect(JSON.parse(read('monitoring/grafana-dashboard.json')).panels.length).toBeGreaterThan(10);
});

describe.runIf(has('promtool'))('with promtool', () => {
  test('the alert rules are valid and fire as their tests say', () => {
    for (const [action, name] of [
      ['check', 'catalog-rules.yml'],
      ['test', 'catalog-rules.test.yml'],
    ] as const) {
      const { status, stdout, stderr } = run('promtool', [action, 'rules', path.join(deploy, 'monitoring', name)]);
      expect(`${stdout}${stderr}`, name).toMatch(/SUCCESS/);
      expect(status).toBe(0);
    }
  });

  test('promtool accepts the metrics of the service', async () => {
    const t = await createTestApp();
    onTestFinished(() => t.close());
    await t.request('GET', '/libraries');
    const { body } = await t.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${t.keys.admin}` } });
    const { status, stdout, stderr } = run('promtool', ['check', 'metrics'], body);
    expect(`${stdout}${stderr}`).toBe('');
    expect(status).toBe(0);
  });
});

describe('backup.sh', () => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const backUp = async (env: Record<string, string>, config: Record<string, string> = {}) => {
    const { host, port, user, password, database } = (await databaseForTest()).address;
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'config'));
    for (const [name, text] of Object.entries(config)) writeFileSync(path.join(folder, 'config', name), text);
    const at = `host=${encodeURIComponent(String(host))}&port=${port}`;
    const { status, stdout, stderr } = spawnSync('sh', [path.join(deploy, 'backup.sh')], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        CATALOG: `${process.execPath} ${main}`,
        SVC_CONFIG_DIR: path.join(folder, 'config'),
        SVC_DATABASE_URL: `postgres://${user}:${password}@localhost/${database}?${at}`,
        BACKUP_DIR: path.join(folder, 'kept'),
        BACKUP_KEEP: '2',
        ...env,
      },
    });
    const kept = path.join(folder, 'kept');
    const files = existsSync(kept) ? readdirSync(kept, { recursive: true, encoding: 'utf8' }) : [];
    return { status, output: `${stdout}${stderr}`, files };
  };

  test('keeps the environment file verbatim in BACKUP_DIR, and leaves it out with SKIP_ENV=1', async () => {
    const folder = temporaryFolder();
    const environment = path.join(folder, 'catalog.env');
    writeFileSync(environment, 'SVC_SECRET_KEY=hush\n');
    const whole = await backUp({ ENV_FILE: environment, SVC_SECRET_KEY: 'hush' });
    expect([whole.status, whole.output]).toEqual([0, expect.stringContaining('in plain text')]);
    expect(whole.files.filter((name) => /env\.backup|MANIFEST/.test(name))).toHaveLength(2);
    const skipped = await backUp({ SKIP_ENV: '1' });
    expect([skipped.status, skipped.output]).toEqual([0, expect.stringContaining('Not included: secret_key, environment')]);
    expect(skipped.files.filter((name) => /env\.backup/.test(name))).toEqual([]);
  });

  test('keeps the certificate authority of the agents, and leaves it out with SKIP_CA=1', async () => {
    const authority = (files: string[]) => files.filter((name) => /agent-ca\.pem/.test(name)).length;
    const kept = await backUp({ SKIP_ENV: '1' }, { 'agent-ca.pem': 'root and key\n' });
    expect([kept.status, authority(kept.files)]).toEqual([0, 1]);
    const skipped = await backUp({ SKIP_ENV: '1', SKIP_CA: '1' }, { 'agent-ca.pem': 'root and key\n' });
    expect([skipped.status, authority(skipped.files)]).toEqual([0, 0]);
    expect(skipped.output).toContain('Not included: secret_key, environment, certificate_authority');
  });

  test('says what to set when there is no environment file', async () => {
    expect(await backUp({})).toMatchObject({ status: 2, output: expect.stringContaining('SKIP_ENV=1'), files: [] });
  });
});

test.runIf(has('systemd-analyze'))('the systemd units are valid, and systemd-analyze rates their exposure 3 or lower', () => {
  for (const name of readdirSync(path.join(deploy, 'systemd'))) {
    const file = path.join(deploy, 'systemd', name);
    // `verify` exits with 0 for unknown keys; it also reports that the program is not installed here.
    expect(run('systemd-analyze', ['verify', file]).stderr).not.toMatch(/Unknown|Failed to parse|Invalid/i);
    const { status, stdout } = run('systemd-analyze', ['security', '--offline=true', '--threshold=30', '--no-pager', file]);
    expect(stdout).toMatch(/Overall exposure level/);
    expect(status, stdout.split('\n').at(-2)).toBe(0);
  }
});

describe('compose.full.yaml', () => {
  interface Service {
    image: string;
    command?: string[];
    environment: Record<string, string>;
    volumes: string[];
    read_only?: boolean;
    cap_drop?: string[];
  }
  const { services, volumes } = load(read('compose.full.yaml')) as { services: Record<string, Service>; volumes: Record<string, null> };

  test('runs app, workers, PostgreSQL 18, Meilisearch and a proxy, and sets only settings that exist', () => {
    expect(Object.keys(services)).toEqual(['app', 'worker', 'db', 'search', 'proxy']);
    expect([services['app']?.command, services['worker']?.command]).toEqual([['app'], ['worker']]);
    expect(services['db']?.image).toBe('postgres:18');
    for (const name of ['app', 'worker']) {
      const { environment = {}, read_only, cap_drop } = services[name] ?? {};
      expect([read_only, cap_drop]).toEqual([true, ['ALL']]);
      expect(Object.keys(environment).filter((key) => !(key in settingsTable))).toEqual([]);
      const values = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, value.replace(/\$\{(\w+)(:[?-][^}]*)?\}/g, 'example')]),
      );
      const { SVC_AGENT_AUTH_MODE: _mode, SVC_AGENTS_ENABLED: _agents, ...checked } = values;
      expect(settingsForTests(checked).diskPgPath).toBe('/pgdata');
    }
    const mounts = Object.values(services).flatMap((service) => service.volumes);
    expect(mounts).toContain('database:/pgdata:ro');
    for (const name of Object.keys(volumes)) expect(mounts.some((mount) => mount.startsWith(`${name}:`))).toBe(true);
  });

  test.runIf(process.env['MEILISEARCH_BIN'])('Meilisearch knows the settings of the file and answers its health check', async () => {
    const environment = services['search']?.environment ?? {};
    expect(environment['MEILI_MAX_INDEXING_MEMORY']).toBe('2GiB');
    const [port, folder] = [await freePort(), temporaryFolder()];
    startProxy(String(process.env['MEILISEARCH_BIN']), ['--http-addr', `127.0.0.1:${port}`, '--db-path', path.join(folder, 'data')], {
      ...environment,
      MEILI_MASTER_KEY: 'a long master key for this test',
      MEILI_DUMP_DIR: folder,
      MEILI_SNAPSHOT_DIR: folder,
    });
    await until(async () => (await fetch(`http://127.0.0.1:${port}/health`).catch(() => null))?.ok, 'Meilisearch', 15_000);
    const flags = run(String(process.env['MEILISEARCH_BIN']), ['--help']).stdout;
    for (const name of Object.keys(services['search']?.environment ?? {})) expect(flags).toContain(`[env: ${name}=`);
  });
});

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A service behind the proxy that tells what it received, and sends an event before the end of its response. */
async function startUpstream(): Promise<number> {
  const server = createServer((received, response) => {
    if (received.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: first\n\n');
      return;
    }
    response.end(JSON.stringify(received.headers));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** The first piece of a response. */
function firstPiece(url: string, more: { headers?: Record<string, string>; cert?: string; key?: string } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': '6.6.6.6', ...more.headers };
    const options = { ...more, headers, rejectUnauthorized: false, timeout: 5000 };
    const sent = (url.startsWith('https') ? requestTls : request)(url, options, (response) => {
      response.once('data', (piece: Buffer) => {
        resolve(piece.toString());
        sent.destroy();
      });
    });
    sent.once('error', reject);
    sent.once('timeout', () => sent.destroy(new Error('No answer.')));
    sent.end();
  });
}

function startProxy(program: string, args: string[], env: Record<string, string> = {}): void {
  const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
}

async function checkProxy(base: string): Promise<void> {
  await until(() => firstPiece(`${base}/`).catch(() => null), 'the proxy', 15_000);
  const headers = JSON.parse(await firstPiece(`${base}/`)) as Record<string, string>;
  expect(headers['x-forwarded-for']).toBe('127.0.0.1');
  expect(headers['x-forwarded-proto']).toBe(base.split(':')[0]);
  expect(await firstPiece(`${base}/events`)).toBe('data: first\n\n');
}

test.runIf(has('nginx', '-v') && has('openssl', 'version'))('nginx passes on the real address and live events', async () => {
  const [folder, port, upstream] = [temporaryFolder(), await freePort(), await startUpstream()];
  const [cert, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost', '-keyout', key, '-out', cert]);
  const server = read('proxy/nginx.conf')
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('/etc/ssl/certs/catalog.pem', cert)
    .replace('/etc/ssl/private/catalog.key', key)
    .replace('127.0.0.1:8484', `127.0.0.1:${upstream}`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${folder}/${each};`).join('\n');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const config = `daemon off; ${user} pid ${folder}/pid; error_log ${folder}/error.log; events {} http { access_log off; ${paths} ${server} }`;
  writeFileSync(path.join(folder, 'nginx.conf'), config);
  const check = run('nginx', ['-t', '-p', folder, '-e', `${folder}/error.log`, '-c', path.join(folder, 'nginx.conf')]);
  expect(check.stderr).toContain('test is successful');
  startProxy('nginx', ['-p', folder, '-e', `${folder}/error.log`, '-c', path.join(folder, 'nginx.conf')]);
  await checkProxy(`https://127.0.0.1:${port}`);
});

test.runIf(has('haproxy', '-v'))(
  'HAProxy passes on the real address and live events, and sends nothing to an app that is not ready',
  async () => {
    const [folder, port, ready] = [temporaryFolder(), await freePort(), await startUpstream()];
    const stopping = createServer((_received, response) => response.writeHead(503).end('from the app that stops'));
    await new Promise<void>((resolve) => stopping.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void stopping.close());
    const ports = [ready, (stopping.address() as AddressInfo).port, await freePort()];
    const config = read('proxy/haproxy.cfg')
      .replace(/bind .*/, `bind 127.0.0.1:${port}`)
      .replace(/10\.0\.0\.1(\d):8484/g, (_all, n: string) => `127.0.0.1:${ports[Number(n) - 1]}`);
    const file = path.join(folder, 'haproxy.cfg');
    writeFileSync(file, config);
    expect(run('haproxy', ['-c', '-f', file])).toMatchObject({ status: 0 });
    startProxy('haproxy', ['-db', '-f', file]);
    const base = `http://127.0.0.1:${port}/`;
    // Until the first check, the proxy takes every app for ready.
    await until(async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => firstPiece(base).catch(() => '')));
      return answers.every((answer) => answer.startsWith('{'));
    }, 'the first check');
    await checkProxy(`http://127.0.0.1:${port}`);
    const headers = JSON.parse(await firstPiece(base, { headers: { 'x-svc-agent-fp': 'forged' } })) as Record<string, string>;
    expect(headers['x-svc-agent-fp']).toBeUndefined();
  },
);

const startCaddy = (folder: string, name: string, env: Record<string, string>): void => {
  const files = ['Caddyfile', 'Caddyfile.agents'];
  for (const each of files)
    writeFileSync(
      path.join(folder, each),
      `${each === name ? '{\n\tadmin off\n\tauto_https disable_redirects\n\tlocal_certs\n\tskip_install_trust\n}\n' : ''}${read(`proxy/${each}`)}`,
    );
  startProxy('caddy', ['run', '--config', path.join(folder, name), '--adapter', 'caddyfile'], {
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    SVC_PROXY_SHARED_SECRET: 'between proxy and service',
    ...env,
  });
};

test.runIf(has('caddy', 'version'))(
  'Caddy passes on the real address and live events, and no headers that only agents may have',
  async () => {
    const [folder, port, upstream] = [temporaryFolder(), await freePort(), await startUpstream()];
    startCaddy(folder, 'Caddyfile', { CATALOG_HOST: `http://127.0.0.1:${port}`, CATALOG_UPSTREAM: `127.0.0.1:${upstream}` });
    await checkProxy(`http://127.0.0.1:${port}`);
    const sent = { 'x-svc-agent-fp': 'forged', 'x-svc-proxy-auth': 'forged', 'x-svc-proxy-trust': 'forged' };
    const headers = JSON.parse(await firstPiece(`http://127.0.0.1:${port}/`, { headers: sent })) as Record<string, string>;
    expect([headers['x-svc-agent-fp'], headers['x-svc-proxy-auth'], headers['x-svc-proxy-trust']]).toEqual([
      undefined,
      undefined,
      'between proxy and service',
    ]);
  },
);

test.runIf(has('caddy', 'version'))('Caddy admits agents by their certificate only, and tells the service whose it is', async () => {
  const [folder, port, upstream] = [temporaryFolder(), await freePort(), await startUpstream()];
  const root = createRoot(new Date());
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const agent = '01a1e65c-59ee-7ddd-b28a-c9c3ffe1cc6e';
  writeFileSync(path.join(folder, 'root.crt'), root.certificatePem);
  const certificate = issueCertificate(root, agent, keys.publicKey, new Date(), 48);
  startCaddy(folder, 'Caddyfile.agents', {
    CATALOG_HOST: `http://127.0.0.1:${await freePort()}`,
    AGENTS_HOST: `https://localhost:${port}`,
    AGENT_ROOT_FILE: path.join(folder, 'root.crt'),
    CATALOG_UPSTREAM: `127.0.0.1:${upstream}`,
  });
  const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const ask = () => firstPiece(`https://localhost:${port}/`, { cert: certificate.pem, key, headers: { 'x-svc-agent-fp': 'forged' } });
  await until(() => ask().catch(() => null), 'the proxy', 30_000);
  const headers = JSON.parse(await ask()) as Record<string, string>;
  expect(headers['x-svc-agent-san']).toBe(agent);
  expect(headers['x-svc-agent-fp']).toBe(certificate.fingerprint);
  expect(headers['x-svc-proxy-auth']).toBe('between proxy and service');
  await expect(firstPiece(`https://localhost:${port}/`)).rejects.toThrow();
});
