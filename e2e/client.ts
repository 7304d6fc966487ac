import assert from 'node:assert/strict';
import { until } from '../server/test/service.ts';
import type { StorageState } from './browser.ts';

export const ADMIN = { username: 'ann', password: 'correct horse' };

interface ApiResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test accesses the expected properties and fails if they are missing
  body: any;
}

/** The service with the sample library, an administrator and all thumbnails, stopped, for every test file to copy. */
export interface PreparedState {
  configDir: string;
  media: string;
  files: number;
}

interface Hit {
  file_category: string;
  has_thumb: boolean;
  has_error: boolean;
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

export async function createAdministrator(base: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${base}/api/v1/auth/bootstrap`, { method: 'POST', headers, body: JSON.stringify(ADMIN) });
  assert.ok(response.ok, await response.text());
}

export type Client = ReturnType<typeof createClient>;

/** Requests of the administrator. */
export function createClient(base: string, cookie: string) {
  const api = async (method: string, target: string, body?: unknown): Promise<ApiResponse> => {
    const response = await fetch(`${base}/api/v1${target}`, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text && /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text };
  };
  const waitForScan = async (id: string): Promise<string> => {
    const isOver = async () => ['finished', 'failed', 'stopped', 'aborted'].includes((await api('GET', `/scans/${id}`)).body.status);
    await until(isOver, 'the scan to end', 90_000);
    return (await api('GET', `/scans/${id}`)).body.status;
  };
  const scan = async (libraryId: string): Promise<string> => {
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
  /** Scans the sample library and waits until all its thumbnails exist. */
  const createSampleLibrary = async (media: string, files: number): Promise<void> => {
    const id = await createLibrary('Studio', media, { expose_gps: true });
    const listed = async () => (await api('GET', `/search?library=${id}&limit=200`)).body as { total: number; hits: Hit[] };
    await until(async () => (await listed()).total === files, 'the files in the index', 90_000);
    await until(
      async () =>
        (await listed()).hits.every((hit) => hit.file_category !== 'image' || hit.has_thumb) &&
        (await listed()).hits.some((hit) => hit.has_error),
      'the thumbnails and the unreadable file',
      240_000,
    );
  };
  return { api, scan, waitForScan, createLibrary, createSampleLibrary };
}
