import { PassThrough } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { problemFromError } from './errors.ts';
import { statusOf } from './status.ts';
import { refuseUnstorableText } from './validation.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());
const id = '01a1dcfe-9952-7896-a4ba-953f2deb22a4';

test('NUL in a body, query or path is a 422 that names the field, on every route', async () => {
  const nul = 'a\u0000b';
  const cases: [string, string, object | undefined, (string | number)[]][] = [
    ['POST', '/auth/login', { username: nul, password: 'x' }, ['body', 'username']],
    ['POST', '/rbac/groups', { name: nul }, ['body', 'name']],
    ['POST', '/service-accounts', { name: nul }, ['body', 'name']],
    ['POST', '/rbac/roles', { name: 'role', display_name: nul }, ['body', 'display_name']],
    ['POST', '/api-keys', { name: nul, scopes: ['read'] }, ['body', 'name']],
    [
      'POST',
      '/rbac/grants',
      { subject_kind: 'group', subject_id: id, library_id: id, action: 'download', rel_path: nul },
      ['body', 'rel_path'],
    ],
    ['PATCH', `/auth/users/${id}`, { display_name: nul }, ['body', 'display_name']],
    ['PATCH', '/taxonomy/categories/image', { label: nul }, ['body', 'label']],
    ['GET', '/system/logs?q=%00', undefined, ['query', 'q']],
    ['GET', '/system/jobs?task=%00', undefined, ['query', 'task']],
    ['GET', '/audit?event_type=%00', undefined, ['query', 'event_type']],
    ['GET', '/metadata-profiles/%00', undefined, ['path', 'key']],
  ];
  for (const [method, url, body, loc] of cases) {
    const answer = await t.request(method, url, body);
    expect([answer.statusCode, answer.json().code], `${method} ${url}`).toEqual([422, 'validation_failed']);
    expect(answer.json().errors[0], `${method} ${url}`).toMatchObject({ type: 'unstorable_text' });
    if (method !== 'GET' || loc[0] === 'query') expect(answer.json().errors[0].loc, `${method} ${url}`).toEqual(loc);
  }
});

test('half of a surrogate pair, a name with NUL, and text in a deep body are found as well', async () => {
  const post = (payload: string) =>
    t.app.inject({
      method: 'POST',
      url: '/api/v1/rbac/groups',
      payload,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${t.keys.admin}` },
    });
  for (const payload of ['{"name":"a\\ud800"}', '{"name":"a","x\\u0000":1}', `{"name":${'['.repeat(9000)}"\\u0000"${']'.repeat(9000)}}`]) {
    const answer = await post(payload);
    expect([answer.statusCode, answer.json().errors[0].type], payload.slice(0, 40)).toEqual([422, 'unstorable_text']);
  }
  expect((await post('{"name":"a \\ud83d\\ude00"}')).statusCode).toBe(201);
});

test('errors of the file system are problems with a sentence, not internal errors', () => {
  const codes = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES', 'EPERM', 'EIO', 'ESTALE', 'ENOSPC', 'EROFS', 'EMFILE'];
  const statuses = codes.map((code) => statusOf[problemFromError(Object.assign(new Error(code), { code, syscall: 'lstat' })).code]);
  expect(statuses).toEqual([409, 409, 422, 422, 403, 403, 503, 503, 507, 503, 503]);
  // The socket of a stopped database is missing.
  expect(
    problemFromError(Object.assign(new Error('connect'), { code: 'ENOENT', syscall: 'connect', address: '/run/.s.PGSQL.5432' })).code,
  ).toBe('database_unavailable');
});

test('a URL that exists with other methods is 405 with Allow', async () => {
  const cases: [string, string, string][] = [
    ['GET', '/auth/login', 'POST'],
    ['DELETE', '/libraries', 'GET, HEAD, POST'],
    ['PUT', `/libraries/${id}`, 'DELETE, GET, HEAD, PATCH'],
    ['OPTIONS', '/search', 'GET, HEAD'],
    ['POST', `/items/${id}/pages/1`, 'GET, HEAD'],
  ];
  for (const [method, url, allow] of cases) {
    const answer = await t.request(method, url);
    expect([answer.statusCode, answer.headers.allow, answer.json().code], `${method} ${url}`).toEqual([405, allow, 'method_not_allowed']);
  }
  for (const url of ['/nowhere', '/libraries/x/y/z', '/']) {
    const answer = await t.request('PUT', `/api/v1${url}`);
    expect([answer.statusCode, answer.headers.allow], url).toEqual([404, undefined]);
  }
});

test('a body that is a stream is not searched for text: streams of the web server lead back to themselves', () => {
  const body = Object.assign(new PassThrough(), { server: {} as object });
  body.server = { open: [body, body] };
  expect(() => refuseUnstorableText({ params: {}, query: {}, body } as FastifyRequest)).not.toThrow();
});
