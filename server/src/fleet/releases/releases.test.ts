import { execFile } from 'node:child_process';
import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type ReleaseManifest, signRelease } from '@catalog/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../../../agent/src/client.ts';
import { enrol } from '../../../../agent/src/enrol.ts';
import { confirmProgram, countStart, putBack, updateProgram } from '../../../../agent/src/update.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { releaseChecks } from './checks.ts';
import { ensureReleaseKey, readKey, signFolder } from './index.ts';

let t: TestApp;
let url: string;
const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-releases-'));
const dist = path.join(folder, 'dist');
const dataDir = path.join(folder, 'data');
const linux = 'catalog-agent-linux-x64';

beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true', SVC_AGENT_DIST_DIR: dist });
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const keyHere = () => readKey(t.deps.settings);
const manifestOf = (version: string, text: string, key = keyHere()): ReleaseManifest =>
  signRelease(key, {
    version,
    created_at: '2030-01-01T00:00:00.000Z',
    artifacts: [{ platform: 'linux', arch: 'x64', sha256: digest(text), size: text.length, url: linux }],
  });
const upload = (version: string, text: string, name = linux) =>
  t.app.inject({
    method: 'PUT',
    url: `/api/v1/agent-releases/${version}/artifacts/${name}`,
    payload: Buffer.from(text),
    headers: { authorization: `Bearer ${t.keys.admin}`, 'content-type': 'application/octet-stream' },
  });
const publish = async (version: string, text: string) => {
  const added = await t.request('POST', '/agent-releases', manifestOf(version, text));
  expect(added.statusCode, added.body).toBe(201);
  expect((await upload(version, text)).statusCode).toBe(200);
};
const listed = async () => (await t.request('GET', '/agent-releases')).json().releases;

test('the key that signs releases is made at the first start, readable by the service only, and never replaced', async () => {
  const pem = await ensureReleaseKey(t.deps.db, t.deps.settings);
  const file = path.join(t.deps.settings.configDir, 'agent-release-key.pem');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(createPublicKey(keyHere()).export({ type: 'spki', format: 'pem' })).toBe(pem);
  const text = readFileSync(file, 'utf8');
  rmSync(file);
  expect(await ensureReleaseKey(t.deps.db, t.deps.settings)).toBe(pem);
  expect(() => keyHere()).toThrow(/Sign on the machine that has it/);
  writeFileSync(file, text, { mode: 0o600 });
});

test('central takes only manifests that its key has signed, and only the programs that they name', async () => {
  const foreign = generateKeyPairSync('ed25519').privateKey;
  expect((await t.request('POST', '/agent-releases', manifestOf('1.0.0', 'one', foreign))).statusCode).toBe(400);
  const signed = manifestOf('1.0.0', 'one');
  expect((await t.request('POST', '/agent-releases', { ...signed, version: '1.0.1' })).statusCode).toBe(400);
  expect((await t.request('POST', '/agent-releases', signed)).statusCode).toBe(201);
  expect((await t.request('POST', '/agent-releases', signed)).statusCode).toBe(409);
  expect(await listed()).toMatchObject([{ version: '1.0.0', ready: false, uploaded: [] }]);
  for (const [text, name, status] of [
    ['two', linux, 400],
    ['one and more', linux, 400],
    ['one', 'catalog-agent-macos-x64', 404],
  ] as const)
    expect((await upload('1.0.0', text, name)).statusCode, text).toBe(status);
  expect((await upload('9.9.9', 'one')).statusCode).toBe(404);
  expect((await upload('1.0.0', 'one')).json()).toEqual({ version: '1.0.0', filename: linux, size: 3, sha256: digest('one') });
  expect(await listed()).toMatchObject([{ version: '1.0.0', ready: true, uploaded: [linux] }]);
});

const program = () => ({ file: path.join(folder, 'program'), version: '0.9.0', platform: 'linux', arch: 'x64' });
const installed = () => readFileSync(program().file, 'utf8');
let update: (key?: string, version?: string) => Promise<string | null>;

