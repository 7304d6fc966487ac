import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import tar from 'tar-stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());
const built =
  existsSync(new URL('../../../../console/dist/index.html', import.meta.url)) &&
  existsSync(new URL('../../../../manual/dist/index.html', import.meta.url));
const get = (url: string) => t.app.inject({ method: 'GET', url });

// `npm test` builds both first; a single run without a build has nothing to serve.
test.runIf(built)('the console is served with a fresh style nonce and no inline script', async () => {
  const [one, two] = [await get('/'), await get('/index.html')];
  const nonce = /nonce-([^']+)'/.exec(String(one.headers['content-security-policy']))![1]!;
  expect(one.statusCode).toBe(200);
  expect(one.body).toContain(nonce);
  expect(one.body).not.toContain('__CSP_NONCE__');
  expect(two.headers['content-security-policy']).not.toContain(nonce);
  expect(one.headers['content-security-policy']).toContain("script-src 'self';");
  expect(one.body).not.toMatch(/<script(?![^>]*\bsrc=)/);
});

test.runIf(built)('built files come from our own origin and are cached forever when their name contains a hash', async () => {
  const script = /(?:src|href)="\.?\/?(assets\/[^"]+\.(?:js|css))"/.exec((await get('/')).body)![1]!;
  const asset = await get(`/${script}`);
  expect([asset.statusCode, asset.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
  expect((await get('/sw.js')).headers['cache-control']).toBe('no-cache');
  expect((await get('/.stamp')).statusCode).toBe(404);
  expect((await get('/%2e%2e/package.json')).statusCode).toBeGreaterThanOrEqual(400);
  expect((await get('/nothing-here.js')).json()).toMatchObject({ status: 404, code: 'not_found' });
});

test.runIf(built)('the manual and the interactive reference are served under a strict policy', async () => {
  const manual = await get('/docs/');
  expect([manual.statusCode, manual.headers['content-security-policy']]).toEqual([200, expect.stringContaining("default-src 'none'")]);
  expect(manual.body).not.toMatch(/https?:\/\/(?!localhost)/);
  expect((await get('/docs/configuration.html')).body).toContain('SVC_PORT');
  const reference = await get('/api/docs/');
  expect([reference.statusCode, reference.headers['content-security-policy']]).toEqual([200, expect.stringContaining("script-src 'self'")]);
});

test('the source archive contains the running source, without data, secrets or packages', async () => {
  const { source_url } = (await t.request('GET', '/version', undefined, { as: null })).json();
  expect(source_url).toBe('/source.tar.gz');
  const answer = await get(source_url);
  expect(answer.statusCode).toBe(200);
  const names: string[] = [];
  const licence: Buffer[] = [];
  const extract = tar.extract();
  extract.on('entry', (header, stream, next) => {
    names.push(header.name);
    stream.on('data', (part: unknown) => void (header.name.endsWith('/LICENSE') && licence.push(part as Buffer)));
    stream.on('end', next);
  });
  await new Promise<void>((resolve, reject) => {
    extract.on('finish', resolve).on('error', reject);
    extract.end(gunzipSync(answer.rawPayload));
  });
  expect(names.some((name) => name.endsWith('server/src/main.ts'))).toBe(true);
  const { workspaces } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as { workspaces: string[] };
  expect(workspaces.filter((folder) => !names.some((name) => name.endsWith(`/${folder}/package.json`)))).toEqual([]);
  expect(names.filter((name) => /node_modules|\/dist\/|\.env|\.git\//.test(name))).toEqual([]);
  expect(Buffer.concat(licence).toString()).toBe(readFileSync(new URL('../../../../LICENSE', import.meta.url), 'utf8'));
});
