import { execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { type ReleaseManifest, signRelease } from '@catalog/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from './client.ts';
import { defaultLimits, filesIn, writePrivate } from './config.ts';
import { updateProgram } from './update.ts';

// A service that somebody has taken over answers everything that it likes. The agent is the real program.
const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-taken-over-'));
const [root, dataDir, outside] = ['files', 'data', 'outside'].map((name) => path.join(folder, name)) as [string, string, string];
let service: Server;
const completed = new Map<string, { ok: boolean; result: { error?: string } }>();
const asked: string[] = [];
const payloads: Record<string, [string, Record<string, unknown>]> = {
  'another root': ['stage_upload', { library_ref: '/etc', rel_path: 'passwd' }],
  'a path upwards': ['stage_upload', { library_ref: root, rel_path: '../outside/secret.txt' }],
  'an absolute path': ['stage_upload', { library_ref: root, rel_path: '/etc/passwd' }],
  'a file that is not reported': ['stage_upload', { library_ref: root, rel_path: 'left-out.tmp' }],
  'a file behind a link': ['stage_upload', { library_ref: root, rel_path: 'way-out/secret.txt' }],
  'a link itself': ['stage_upload', { library_ref: root, rel_path: 'link.txt' }],
  'the key of the agent': ['stage_upload', { library_ref: dataDir, rel_path: 'agent.key' }],
  'a folder that became a link': ['stage_upload', { library_ref: root, rel_path: 'swapped/kept.txt' }],
  'a listing upwards': ['inventory', { library_ref: root, path: '../outside' }],
  'a listing through a link': ['inventory', { library_ref: root, path: 'way-out' }],
  'a listing of another root': ['inventory', { library_ref: outside }],
  'a scan of another root': ['rescan', { library_ref: outside }],
  'a program': ['run_program', { command: 'touch /tmp/owned' }],
};
const names = Object.keys(payloads);
const idOf = (name: string): string => `00000000-0000-4000-8000-${String(names.indexOf(name)).padStart(12, '0')}`;

beforeAll(async () => {
  for (const each of [root, dataDir, outside, path.join(root, 'swapped')]) mkdirSync(each);
  writeFileSync(path.join(outside, 'secret.txt'), 'secret');
  writeFileSync(path.join(outside, 'kept.txt'), 'secret');
  writeFileSync(path.join(root, 'own.txt'), 'own');
  writeFileSync(path.join(root, 'swapped', 'kept.txt'), 'own');
  writeFileSync(path.join(root, 'left-out.tmp'), 'left out');
  symlinkSync(outside, path.join(root, 'way-out'));
  symlinkSync(path.join(outside, 'secret.txt'), path.join(root, 'link.txt'));
  const policy = {
    presets: [],
    exclude_globs: ['*.tmp'],
    include_globs: [],
    content_hash_max_bytes: 1e9,
    extract_enabled: true,
    extract_body_text: true,
  };
  let polls = 0;
  service = createServer((request, answer) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const url = request.url ?? '';
      asked.push(`${request.method} ${url} ${url.includes('replication-batch') ? '' : Buffer.concat(parts).toString('latin1')}`);
      const send = (body: unknown): void => void answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      const complete = /commands\/([^/]+)\/complete/.exec(url)?.[1];
      if (complete) completed.set(complete, JSON.parse(Buffer.concat(parts).toString()));
      if (url.includes('/policy')) return send({ version: 1, policy });
      if (url.includes('/staging')) return send({ id: idOf('a program'), state: 'uploading', bytes_transferred: 0 });
      if (url.includes('/replication-batch')) return send({ quarantined: 0 });
      if (!url.includes('/commands/poll')) return send({});
      polls += 1;
      if (polls === 1)
        return send(
          names.map((name) => ({ id: idOf(name), kind: payloads[name]?.[0], payload: payloads[name]?.[1], status: 'picked_up' })),
        );
      setTimeout(() => send([]), 200);
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writePrivate(filesIn(dataDir).key, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const centralUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const config = {
    centralUrl,
    agentId: idOf('a program'),
    name: 'machine',
    roots: [root],
    authorityFingerprint: null,
    limits: defaultLimits,
  };
  writePrivate(filesIn(dataDir).config, JSON.stringify(config));
  writePrivate(filesIn(dataDir).policy, JSON.stringify({ etag: '', generation: 1, policy }));
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
  rmSync(folder, { recursive: true, force: true });
});

const words = [
  '--disable-warning=ExperimentalWarning',
  '--strip-types',
  path.resolve(import.meta.dirname, 'main.ts'),
  '--data-dir',
  dataDir,
];

test('a taken-over service reads nothing outside the roots, and nothing that is not reported', async () => {
  const env = { ...process.env, NODE_OPTIONS: '' };
  execFileSync(process.execPath, [...words, 'scan'], { env });
  // Since the scan, a folder became a link that leads out of the root.
  rmSync(path.join(root, 'swapped'), { recursive: true });
  symlinkSync(outside, path.join(root, 'swapped'));
  const running = spawn(process.execPath, [...words, 'run'], { env, stdio: 'ignore' });
  try {
    await expect.poll(() => completed.size, { timeout: 60_000 }).toBe(names.length);
  } finally {
    running.kill('SIGKILL');
  }
  for (const name of names) expect(completed.get(idOf(name)), name).toMatchObject({ ok: false, result: { error: expect.any(String) } });
  expect(asked.filter((line) => line.includes('/staging') || line.includes('secret'))).toEqual([]);
}, 120_000);

test('a taken-over service cannot have an unsigned, foreign, older or changed program installed', async () => {
  const program = path.join(folder, 'catalog-agent');
  writeFileSync(program, 'the program');
  const [own, foreign] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const pinned = own.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const bytes = Buffer.from('evil');
  const offer = (version: string, sha256: string): Omit<ReleaseManifest, 'signature' | 'checksums_signature'> => ({
    version,
    created_at: '2026-01-01T00:00:00Z',
    artifacts: [{ platform: 'linux', arch: 'x64', sha256, size: bytes.length, url: 'catalog-agent-linux-x64' }],
  });
  const good = '0'.repeat(64);
  const genuine = signRelease(own.privateKey, offer('9.0.0', good));
  const offers: unknown[] = [
    { ...offer('9.0.0', good), signature: '' },
    offer('9.0.0', good),
    signRelease(foreign.privateKey, offer('9.0.0', good)),
    { ...genuine, version: '9.0.1' },
    { ...genuine, artifacts: [{ ...genuine.artifacts[0], sha256: '1'.repeat(64) }] },
    { ...offer('9.0.0', good), signature: sign(null, Buffer.from('something else'), own.privateKey).toString('base64') },
    signRelease(own.privateKey, offer('0.0.1', good)),
    // Signed, but the bytes are others.
    genuine,
  ];
  for (const [at, manifest] of offers.entries()) {
    const client: Client = {
      clockOffset: () => 0,
      send: async (_method, url) => ({ status: 200, headers: new Headers(), body: url.startsWith('/update-manifest') ? manifest : bytes }),
    };
    const attempt = updateProgram(client, pinned, dataDir, { file: program, version: '0.1.0', platform: 'linux', arch: 'x64' });
    await expect(attempt, `offer ${at}`).rejects.toThrow(/not installed/);
    expect(readFileSync(program, 'utf8')).toBe('the program');
  }
  const none: Client = { clockOffset: () => 0, send: async () => ({ status: 200, headers: new Headers(), body: genuine }) };
  expect(await updateProgram(none, undefined, dataDir, { file: program, version: '0.1.0', platform: 'linux', arch: 'x64' })).toBeNull();
});