test('an agent pins the key at enrolment and installs what that key has signed', async () => {
  const { token } = (await t.request('POST', '/agents/enrollment-tokens', {})).json();
  const config = await enrol({ url, token, roots: [folder], dataDir }, async () => {});
  expect(config.releaseKey).toBe(await ensureReleaseKey(t.deps.db, t.deps.settings));
  const client = createClient(config, dataDir);
  update = (key = config.releaseKey, version = '0.9.0') => updateProgram(client, key, dataDir, { ...program(), version });
  writeFileSync(program().file, 'old program');
  expect(await update()).toBe('1.0.0');
  expect([installed(), readFileSync(`${program().file}.old`, 'utf8')]).toEqual(['one', 'old program']);
  expect(statSync(program().file).mode & 0o111).not.toBe(0);
  expect(await update(undefined, '1.0.0')).toBe(null);
});

test('a program that does not work is put back after three starts and not tried again; one that works is kept', async () => {
  const started = { file: program().file, version: '1.0.0' };
  expect([1, 2, 3].map(() => countStart(dataDir, started))).toEqual([false, false, false]);
  expect(countStart(dataDir, started)).toBe(true);
  expect(installed()).toBe('old program');
  expect(await update()).toBe(null);
  await publish('1.1.0', 'eleven');
  expect(await update()).toBe('1.1.0');
  const next = { file: program().file, version: '1.1.0' };
  expect(countStart(dataDir, next)).toBe(false);
  confirmProgram(dataDir, next);
  expect([installed(), readFileSync(`${program().file}.old`, 'utf8')]).toEqual(['eleven', 'old program']);
  expect([1, 2, 3, 4, 5].map(() => countStart(dataDir, next))).not.toContain(true);
});

test('an agent goes back to the program that it ran before, to no other one, and does not install the unwanted version again', async () => {
  const running = { file: program().file, version: '1.1.0' };
  expect(() => putBack(dataDir, { ...running, version: '1.0.5' })).toThrow(/no longer here/);
  putBack(dataDir, running);
  expect(installed()).toBe('old program');
  expect(() => putBack(dataDir, running)).toThrow(/no longer here/);
  expect(await update()).toBe(null);
});

test('a taken-over central cannot make an agent run another program: unsigned, exchanged or older ones are refused', async () => {
  await publish('1.2.0', 'twelve');
  writeFileSync(program().file, 'old program');
  const stored = path.join(t.deps.settings.agentReleasesDir, '1.2.0', linux);
  writeFileSync(stored, 'twelvE');
  await expect(update()).rejects.toThrow(/does not have the signed digest/);
  const evil = manifestOf('1.3.0', 'twelvE', generateKeyPairSync('ed25519').privateKey);
  await sql`update agent_releases set manifest = ${JSON.stringify(evil)}::jsonb where version = '1.2.0'`.execute(t.deps.db);
  await expect(update()).rejects.toThrow(/not signed with the key/);
  const older = manifestOf('0.1.0', 'eleven');
  await sql`update agent_releases set manifest = ${JSON.stringify(older)}::jsonb where version = '1.2.0'`.execute(t.deps.db);
  await expect(update()).rejects.toThrow(/not newer/);
  expect([installed(), existsSync(`${program().file}.new`)]).toEqual(['old program', false]);
  await sql`update agent_releases set manifest = ${JSON.stringify(manifestOf('1.2.0', 'twelve'))}::jsonb where version = '1.2.0'`.execute(
    t.deps.db,
  );
});

test('a withdrawn release is not offered any more, its programs are gone, and its version is never used again', async () => {
  const withdrawn = await t.request('DELETE', '/agent-releases/1.2.0');
  expect(withdrawn.json()).toMatchObject({ ready: false, withdrawn_at: expect.any(String) });
  expect(existsSync(path.join(t.deps.settings.agentReleasesDir, '1.2.0'))).toBe(false);
  expect((await upload('1.2.0', 'twelve')).statusCode).toBe(409);
  expect((await t.request('POST', '/agent-releases', manifestOf('1.2.0', 'twelve'))).statusCode).toBe(409);
  expect(await update(undefined, '1.1.0')).toBe(null);
});

