import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { runCommand, type Service, startService, stopService, temporaryFolder, until } from '../server/test/service.ts';
import { openBrowser, type StorageState } from './browser.ts';
import { writeSampleLibrary } from './sample-library.ts';

export const ADMIN = { username: 'ann', password: 'correct horse' };

interface ApiResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test accesses the expected properties and fails if they are missing
  body: any;
}

export interface TestEnvironment {
  service: Service;
  browser: Browser;
  /** The base URL of the console. */
  base: string;
  media: string;
  folder: string;
  /** Number of files in the sample library. */
  files: number;
  storageState: StorageState;
  /** Sends a request as the administrator. */
  api(method: string, target: string, body?: unknown): Promise<ApiResponse>;
  /** Creates a library in its own folder and waits until it is scanned and indexed. */
  addLibrary(name: string, files: Record<string, string>, extra?: object): Promise<{ id: string; root: string }>;
  /** Starts a scan and waits until it has ended; returns its status. */
  scan(libraryId: string): Promise<string>;
  waitForScan(scanId: string): Promise<string>;
  close(): Promise<void>;
}

/** Signs in through the API; the storage state holds the session cookie. */
export async function signIn(
  base: string,
  credentials: { username: string; password: string },
): Promise<{ storageState: StorageState; cookie: string }> {
  const response = await fetch(`${base}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  assert.equal(response.status, 200);
  const [setCookie] = response.headers.getSetCookie();
  assert.ok(setCookie);
  const [pair = ''] = setCookie.split(';');
  const [name = '', ...value] = pair.split('=');
  const cookie = {
    name,
    value: value.join('='),
    domain: 'localhost',
    path: '/',
    expires: -1,
    httpOnly: true,
    // Browsers treat localhost as secure, and the name of the cookie requires it.
    secure: true,
    sameSite: 'Lax' as const,
  };
  return { storageState: { cookies: [cookie], origins: [] }, cookie: pair };
}

interface Hit {
  file_category: string;
  has_thumb: boolean;
  has_error: boolean;
}

interface EnvironmentOptions {
  env?: Record<string, string>;
  thumbnails?: boolean;
}

/** Starts the server with the sample library, a browser and a signed-in administrator. With `thumbnails` it waits until all of them exist. */
export async function startEnvironment(options: EnvironmentOptions = {}): Promise<TestEnvironment> {
  const temporary = temporaryFolder();
  const started: (() => Promise<unknown>)[] = [];
  try {
    return await setUp(temporary, options, started);
  } catch (error) {
    // A failed setup must leave nothing running.
    for (const stop of started.reverse()) await stop();
    temporary.remove();
    throw error;
  }
}

async function setUp(
  temporary: ReturnType<typeof temporaryFolder>,
  options: EnvironmentOptions,
  started: (() => Promise<unknown>)[],
): Promise<TestEnvironment> {
  const media = path.join(temporary.folder, 'media');
  const { files } = await writeSampleLibrary(media);
  const service = await startService(path.join(temporary.folder, 'config'), { MEDIA_PATH: media, ...options.env });
  started.push(() => stopService(service));
  const browser = await openBrowser();
  started.push(() => browser.close());
  const base = service.url.replace('127.0.0.1', 'localhost');
  let cookie = '';

  const api: TestEnvironment['api'] = async (method, target, body) => {
    const response = await fetch(`${base}/api/v1${target}`, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text && /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text };
  };
  await api('POST', '/auth/bootstrap', ADMIN);
  const session = await signIn(base, ADMIN);
  cookie = session.cookie;

  const waitForScan: TestEnvironment['waitForScan'] = async (id) => {
    const isOver = async () => ['finished', 'failed', 'stopped', 'aborted'].includes((await api('GET', `/scans/${id}`)).body.status);
    await until(isOver, 'the scan to end', 90_000);
    return (await api('GET', `/scans/${id}`)).body.status;
  };
  const scan: TestEnvironment['scan'] = async (libraryId) => {
    // The job of the previous scan may still hold its lock for a moment; a new scan is refused until then.
    const startedScan = await until(async () => {
      const { status, body } = await api('POST', `/libraries/${libraryId}/scan`);
      return status < 300 ? (body as { scan_id: string }) : null;
    }, 'the scan to start');
    return waitForScan(startedScan.scan_id);
  };
  const createLibrary = async (name: string, root: string, extra: object = {}): Promise<string> => {
    const created = await api('POST', '/libraries', {
      name,
      root_path: root,
      enabled_presets: ['hidden_dotfiles'],
      count_pruned_files: true,
      ...extra,
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    assert.equal(await scan(created.body.id), 'finished');
    return created.body.id;
  };
  const id = await createLibrary('Studio', media, { expose_gps: true });
  const listed = async () => (await api('GET', `/search?library=${id}&limit=200`)).body as { total: number; hits: Hit[] };
  await until(async () => (await listed()).total === files, 'the files in the index', 90_000);
  if (options.thumbnails)
    await until(
      async () =>
        (await listed()).hits.every((hit) => hit.file_category !== 'image' || hit.has_thumb) &&
        (await listed()).hits.some((hit) => hit.has_error),
      'the thumbnails and the unreadable file',
      90_000,
    );
  return {
    service,
    browser,
    base,
    media,
    folder: temporary.folder,
    files,
    storageState: session.storageState,
    api,
    scan,
    waitForScan,
    async addLibrary(name, contents, extra) {
      const root = path.join(temporary.folder, name);
      for (const [file, text] of Object.entries(contents)) {
        mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
        writeFileSync(path.join(root, file), text);
      }
      const id = await createLibrary(name, root, extra);
      await until(
        async () => (await api('GET', `/search?library=${id}&limit=1`)).body.total === Object.keys(contents).length,
        'the files in the index',
        90_000,
      );
      return { id, root };
    },
    async close() {
      await browser.close();
      await stopService(service);
      const checked = await runCommand(['check'], { SVC_CONFIG_DIR: service.configDir });
      temporary.remove();
      assert.match(checked.output, /All checks passed\./);
    },
  };
}
