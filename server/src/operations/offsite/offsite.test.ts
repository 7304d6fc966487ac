import { createHash, createHmac } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import S3rver from 's3rver';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addLibrary } from '../../../test/catalog-rows.ts';
import { editAtOnce } from '../../../test/edit-at-once.ts';
import { performTask } from '../../../test/perform.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import { backupsFolder, bundleNames, createBackup, importBundle } from '../backup/index.ts';
import { offsiteChecks } from './checks.ts';
import { openS3 } from './s3-transport.ts';
import { copyTask } from './tasks.ts';

let t: TestApp;
let place: string;
beforeAll(async () => {
  t = await createTestApp({ SVC_SECRET_KEY: 'the-secret-key-of-these-tests', SVC_DISK_MIN_FREE_GB: '0', SVC_DISK_CRIT_PCT_FREE: '0' });
  place = mkdtempSync(path.join(os.tmpdir(), 'catalog-offsite-'));
});
afterAll(async () => {
  await t.close();
  rmSync(place, { recursive: true, force: true });
});
beforeEach(async () => {
  for (const { id } of (await t.request('GET', '/system/backup-targets')).json()) await t.request('DELETE', `/system/backup-targets/${id}`);
});

async function backUp(now = new Date()): Promise<string> {
  const options = { createdBy: 'test', signal: new AbortController().signal, progress: () => {}, environment: {}, keep: null };
  return (await createBackup(t.deps, { ...options, now })).name;
}
const copy = () => performTask(t.deps, copyTask(t.deps), {});
const targets = async () => (await t.request('GET', '/system/backup-targets')).json();
async function addFolder(name: string, more: object = {}): Promise<{ id: string; folder: string }> {
  const folder = path.join(place, name);
  mkdirSync(folder, { recursive: true });
  const made = await t.request('POST', '/system/backup-targets', { name, kind: 'folder', config: { path: folder }, ...more });
  expect(made.statusCode, made.body).toBe(201);
  return { id: made.json().id, folder };
}
const clearBackups = () => rmSync(backupsFolder(t.deps.settings), { recursive: true, force: true });

async function startS3(): Promise<{ endpoint: string; folder: string; close(): Promise<void> }> {
  const folder = mkdtempSync(path.join(place, 's3-'));
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: folder, configureBuckets: [{ name: 'backups' }] });
  const { port } = await server.run();
  return { endpoint: `http://127.0.0.1:${port}`, folder, close: () => server.close() };
}

describe('a folder', () => {
  test('every backup is copied as one file that can be restored; old ones are removed there, and foreign files stay', async () => {
    clearBackups();
    const { folder } = await addFolder('drive', { keep: 2 });
    writeFileSync(path.join(folder, 'catalog-20200101T000000Z.tar'), 'of another installation');
    const names = [];
    for (const day of [1, 2, 3]) {
      names.push(await backUp(new Date(`2026-01-0${day}T00:00:00Z`)));
      await copy();
    }
    expect(readdirSync(folder).sort()).toEqual(['catalog-20200101T000000Z.tar', `${names[1]}.tar`, `${names[2]}.tar`]);
    expect(statSync(path.join(folder, `${names[2]}.tar`)).mode & 0o777).toBe(0o600);
    const [target] = await targets();
    expect(target.copies.map(({ bundle, state }: { bundle: string; state: string }) => [bundle, state])).toEqual([
      [names[2], 'done'],
      [names[1], 'done'],
    ]);
    clearBackups();
    const restored = await importBundle(t.deps.settings, createReadStream(path.join(folder, `${names[2]}.tar`)));
    expect(restored.name).toBe(names[2]);
  });

  test('a drive that is not mounted is reported and tried again later; a person can start it at once', async () => {
    clearBackups();
    const { id, folder } = await addFolder('away');
    rmSync(folder, { recursive: true });
    const name = await backUp();
    await copy();
    const [target] = await targets();
    expect(target.warning).toContain('does not exist');
    expect(target.copies).toMatchObject([
      { bundle: name, state: 'retrying', attempts: 1, error: expect.stringContaining('Mount the drive') },
    ]);
    mkdirSync(folder);
    await copy();
    expect((await targets())[0].copies[0].state, 'waits for its time').toBe('retrying');
    expect((await t.request('POST', `/system/backup-targets/${id}/copy`)).statusCode).toBe(202);
    await copy();
    expect((await targets())[0].copies[0]).toMatchObject({ state: 'done', error: null });
    await sql`update backup_copies set state = 'retrying', attempts = 7, next_attempt_at = now(), error = 'x' where target_id = ${id}`.execute(
      t.deps.db,
    );
    rmSync(folder, { recursive: true });
    await copy();
    expect((await targets())[0].copies[0]).toMatchObject({ state: 'failed', attempts: 8, next_attempt_at: null });
  });

  test('a target that becomes another folder gets the newest backups again, and those in the earlier folder stay', async () => {
    clearBackups();
    const { id, folder } = await addFolder('first');
    const name = await backUp();
    await copy();
    const other = path.join(place, 'second');
    mkdirSync(other);
    const change = (fields: object) => t.request('PATCH', `/system/backup-targets/${id}`, fields);
    expect((await change({ name: 'renamed', config: { path: `${folder}/` } })).json().copies).toMatchObject([{ state: 'done' }]);
    expect((await change({ config: { path: other } })).json().copies).toEqual([]);
    await copy();
    expect((await targets())[0].copies).toMatchObject([{ bundle: name, state: 'done' }]);
    expect([readdirSync(folder), readdirSync(other)]).toEqual([[`${name}.tar`], [`${name}.tar`]]);
  });

  test('a copy that failed is forgotten when its backup is no longer kept', async () => {
    clearBackups();
    const { folder } = await addFolder('gone', { keep: 1 });
    rmSync(folder, { recursive: true });
    await backUp(new Date('2026-01-01T00:00:00Z'));
    await copy();
    mkdirSync(folder);
    const name = await backUp(new Date('2026-01-02T00:00:00Z'));
    await copy();
    expect((await targets())[0].copies).toMatchObject([{ bundle: name, state: 'done' }]);
  });

  test('a damaged backup is not copied, and its part is named', async () => {
    clearBackups();
    const { folder } = await addFolder('drive');
    const name = await backUp();
    const part = path.join(backupsFolder(t.deps.settings), name, 'database/extensions.copy.zst');
    const bytes = readFileSync(part);
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(part, bytes);
    await copy();
    expect((await targets())[0].copies).toMatchObject([
      { state: 'retrying', error: expect.stringContaining('database/extensions.copy.zst') },
    ]);
    expect(existsSync(path.join(folder, `${name}.tar`))).toBe(false);
  });

  test('says when the folder is on the same disk; a folder inside a library is refused', async () => {
    await backUp();
    await addFolder('same');
    expect((await targets())[0].warning).toContain('same disk');
    const root = path.join(place, 'photos');
    await addLibrary(t.deps, { root_path: root });
    const refused = await t.request('POST', '/system/backup-targets', {
      name: 'x',
      kind: 'folder',
      config: { path: path.join(root, 'deep') },
    });
    expect([refused.statusCode, refused.json().detail]).toEqual([422, expect.stringContaining('part of a library')]);
  });
});