test('`catalog check` finds programs of a withdrawn release, and programs that no manifest names', async () => {
  const violations = async () => (await Promise.all(releaseChecks.map((check) => check.run(t.deps)))).flat();
  expect(await violations()).toEqual([]);
  await sql`insert into agent_release_files (version, filename) values ('1.2.0', ${linux}), ('1.1.0', 'catalog-agent-macos-x64')`.execute(
    t.deps.db,
  );
  expect((await violations()).sort()).toEqual([expect.stringContaining('does not name'), expect.stringContaining('was withdrawn')]);
  await sql`delete from agent_release_files where version = '1.2.0' or filename = 'catalog-agent-macos-x64'`.execute(t.deps.db);
});

test('agent-dist answers 404 when the directory is absent, and serves signed programs, checksums and scripts', async () => {
  const get = (name: string) => t.app.inject({ method: 'GET', url: `/api/v1/agent-dist${name}` });
  for (const name of ['', '/install.sh', `/${linux}`]) expect((await get(name)).statusCode, name).toBe(404);
  mkdirSync(dist);
  writeFileSync(path.join(dist, linux), 'a program');
  writeFileSync(path.join(dist, 'VERSION'), '1.4.0\n');
  expect((await get('')).json()).toMatchObject({ status: 404, detail: expect.stringContaining('not signed') });
  await signFolder(dist, keyHere(), new Date());
  expect((await get('')).json()).toMatchObject({
    version: '1.4.0',
    artifacts: [{ filename: linux, os: 'linux', arch: 'x64', size: 9, sha256: digest('a program') }],
  });
  expect((await get(`/${linux}`)).body).toBe('a program');
  expect((await get(`/${linux}.sha256`)).body.trim()).toBe(digest('a program'));
  for (const name of ['/..%2fVERSION', '/VERSION', '/manifest.json', '/catalog-agent-macos-x64'])
    expect((await get(name)).statusCode, name).toBe(404);
  for (const name of ['/install.sh', '/install.ps1', '/manage-windows-agent.ps1']) {
    const script = await get(name);
    expect([script.statusCode, script.body.includes('@URL@')], name).toEqual([200, false]);
  }
});

test.skipIf(process.platform !== 'linux' || process.arch !== 'x64')('install.sh installs nothing but what the key has signed', async () => {
  const run = async (...args: string[]) => {
    const script = path.join(folder, 'install.sh');
    writeFileSync(script, await (await fetch(`${url}/api/v1/agent-dist/install.sh`)).text());
    chmodSync(script, 0o755);
    rmSync(path.join(folder, linux), { force: true });
    return promisify(execFile)('sh', [script, '-d', ...args], { cwd: folder }).then(
      () => readFileSync(path.join(folder, linux), 'utf8'),
      (error: { stderr: string }) => error.stderr,
    );
  };
  const { key_fingerprint } = (await t.app.inject({ method: 'GET', url: '/api/v1/agent-dist' })).json();
  expect(await run('-k', key_fingerprint)).toBe('a program');
  expect(await run('-k', 'f'.repeat(64))).toContain('not the expected one');
  writeFileSync(path.join(dist, linux), 'a PROGRAM');
  expect(await run()).toContain('does not have the signed checksum');
  const sums = path.join(dist, 'SHA256SUMS');
  writeFileSync(sums, readFileSync(sums, 'utf8').replace(digest('a program'), digest('a PROGRAM')));
  expect(await run()).toContain('not signed by the key');
});

test('everything answers 404 while SVC_AGENTS_ENABLED is false', async () => {
  const off = await createTestApp({});
  for (const [method, route] of [
    ['GET', '/agent-releases'],
    ['DELETE', '/agent-releases/1.0.0'],
    ['GET', '/agent-dist'],
    ['GET', '/agent-dist/install.sh'],
    ['GET', '/agents/config-rollouts'],
  ] as const)
    expect((await off.request(method, route)).statusCode, route).toBe(404);
  await off.close();
});
