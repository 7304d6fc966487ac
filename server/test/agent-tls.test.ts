import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseChecks } from '../src/assembly/checks.ts';
import { issueCertificate, requireRoot } from '../src/fleet/authority/index.ts';
import { createTestApp, type TestApp } from './app.ts';

// The real agent program over the port on which the service terminates mutual TLS itself.
let t: TestApp;
let port: number;
let running: ChildProcess | undefined;
const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-agent-tls-'));
const root = path.join(folder, 'files');
const dataDir = path.join(folder, 'data');
const program = path.resolve(import.meta.dirname, '../../agent/src/main.ts');
const env = { ...process.env, NODE_OPTIONS: '' };

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const found = (server.address() as AddressInfo).port;
  await new Promise((resolve) => server.close(resolve));
  return found;
}

beforeAll(async () => {
  port = await freePort();
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true', SVC_AGENT_TLS_PORT: String(port) });
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  mkdirSync(root);
  writeFileSync(path.join(root, 'one.txt'), 'one');
});
afterAll(async () => {
  running?.kill('SIGKILL');
  for (const check of databaseChecks) expect(await check.run(t.deps), check.name).toEqual([]);
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

const agent = (...args: string[]) =>
  promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--strip-types', program, '--data-dir', dataDir, ...args],
    { env },
  ).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
  );
const shown = async () => (await t.request('GET', '/agents')).json().items[0];
const paths = async () =>
  (await sql<{ rel_path: string }>`select rel_path from items where status = 'active' order by 1`.execute(t.deps.db)).rows.map(
    ({ rel_path }) => rel_path,
  );
const certificateFile = path.join(dataDir, 'agent.pem');

test('the agent pins root and port when it enrols, and does everything over mutual TLS: scan, commands, files', async () => {
  const { token } = (await t.request('POST', '/agents/enrollment-tokens', {})).json();
  const url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`;
  const enrolled = await agent('enrol', '--url', url, '--token', token, '--root', root);
  expect(enrolled, enrolled.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(path.join(dataDir, 'agent.json'), 'utf8'))).toMatchObject({ planeUrl: `https://127.0.0.1:${port}` });
  running = spawn(process.execPath, ['--strip-types', program, '--data-dir', dataDir, 'run'], { env, stdio: 'ignore' });
  await expect.poll(paths, { timeout: 50_000 }).toEqual(['one.txt']);
  expect(await shown()).toMatchObject({ status: 'active', last_auth_mode: 'mtls' });
  const { id: agentId } = await shown();
  const { id } = (await t.request('POST', `/agents/${agentId}/commands`, { kind: 'rescan' })).json();
  const state = async () => (await t.request('GET', `/agent-commands/${id}`)).json().status;
  await expect.poll(state, { timeout: 50_000 }).toBe('done');
  const item = (await sql<{ id: string }>`select id from items`.execute(t.deps.db)).rows[0]!;
  expect((await t.request('GET', `/items/${item.id}/file`)).body).toBe('one');
  running.kill('SIGKILL');
  expect(await shown()).toMatchObject({ last_auth_mode: 'mtls' });
}, 180_000);

test('an agent whose certificate expired while it was off renews it with its key and goes on', async () => {
  const issuer = await requireRoot(t.deps.db, t.deps.settings, new Date());
  const { id } = await shown();
  const current = new X509Certificate(readFileSync(certificateFile, 'utf8'));
  const expired = issueCertificate(issuer, id, current.publicKey, new Date(Date.now() - 100 * 3_600_000), 48).pem;
  writeFileSync(certificateFile, expired);
  const refused = await agent('reconcile');
  expect(refused.code, refused.stdout).toBe(1);
  expect((await agent('doctor')).stdout).toContain('The certificate expired on');
  writeFileSync(path.join(root, 'two.txt'), 'two');
  running = spawn(process.execPath, ['--strip-types', program, '--data-dir', dataDir, 'run'], { env, stdio: 'ignore' });
  await expect.poll(paths, { timeout: 50_000 }).toEqual(['one.txt', 'two.txt']);
  running.kill('SIGKILL');
  expect(new X509Certificate(readFileSync(certificateFile, 'utf8')).validToDate.getTime()).toBeGreaterThan(Date.now());
}, 120_000);

test('a root other than the pinned one is not trusted, and a revoked agent is told so', async () => {
  // `reconcile` is postponed while changes wait to be sent, and the agent of the last test was killed.
  expect(await agent('push')).toMatchObject({ code: 0 });
  const authority = path.join(dataDir, 'authority.pem');
  const pinned = readFileSync(authority, 'utf8');
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const real = await requireRoot(t.deps.db, t.deps.settings, new Date());
  writeFileSync(authority, issueCertificate(real, 'another', publicKey, new Date(), 48).pem);
  expect((await agent('reconcile')).stderr).toContain('is not the root that was pinned');
  writeFileSync(authority, pinned);
  expect(await agent('reconcile')).toMatchObject({ code: 0 });
  await t.request('DELETE', `/agents/${(await shown()).id}`);
  expect((await agent('doctor')).stdout).toMatch(/PROBLEM {2}The service refused this agent: .*revoked/i);
}, 120_000);