describe('storage with the S3 interface', () => {
  const secret = 'S3RVER';
  const config = (endpoint: string) => ({ endpoint, bucket: 'backups', prefix: '/catalog/', access_key_id: 'S3RVER' });

  test('copies, tests and removes; the secret is stored encrypted and never returned', async () => {
    clearBackups();
    const s3 = await startS3();
    try {
      const body = { name: 'cloud', kind: 's3', config: config(s3.endpoint), keep: 1 };
      expect((await t.request('POST', '/system/backup-targets', body)).statusCode, 'without a secret').toBe(422);
      const made = await t.request('POST', '/system/backup-targets', { ...body, secret_access_key: secret });
      expect(made.body).not.toContain('secret');
      const { rows } = await sql<{ ciphertext: string }>`select ciphertext from secrets where starts_with(name, 'backup-target/')`.execute(
        t.deps.db,
      );
      expect(rows).toHaveLength(1);
      expect((await t.request('POST', `/system/backup-targets/${made.json().id}/test`)).json()).toMatchObject({ ok: true });
      const first = await backUp(new Date('2026-02-01T00:00:00Z'));
      await copy();
      const second = await backUp(new Date('2026-02-02T00:00:00Z'));
      await copy();
      expect((await targets())[0].copies).toMatchObject([{ bundle: second, state: 'done' }]);
      const objects = readdirSync(s3.folder, { recursive: true, encoding: 'utf8' }).filter((name) => /object$/.test(name));
      expect(objects).toEqual([expect.stringContaining(`catalog/${second}.tar`)]);
      expect(first).not.toBe(second);
    } finally {
      await s3.close();
    }
  });

  test('what a run copies while the target becomes another place does not count as copied there', async () => {
    clearBackups();
    const names = [await backUp(new Date('2026-03-01T00:00:00Z')), await backUp(new Date('2026-03-02T00:00:00Z'))];
    const written: string[] = [];
    let id = '';
    const storage = createServer(async (request, response) => {
      await request.resume().toArray();
      written.push(`${request.url}`);
      if (written.length === 1) await t.request('PATCH', `/system/backup-targets/${id}`, { config: { prefix: 'new' } });
      response.end();
    });
    await new Promise<void>((resolve) => storage.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = storage.address() as AddressInfo;
      const body = { name: 'moved', kind: 's3', config: config(`http://127.0.0.1:${port}`), secret_access_key: secret };
      id = (await t.request('POST', '/system/backup-targets', body)).json().id;
      await copy();
      expect((await targets())[0].copies).toEqual([]);
      await copy();
      expect(written).toEqual([`/backups/catalog/${names[0]}.tar`, ...names.map((name) => `/backups/new/${name}.tar`)]);
    } finally {
      storage.close();
    }
  });

  test('a large file is sent in parts and arrives unchanged', async () => {
    const s3 = await startS3();
    try {
      const transport = openS3(
        { ...config(s3.endpoint), prefix: '', region: 'us-east-1' },
        secret,
        createOutbound({ settings: t.deps.settings }),
      );
      const piece = Buffer.alloc(1_000_003, 'catalog ');
      const pieces = Array.from({ length: 36 }, () => piece);
      expect(await transport.put('large', Readable.from(pieces), new AbortController().signal)).toBe(36 * piece.length);
      const stored = readdirSync(path.join(s3.folder, 'backups'), { recursive: true, encoding: 'utf8' }).find((name) =>
        /large.*object/.test(name),
      );
      expect(readFileSync(path.join(s3.folder, 'backups', stored ?? '')).equals(Buffer.concat(pieces))).toBe(true);
    } finally {
      await s3.close();
    }
  });

  test('every request is signed, and a wrong key, a missing bucket and a server that fails are explained', async () => {
    const s3 = await startS3();
    const strict = createServer((request, response) => {
      request.toArray().then(
        (chunks) => {
          const ok = isSigned(request, Buffer.concat(chunks), secret);
          const failing = request.url?.startsWith('/failing/');
          if (ok && !failing) return response.writeHead(200).end();
          return response
            .writeHead(failing ? 503 : 403)
            .end(`<Error><Code>${failing ? 'SlowDown' : 'SignatureDoesNotMatch'}</Code></Error>`);
        },
        () => response.destroy(),
      );
    });
    await new Promise<void>((resolve) => strict.listen(0, '127.0.0.1', resolve));
    try {
      let number = 0;
      const ask = async (change: object, given = secret) => {
        number += 1;
        const body = {
          name: `target ${number}`,
          kind: 's3',
          config: { ...config(s3.endpoint), ...change },
          secret_access_key: given,
        };
        const { id } = (await t.request('POST', '/system/backup-targets', body)).json();
        return (await t.request('POST', `/system/backup-targets/${id}/test`)).json();
      };
      const endpoint = `http://127.0.0.1:${(strict.address() as AddressInfo).port}`;
      expect(await ask({ endpoint, prefix: 'a b/ü+1' })).toMatchObject({ ok: true });
      expect(await ask({ endpoint }, 'wrong')).toMatchObject({ ok: false, detail: expect.stringContaining('secret key is wrong') });
      expect(await ask({ endpoint, bucket: 'failing' })).toMatchObject({ ok: false, detail: expect.stringContaining('SlowDown') });
      expect(await ask({ bucket: 'nothing' })).toMatchObject({ ok: false, detail: expect.stringContaining('does not exist') });
      for (const check of offsiteChecks) expect(await check.run(t.deps)).toEqual([]);
    } finally {
      strict.close();
      await s3.close();
    }
  });
});

