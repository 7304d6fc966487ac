import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { performTask } from '../../../test/perform.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import { createSecrets } from '../../platform/secrets/index.ts';
import { findFingerprints } from '../../platform/sftp/index.ts';
import { createBackup, importBundle } from '../backup/index.ts';
import { offsiteChecks } from './checks.ts';
import { openSftpFolder } from './sftp-transport.ts';
import { copyTask } from './tasks.ts';

const sshd = '/usr/sbin/sshd';
const installed = existsSync(sshd) && spawnSync('ssh-keygen', ['-?']).error === undefined && process.getuid?.() === 0;
const never = new AbortController().signal;

/** A real OpenSSH server for one user and one folder, with two host keys. */
class SshServer {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-sshd-'));
  readonly files = path.join(this.folder, 'files');
  readonly authorized = path.join(this.folder, 'authorized_keys');
  port = 0;
  child: ChildProcess | null = null;

  makeHostKeys(): void {
    for (const type of ['rsa', 'ecdsa']) {
      rmSync(path.join(this.folder, type), { force: true });
      execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-f', path.join(this.folder, type)]);
    }
  }
  get fingerprints(): string {
    return ['rsa', 'ecdsa']
      .map((type) => execFileSync('ssh-keygen', ['-lf', path.join(this.folder, `${type}.pub`)], { encoding: 'utf8' }))
      .join('');
  }
  async start(): Promise<void> {
    mkdirSync(this.files, { recursive: true });
    mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
    this.makeHostKeys();
    writeFileSync(this.authorized, '');
    this.port = await freePort();
    const config = path.join(this.folder, 'sshd_config');
    const lines = [
      'ListenAddress 127.0.0.1',
      `Port ${this.port}`,
      `HostKey ${this.folder}/rsa`,
      `HostKey ${this.folder}/ecdsa`,
      'PidFile none',
    ];
    lines.push(
      'UsePAM no',
      'StrictModes no',
      'PermitRootLogin yes',
      `AuthorizedKeysFile ${this.authorized}`,
      'Subsystem sftp internal-sftp',
    );
    writeFileSync(config, `${lines.join('\n')}\n`);
    this.child = spawn(sshd, ['-D', '-e', '-f', config], { stdio: 'ignore' });
    while (!(await isOpen(this.port))) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  async stop(): Promise<void> {
    const { child } = this;
    if (child && child.exitCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

// Skipped without OpenSSH or without root, which sshd needs; `npm test` installs it on Debian as root.
describe.skipIf(!installed)('a server with SFTP', () => {
  const server = new SshServer();
  let t: TestApp;
  beforeAll(async () => {
    await server.start();
    t = await createTestApp({ SVC_SECRET_KEY: 'the-secret-key-of-these-tests', SVC_DISK_MIN_FREE_GB: '0', SVC_DISK_CRIT_PCT_FREE: '0' });
  });
  afterAll(async () => {
    await t?.close();
    await server.stop();
  });
  beforeEach(async () => {
    writeFileSync(server.authorized, '');
    for (const { id } of (await t.request('GET', '/system/backup-targets')).json())
      await t.request('DELETE', `/system/backup-targets/${id}`);
  });

  const config = () => ({
    host: '127.0.0.1',
    port: String(server.port),
    username: os.userInfo().username,
    path: server.files,
    host_keys: server.fingerprints,
  });
  let number = 0;
  async function add(change: object = {}, more: object = {}) {
    number += 1;
    const made = await t.request('POST', '/system/backup-targets', {
      name: `server ${number}`,
      kind: 'sftp',
      config: { ...config(), ...change },
      ...more,
    });
    expect(made.statusCode, made.body).toBe(201);
    return made.json() as { id: string; public_key: string; config: Record<string, string> };
  }
  const tryTarget = async (id: string) => (await t.request('POST', `/system/backup-targets/${id}/test`)).json();

  test('backups are copied as one file that can be restored, old ones are removed there, and the key is stored encrypted', async () => {
    const { public_key } = await add({}, { keep: 1 });
    writeFileSync(server.authorized, `${public_key}\n`);
    const options = { createdBy: 'test', signal: never, progress: () => {}, environment: {}, keep: null };
    for (const day of [1, 2]) {
      await createBackup(t.deps, { ...options, now: new Date(`2026-01-0${day}T00:00:00Z`) });
      await performTask(t.deps, copyTask(t.deps), {});
    }
    const [target] = (await t.request('GET', '/system/backup-targets')).json();
    expect(target.copies).toMatchObject([{ bundle: 'catalog-20260102T000000Z', state: 'done', error: null }]);
    expect(readdirSync(server.files)).toEqual(['catalog-20260102T000000Z.tar']);
    const file = path.join(server.files, 'catalog-20260102T000000Z.tar');
    expect([statSync(file).mode & 0o777, statSync(file).size]).toEqual([0o600, target.copies[0].bytes]);
    rmSync(path.join(t.configDir, 'backups'), { recursive: true });
    expect((await importBundle(t.deps.settings, createReadStream(file))).name).toBe('catalog-20260102T000000Z');
    const { rows } = await sql<{ ciphertext: string }>`select ciphertext from secrets where starts_with(name, 'backup-target/')`.execute(
      t.deps.db,
    );
    expect(rows.map(({ ciphertext }) => ciphertext.includes('PRIVATE KEY'))).toEqual([false]);
    expect(JSON.stringify(target)).not.toContain('PRIVATE KEY');
    for (const check of offsiteChecks) expect(await check.run(t.deps)).toEqual([]);
  });

  test('a host key other than the pinned ones is refused before anything secret is sent, and the new one is named', async () => {
    const other = `SHA256:${'A'.repeat(43)}`;
    const { id, public_key } = await add({ host_keys: other });
    writeFileSync(server.authorized, `${public_key}\n`);
    const { ok, detail } = await tryTarget(id);
    expect([ok, findFingerprints(server.fingerprints).some((each) => detail.includes(each))]).toEqual([false, true]);
    const changed = await t.request('PATCH', `/system/backup-targets/${id}`, { config: { host_keys: server.fingerprints } });
    expect(changed.json().public_key).toBe(public_key);
    expect(await tryTarget(id)).toMatchObject({ ok: true });
  });

  test('a key or password that the server refuses, a missing folder and a closed port are explained', async () => {
    const { id, public_key } = await add();
    expect((await tryTarget(id)).detail).toContain('authorized_keys');
    writeFileSync(server.authorized, `${public_key}\n`);
    await t.request('PATCH', `/system/backup-targets/${id}`, { config: { path: path.join(server.folder, 'missing') } });
    expect((await tryTarget(id)).detail).toContain('does not exist');
    const withPassword = await add({}, { password: 'not the password' });
    expect(withPassword.public_key).toBeNull();
    expect((await tryTarget(withPassword.id)).detail).toContain('with this password');
    expect((await tryTarget((await add({ port: String(await freePort()) })).id)).detail).toContain('ECONNREFUSED');
    expect(readdirSync(server.files)).not.toContainEqual(expect.stringContaining('catalog-test'));
  });

  test.each([
    [{ host_keys: 'ssh-rsa AAAA' }, 'fingerprints'],
    [{ host: 'a b' }, 'without a port'],
    [{ port: '70000' }, '65535'],
    [{ username: ' ' }, 'username'],
  ])('%o is refused', async (change, words) => {
    const made = await t.request('POST', '/system/backup-targets', { name: 'bad', kind: 'sftp', config: { ...config(), ...change } });
    expect([made.statusCode, made.body]).toEqual([422, expect.stringContaining(words)]);
  });

  test('a large file arrives unchanged, and one that breaks off is never visible under its name', async () => {
    const { public_key, id } = await add();
    writeFileSync(server.authorized, `${public_key}\n`);
    const transport = await openedTransport(id);
    const pieces = Array.from({ length: 20 }, (_, at) => Buffer.alloc(1_000_003, `catalog ${at} `));
    expect(await transport.put('large', Readable.from(pieces), never)).toBe(20 * 1_000_003);
    expect(readFileSync(path.join(server.files, 'large')).equals(Buffer.concat(pieces))).toBe(true);
    const broken = Readable.from(
      (async function* () {
        yield pieces[0]!;
        throw new Error('the disk failed');
      })(),
    );
    await expect(transport.put('large', broken, never)).rejects.toThrow('the disk failed');
    expect(readFileSync(path.join(server.files, 'large')).length).toBe(20 * 1_000_003);
    expect(existsSync(path.join(server.files, 'large.partial'))).toBe(false);
    const stop = new AbortController();
    const stopped = Readable.from(
      (async function* () {
        yield pieces[0]!;
        stop.abort(new Error('stopped by a person'));
        yield pieces[1]!;
      })(),
    );
    await expect(transport.put('large', stopped, stop.signal)).rejects.toThrow('stopped by a person');
    expect(readFileSync(path.join(server.files, 'large')).length).toBe(20 * 1_000_003);
  });

  async function openedTransport(id: string) {
    const credential = await createSecrets(t.deps.settings).read(t.deps.db, `backup-target/${id}/credential`);
    return openSftpFolder(config(), credential ?? '', createOutbound({ settings: t.deps.settings }));
  }
});
