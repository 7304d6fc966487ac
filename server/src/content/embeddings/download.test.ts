import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import { writeTinyModel } from '../../../test/tiny-model.ts';
import type { Database } from '../../platform/database/index.ts';
import { silentLog } from '../../platform/log/index.ts';
import { settingsForTests } from '../../settings/index.ts';
import { downloadModel } from './download.ts';
import { describeModelFiles, findModelFolder } from './model-folder.ts';

const tiny = writeTinyModel();
const files = new Map([
  ['onnx/model.onnx', readFileSync(path.join(tiny, 'model.onnx'))],
  ['tokenizer.json', readFileSync(path.join(tiny, 'tokenizer.json'))],
  ['config.json', readFileSync(path.join(tiny, 'config.json'))],
]);
const revision = 'a'.repeat(40);
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const gitId = (bytes: Buffer): string => createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

/** A hub that lists the files with their checksums and redirects to a storage under another origin. */
let damaged: ((bytes: Buffer) => Buffer) | null = null;
/** Closes the connection after this many bytes of the weights. */
let droppedAfter: number | null = null;
const seen: { url: string; authorization: string | undefined; range: string | undefined }[] = [];
const storage = http.createServer((request, response) => {
  seen.push({ url: `storage ${request.url}`, authorization: request.headers.authorization, range: request.headers.range });
  const whole = files.get(request.url!.slice(1))!;
  const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const bytes = whole.subarray(from);
  if (droppedAfter !== null && request.url!.endsWith('.onnx')) {
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': bytes.length });
    return void response.write(bytes.subarray(0, droppedAfter), () => request.socket.destroy());
  }
  response.writeHead(from > 0 ? 206 : 200).end(damaged?.(bytes) ?? bytes);
});
const hub = http.createServer((request, response) => {
  seen.push({ url: `hub ${request.url}`, authorization: request.headers.authorization, range: request.headers.range });
  if (request.url === '/api/models/acme/tiny/revision/main?blobs=true') {
    const siblings = [...files].map(([rfilename, bytes]) =>
      rfilename.endsWith('.onnx')
        ? { rfilename, size: bytes.length, blobId: 'x', lfs: { sha256: sha256(bytes), size: bytes.length } }
        : { rfilename, size: bytes.length, blobId: gitId(bytes) },
    );
    return void response.writeHead(200).end(JSON.stringify({ sha: revision, siblings }));
  }
  const file = new RegExp(`^/acme/tiny/resolve/${revision}/(.+)$`).exec(request.url!)?.[1];
  if (!file) return void response.writeHead(404).end();
  response.writeHead(302, { location: `http://localhost:${(storage.address() as AddressInfo).port}/${file}` }).end('moved');
});

let database: Database;
let configDir: string;
beforeAll(async () => {
  database = await cloneDatabase();
  for (const server of [hub, storage]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  hub.close();
  storage.close();
  await database.close();
});
beforeEach(() => {
  configDir = mkdtempSync(path.join(os.tmpdir(), 'catalog-models-'));
  seen.length = 0;
  damaged = null;
  droppedAfter = null;
  return () => rmSync(configDir, { recursive: true });
});

const settings = (env: Record<string, string> = {}) =>
  settingsForTests({
    SVC_CONFIG_DIR: configDir,
    SVC_SEMANTIC_ENABLED: 'true',
    SVC_EMBED_MODEL: 'acme/tiny',
    SVC_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    ...env,
  });
const download = (env: Record<string, string> = {}): Promise<void> =>
  downloadModel({ db: database.db, settings: settings(env), log: silentLog }, new AbortController().signal, {
    hub: `http://127.0.0.1:${(hub.address() as AddressInfo).port}`,
  });

test('a model is downloaded once, at a pinned revision', async () => {
  await download({ MODEL_HUB_TOKEN: 'hf_secret' });
  const folder = findModelFolder(settings());
  expect(readFileSync(path.join(folder, 'onnx/model.onnx'))).toEqual(files.get('onnx/model.onnx'));
  expect(describeModelFiles(settings())).toMatchObject({ repository: 'acme/tiny', revision, file: 'onnx/model.onnx', cached: true });
  // Only the hub gets the token.
  expect(new Set(seen.map(({ url, authorization }) => `${url.split(' ')[0]} ${authorization}`))).toEqual(
    new Set(['hub Bearer hf_secret', 'storage undefined']),
  );
  seen.length = 0;
  await download();
  expect(seen).toEqual([]);
});

test('a download that was interrupted continues where it stopped, and a wrong checksum starts the file again', async () => {
  damaged = (bytes) => bytes.subarray(0, 20);
  await expect(download({ MODEL_HUB_TOKEN: '<your token>' })).rejects.toThrow(/does not have the checksum/);
  expect(seen.every(({ authorization }) => authorization === undefined)).toBe(true);
  expect(() => findModelFolder(settings())).toThrow(/not here yet/);
  damaged = (bytes) => (bytes.length === files.get('onnx/model.onnx')!.length ? Buffer.alloc(bytes.length) : bytes);
  await expect(download()).rejects.toThrow(/model\.onnx .* checksum/);
  damaged = null;
  await download();
  expect(existsSync(findModelFolder(settings()))).toBe(true);
});

test('a file whose connection was lost continues in its middle', async () => {
  droppedAfter = 100;
  await expect(download()).rejects.toThrow(/could not be downloaded/);
  droppedAfter = 200;
  await expect(download()).rejects.toThrow(/could not be downloaded/);
  droppedAfter = null;
  await download();
  const ranges = seen.filter(({ url }) => url === 'storage /onnx/model.onnx').map(({ range }) => range);
  expect(ranges).toEqual([undefined, 'bytes=100-', 'bytes=300-']);
  expect(readFileSync(path.join(findModelFolder(settings()), 'onnx/model.onnx'))).toEqual(files.get('onnx/model.onnx'));
  // The other files were complete and are not requested again, and the revision is the one of the first attempt.
  expect(seen.filter(({ url }) => url === 'storage /tokenizer.json')).toHaveLength(1);
  expect(seen.filter(({ url }) => url.startsWith('hub /api'))).toHaveLength(1);
});

test('an unknown model, a full disk and an address of the local network are refused with what to do', async () => {
  await expect(download({ SVC_EMBED_MODEL: 'acme/other' })).rejects.toThrow(/answered 404 .* Check SVC_EMBED_MODEL/);
  await expect(download({ SVC_EMBED_MODEL: 'nonsense' })).rejects.toThrow(/neither a folder nor the name/);
  await expect(download({ SVC_DISK_MIN_FREE_GB: '1000000000' })).rejects.toThrow(/nearly full/);
  await expect(download({ SVC_WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/8' })).rejects.toThrow(/loopback address.*Put its files into/);
});

test('a folder or a server needs no download', async () => {
  await download({ SVC_EMBED_MODEL: tiny });
  await download({ SVC_EMBED_URL: 'http://127.0.0.1:9' });
  expect(seen).toEqual([]);
});
