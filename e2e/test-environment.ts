import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import assert from 'node:assert/strict';
import { runCommand, type Service, startService, stopService, temporaryFolder, until } from '../server/test/service.ts';
import { openBrowser } from './browser.ts';
import { writeSampleLibrary } from './sample-library.ts';

export const ADMIN = { username: 'ann', password: 'correct horse' };

/** What the browser keeps for somebody who is signed in. */
export type StorageState = Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>;

export interface ApiResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not there
  body: any;
}

export interface TestEnvironment {
  service: Service;
  browser: Browser;
  /** The address of the console. */
  base: string;
  media: string;
  folder: string;
  /** How many files the generated library has. */
  files: number;
  storageState: StorageState;
  /** Asks the service as the administrator. */
  api(method: string, target: string, body?: unknown): Promise<ApiResponse>;
  /** A library of its own for a test, in a folder of its own, already waitForScan. */
  addLibrary(name: string, files: Record<string, string>, extra?: object): Promise<{ id: string; root: string }>;
  waitForScan(scanId: string): Promise<string>;
  close(): Promise<void>;
}

/** Signs in as a script would: the storageState holds the session's cookie. */
export async function signIn(
  base: string,
  who: { username: string; password: string },
): Promise<{ storageState: StorageState; cookie: string }> {
  const answer = await fetch(`${base}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(who),
  });
  assert.equal(answer.status, 200);
  const [pair] = answer.headers.getSetCookie()[0]!.split(';');
  const [name, ...value] = pair!.split('=');
  const cookie = {
    name: name!,
    value: value.join('='),
    domain: 'localhost',
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Lax' as const,
  };
  return { storageState: { cookies: [cookie], origins: [] }, cookie: pair! };
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

/** The whole service on a generated library, a browser, and an administrator who is signed in. With `pictures` also every thumbnail is there. */
export async function startEnvironment(options: EnvironmentOptions = {}): Promise<TestEnvironment> {
  const place = temporaryFolder();
  const started: (() => Promise<unknown>)[] = [];
  try {
    return await setUp(place, options, started);
  } catch (error) {
    // A env that did not come about leaves nothing running.
    for (const end of started.reverse()) await end();
    place.remove();
    throw error;
  }
}

async function setUp(
  place: ReturnType<typeof temporaryFolder>,
  options: EnvironmentOptions,
  started: (() => Promise<unknown>)[],
): Promise<TestEnvironment> {
  const media = path.join(place.folder, 'media');
  const { files } = await writeSampleLibrary(media);
  const service = await startService(path.join(place.folder, 'config'), { MEDIA_PATH: media, ...options.env });
  started.push(() => stopService(service));
  const browser = await openBrowser();
  started.push(() => browser.close());
  const base = service.url.replace('127.0.0.1', 'localhost');
  let cookie = '';

  const api: TestEnvironment['api'] = async (method, target, body) => {
    const answer = await fetch(`${base}/api/v1${target}`, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text && /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : text };
  };
  await api('POST', '/auth/bootstrap', ADMIN);
  const entered = await signIn(base, ADMIN);
  cookie = entered.cookie;

  const waitForScan: TestEnvironment['waitForScan'] = async (id) => {
    const over = async () => ['finished', 'failed', 'stopped', 'aborted'].includes((await api('GET', `/scans/${id}`)).body.status);
    await until(over, 'the scan to end', 90_000);
    return (await api('GET', `/scans/${id}`)).body.status;
  };
  const addLibrary = async (name: string, root: string, extra: object = {}): Promise<string> => {
    const made = await api('POST', '/libraries', {
      name,
      root_path: root,
      enabled_presets: ['hidden_dotfiles'],
      count_pruned_files: true,
      ...extra,
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const scan = await api('POST', `/libraries/${made.body.id}/scan`);
    assert.equal(await waitForScan(scan.body.scan_id), 'finished');
    return made.body.id;
  };
  const id = await addLibrary('Studio', media, { expose_gps: true });
  const listed = async () => (await api('GET', `/search?library=${id}&limit=200`)).body as { total: number; hits: Hit[] };
  await until(async () => (await listed()).total === files, 'the files in the index', 90_000);
  if (options.thumbnails)
    await until(
      async () =>
        (await listed()).hits.every((hit) => hit.file_category !== 'image' || hit.has_thumb) &&
        (await listed()).hits.some((hit) => hit.has_error),
      'the pictures and the broken file',
      90_000,
    );
  return {
    service,
    browser,
    base,
    media,
    folder: place.folder,
    files,
    storageState: entered.storageState,
    api,
    waitForScan,
    async addLibrary(name, contents, extra) {
      const root = path.join(place.folder, name);
      for (const [file, text] of Object.entries(contents)) {
        mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
        writeFileSync(path.join(root, file), text);
      }
      const id = await addLibrary(name, root, extra);
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
      place.remove();
      assert.match(checked.output, /All checks hold\./);
    },
  };
}