/** Checks the signature (version 4) as a server does, from what it received. The server of the other tests checks none. */
function isSigned({ method, url = '', headers }: IncomingMessage, body: Buffer, secret: string): boolean {
  const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();
  const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex');
  const [, scope = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=S3RVER\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(headers.authorization ?? '') ?? [];
  if (headers['x-amz-content-sha256'] !== sha256(body)) return false;
  const [path = '', query = ''] = url.split('?');
  const signed = names.split(';').map((name) => `${name}:${headers[name]}\n`);
  const canonical = [method, path, query.split('&').sort().join('&'), signed.join(''), names, headers['x-amz-content-sha256']].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<Buffer | string>((last, part) => hmac(last, part), `AWS4${secret}`);
  return hmac(key, text).toString('hex') === signature;
}

test('only administrators see and change targets', async () => {
  const { id } = await addFolder('mine');
  for (const [method, url] of [
    ['GET', '/system/backup-targets'],
    ['POST', '/system/backup-targets'],
    ['PATCH', `/system/backup-targets/${id}`],
    ['DELETE', `/system/backup-targets/${id}`],
    ['POST', `/system/backup-targets/${id}/test`],
    ['POST', `/system/backup-targets/${id}/copy`],
  ] as const)
    expect((await t.request(method, url, method === 'GET' || method === 'DELETE' ? undefined : {}, { as: 'write' })).statusCode, url).toBe(
      403,
    );
  const changed = await t.request('PATCH', `/system/backup-targets/${id}`, { enabled: false, keep: 3 });
  expect(changed.json()).toMatchObject({ enabled: false, keep: 3 });
  clearBackups();
  await backUp();
  await copy();
  expect((await targets())[0].copies).toEqual([]);
  expect(bundleNames(backupsFolder(t.deps.settings))).toHaveLength(1);
});

test('concurrent changes of different fields of a target are all kept', async () => {
  const { id } = await addFolder('shared');
  await editAtOnce(t.deps.db, { table: 'backup_targets', id }, [
    () => t.request('PATCH', `/system/backup-targets/${id}`, { keep: 3 }),
    () => t.request('PATCH', `/system/backup-targets/${id}`, { enabled: false }),
  ]);
  expect((await targets()).find((target: { id: string }) => target.id === id)).toMatchObject({ keep: 3, enabled: false });
});
