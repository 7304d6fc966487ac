import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assembleApp } from '../src/assembly/app.ts';
import { createTestApp, type TestApp } from './app.ts';

let t: TestApp;
interface Operation {
  'x-scope': 'public' | 'session' | 'agent' | 'read' | 'write' | 'admin';
}
let operations: { method: string; url: string; scope: Operation['x-scope'] }[] = [];

beforeAll(async () => {
  t = await createTestApp();
  const document = (await t.request('GET', '/api/openapi.json')).json() as { paths: Record<string, Record<string, Operation>> };
  operations = Object.entries(document.paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      url: url.replace(/\{[^}]*\}/g, '01a1dcfe-9952-7896-a4ba-953f2deb22a4'),
      scope: operation['x-scope'],
    })),
  );
});
afterAll(() => t.close());

test('the OpenAPI 3.1 document passes a validator', async () => {
  const document = (await t.request('GET', '/api/openapi.json')).json();
  const result = await new Validator().validate(document);
  expect(result.valid ? [] : result.errors).toEqual([]);
  expect(document.openapi).toBe('3.1.0');
});

test('every route returns 401 without a credential, 403 below its scope, and neither with a sufficient scope', async () => {
  const rank = { read: 1, write: 2, admin: 3 } as const;
  expect(operations.length).toBeGreaterThan(25);
  for (const { method, url, scope } of operations) {
    if (url.includes('/events')) continue;
    const where = `${method} ${url}`;
    const bare = await t.request(method, url, method === 'GET' || method === 'DELETE' ? undefined : {}, { as: null });
    if (scope === 'agent') {
      // Agents are off here; fleet/agents tests who may call.
      expect(bare.statusCode, where).toBe(404);
      continue;
    }
    if (scope === 'public') {
      expect([401, 403], where).not.toContain(bare.json()?.code === 'login_failed' ? 200 : bare.statusCode);
      continue;
    }
    expect(bare.statusCode, where).toBe(401);
    expect(bare.headers['content-type'], where).toContain('application/problem+json');
    for (const as of ['read', 'write', 'admin'] as const) {
      const response = await t.request(method, url, method === 'GET' || method === 'DELETE' ? undefined : {}, { as });
      const enough = scope !== 'session' && rank[as] >= rank[scope];
      if (enough) expect([401], where).not.toContain(response.statusCode);
      if (enough) expect(response.statusCode === 403 ? response.json().code : '', where).not.toBe('scope_insufficient');
      else expect(response.statusCode, `${where} as ${as}`).toBe(403);
      expect(response.statusCode, `${where} as ${as}: ${response.body}`).not.toBe(500);
    }
  }
}, 300_000);

test('bad input is a 4xx problem document, never a 500', async () => {
  const post = (payload: string, type = 'application/json') =>
    t.app.inject({ method: 'POST', url: '/api/v1/auth/login', payload, headers: { 'content-type': type } });
  const cases: [string, number, string][] = [
    ['{"username":', 400, 'malformed_json'],
    ['', 400, 'malformed_json'],
    ['[]', 422, 'validation_failed'],
    ['null', 422, 'validation_failed'],
    ['{"username":1,"password":"x"}', 422, 'validation_failed'],
    ['{"username":"a","password":"b","extra":1}', 422, 'validation_failed'],
    ['{"username":"a","password":"b","__proto__":{"admin":true}}', 400, 'malformed_json'],
    ['{"username":"a","password":"b","constructor":{"prototype":{}}}', 400, 'malformed_json'],
    [`${'['.repeat(50_000)}${']'.repeat(50_000)}`, 422, 'validation_failed'],
    [`{"username":"${'a'.repeat(1_100_000)}","password":"b"}`, 413, 'body_too_large'],
  ];
  for (const [payload, status, code] of cases) {
    const response = await post(payload);
    expect(response.statusCode, payload.slice(0, 60)).toBe(status);
    expect(response.json()).toMatchObject({ status, code });
  }
  expect((await post('a=b', 'application/x-www-form-urlencoded')).statusCode).toBe(415);
  const unknown = await t.request('POST', '/auth/login', { username: 'a', password: 'b', extra: 1 }, { as: null });
  expect(unknown.json().errors).toEqual([{ loc: ['body', 'extra'], msg: 'is not a known field', type: 'additionalProperties' }]);
  expect((await t.request('DELETE', '/api-keys/not-a-uuid')).statusCode).toBe(422);
  expect((await t.request('DELETE', '/api-keys/01a1dcfe-9952-7896-a4ba-953f2deb22a4')).json()).toMatchObject({
    status: 404,
    code: 'not_found',
  });
  expect((await t.request('GET', '/nowhere')).json()).toMatchObject({ status: 404, code: 'not_found' });
});

test('the schemas of every route can be compiled', async () => {
  const app = await assembleApp(t.deps, { compileAtStart: true });
  await app.ready();
  await app.close();
});

test('no route can be registered without declaring its scope', async () => {
  const { createApp, createCallerReader } = await import('../src/platform/http/index.ts');
  const { silentLog } = await import('../src/platform/log/index.ts');
  const app = await createApp({
    log: silentLog,
    version: '0',
    authenticate: async () => null,
    renew: async (principal) => principal,
    readCaller: createCallerReader({ trustedProxies: [], trustForwardedFor: false }),
  });
  expect(() => app.get('/loose', async () => 'x')).toThrow(/declares no scope/);
  await app.close();
});

test('every response has the security headers and a request id', async () => {
  const response = await t.request('GET', '/health', undefined, { as: null });
  expect(response.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
  expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
});
