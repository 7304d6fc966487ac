import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../test/service.ts';
import { silentLog } from '../log/index.ts';
import type { Principal } from '../principal.ts';
import { type App, createApp, createCallerReader, type EventStream, openEventStream } from './index.ts';

let app: App;
let streams: EventStream[];
let port: number;
/** What has become of the caller: new rights, nobody, or an error that prevents the check. */
let renewed: Partial<Principal> | null | Error;
let renewing: (() => Promise<Partial<Principal>>) | undefined;

beforeEach(async () => {
  streams = [];
  renewed = {};
  renewing = undefined;
  app = await createApp({
    log: silentLog,
    version: '0',
    authenticate: async ({ headers }) =>
      headers['x-name'] ? { kind: 'user', id: null, name: 'ann', role: 'user', scopes: ['read'], carrier: 'key', bypass: false } : null,
    renew: async (principal) => {
      if (renewing) return { ...principal, ...(await renewing()) };
      if (renewed instanceof Error) throw renewed;
      return renewed && { ...principal, ...renewed };
    },
    readCaller: createCallerReader({ trustedProxies: [], trustForwardedFor: false }),
  });
  app.get('/stream', { config: { scope: 'public', raw: true } }, (request, reply) => {
    streams.push(openEventStream(request, reply, { heartbeatMs: 20 }));
  });
  app.get('/mine', { config: { scope: 'read', raw: true } }, (request, reply) => {
    streams.push(openEventStream(request, reply, { heartbeatMs: 20, renewMs: 20 }));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});
afterEach(() => app.close());

async function connect(
  headers: Record<string, string> = {},
  path = '/stream',
): Promise<{ response: IncomingMessage; text(): string; ended(): boolean }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => get({ port, path, headers }, resolve).on('error', reject));
  let text = '';
  let ended = false;
  response
    .setEncoding('utf8')
    .on('data', (part: string) => (text += part))
    .on('end', () => (ended = true));
  return { response, text: () => text, ended: () => ended };
}

test('events carry a name, an id and JSON, with heartbeats between them and the usual security headers', async () => {
  const { response, text } = await connect();
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  await until(() => streams.length === 1, 'the stream');
  streams[0]!.send('progress', { seen: 3, name: 'a\nb' }, 7);
  await until(() => text().includes('id: 7\nevent: progress\ndata: {"seen":3,"name":"a\\nb"}\n\n'), 'the event');
  await until(() => text().split(': keep-alive').length > 2, 'two heartbeats');
});

test('a reconnecting client sends the last event id it received', async () => {
  await connect({ 'last-event-id': '41' });
  await until(() => streams.length === 1, 'the stream');
  expect(streams[0]!.lastEventId).toBe('41');
});

test('a client that disconnects aborts the stream, and later events are ignored', async () => {
  const { response } = await connect();
  await until(() => streams.length === 1, 'the stream');
  response.destroy();
  await until(() => streams[0]!.signal.aborted, 'the stream to end');
  expect(() => streams[0]!.send('progress', {})).not.toThrow();
});

test('closing the service ends open streams instead of waiting for them', async () => {
  const { ended } = await connect();
  await until(() => streams.length === 1, 'the stream');
  await app.close();
  await until(ended, 'the client to see the end');
});

test('while the credential is being checked, no second check begins', async () => {
  let checks = 0;
  const slow = Promise.withResolvers<Partial<Principal>>();
  renewing = () => {
    checks += 1;
    return slow.promise;
  };
  const { text, ended } = await connect({ 'x-name': 'ann' }, '/mine');
  // Heartbeats are as frequent as checks.
  await until(() => checks > 0 && text().split(': keep-alive').length > 5, 'five heartbeats');
  expect(checks).toBe(1);
  slow.resolve({});
  await until(() => checks > 1, 'the next check');
  expect(ended()).toBe(false);
});

test.each([
  ['ends', null],
  ['loses the scope of the route', { scopes: [] }],
  ['cannot be checked', new Error('no database')],
])('a stream without events ends when the credential %s', async (_what, outcome) => {
  const { ended } = await connect({ 'x-name': 'ann' }, '/mine');
  await until(() => streams.length === 1, 'the stream');
  expect(await streams[0]!.renewCaller()).toBe(true);
  renewed = outcome;
  await until(ended, 'the client to see the end');
  expect(await streams[0]!.renewCaller()).toBe(false);
});
