import { once } from 'node:events';
import { type AddressInfo, createConnection, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/service.ts';
import { silentLog } from '../log/index.ts';
import type { ConnectionLimits } from './connections.ts';
import { type App, createApp, createCallerReader, openEventStream } from './index.ts';

let app: App;
let port: number;
const sockets: Socket[] = [];

async function listen(connectionLimits: Partial<ConnectionLimits>, trustedProxies: string[] = []): Promise<void> {
  app = await createApp({
    log: silentLog,
    version: '0',
    authenticate: async (request) => ({
      kind: 'user',
      id: String(request.headers['x-name'] ?? 'ann'),
      name: 'ann',
      role: 'user',
      scopes: ['read'],
      carrier: 'key',
      bypass: false,
    }),
    renew: async (principal) => principal,
    readCaller: createCallerReader({ trustedProxies, trustForwardedFor: false }),
    connectionLimits,
  });
  app.post('/public', { config: { scope: 'public' } }, async () => 'ok');
  app.post('/agent', { config: { scope: 'public' } }, async (request) => {
    app.connections.provedAgent(request.raw.socket);
    return 'ok';
  });
  app.post('/admin', { config: { scope: 'admin' } }, async () => 'ok');
  app.post('/upload', { config: { scope: 'public', raw: true, bodySeconds: 600 } }, async () => 'ok');
  app.get('/stream', { config: { scope: 'read', raw: true } }, (request, reply) => {
    openEventStream(request, reply, { maxPerCaller: 3, maxInAll: 5 });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

/** Sends these bytes and collects the answer; `closed` is true when the service has closed the connection. */
function connection(bytes: string): { answer(): string; closed(): boolean; socket: Socket } {
  const socket = createConnection({ port, host: '127.0.0.1' });
  sockets.push(socket);
  let answer = '';
  let closed = false;
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  socket.on('error', () => {}).on('close', () => (closed = true));
  socket.write(bytes);
  return { answer: () => answer, closed: () => closed, socket };
}

const stalled = (url: string): string =>
  `POST ${url} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"a":`;
const problemOf = (answer: string): { code: string; status: number } => {
  expect(answer.toLowerCase()).toContain('content-type: application/problem+json');
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
};

describe('requests that do not arrive', () => {
  beforeEach(() => listen({ bodySeconds: 0.3, headerSeconds: 0.3 }));

  test('a stalled body ends with 408, also where the request was refused without reading it', async () => {
    const [open, refused] = [connection(stalled('/public')), connection(stalled('/admin'))];
    await until(() => open.closed() && refused.closed(), 'both connections to be closed');
    expect(problemOf(open.answer())).toMatchObject({ status: 408, code: 'request_timeout' });
    expect(problemOf(refused.answer())).toMatchObject({ status: 403, code: 'scope_insufficient' });
  });

  test('stalled headers end with 408', async () => {
    const slow = connection('POST /public HTTP/1.1\r\nHost: x\r\nContent-');
    await until(slow.closed, 'the connection to be closed');
    expect(problemOf(slow.answer())).toMatchObject({ status: 408, code: 'request_timeout' });
  });

  test('a route for large files may allow more time', async () => {
    const [upload, other] = [connection(stalled('/upload')), connection(stalled('/public'))];
    await until(other.closed, 'the other connection to be closed');
    upload.socket.write(`${'1'.padEnd(44)}}`);
    await until(() => upload.answer().includes('200 OK'), 'the upload to be answered');
  });
});

describe('connection caps', () => {
  const idle = async (): Promise<void> => void (await once(connection('').socket, 'connect'));

  test('more connections of one address than allowed get 503 with Retry-After, until one is closed', async () => {
    await listen({ connectionsPerAddress: 3 });
    for (let n = 0; n < 3; n += 1) await idle();
    const refused = connection('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(refused.closed, 'the connection to be refused');
    expect(problemOf(refused.answer())).toMatchObject({ status: 503, code: 'too_many_connections' });
    expect(refused.answer()).toContain('retry-after: 10');
    sockets[0]!.destroy();
    await until(async () => {
      const next = connection('POST /public HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      await until(next.closed, 'an answer');
      return next.answer().includes('200 OK');
    }, 'a free place');
  });

  test('agents that have proved who they are do not use up the connections of their address', async () => {
    await listen({ connectionsPerAddress: 2, connections: 2, agentConnections: 4 });
    const agent = () => connection('POST /agent HTTP/1.1\r\nHost: x\r\n\r\n');
    const refusedAfter = async (): Promise<void> => {
      const refused = connection('POST /public HTTP/1.1\r\nHost: x\r\n\r\n');
      await until(refused.closed, 'the connection to be refused');
      expect(problemOf(refused.answer())).toMatchObject({ code: 'too_many_connections' });
    };
    for (let n = 0; n < 4; n += 1) {
      const { answer } = agent();
      await until(() => answer().includes('200 OK'), `agent ${n} to be answered`);
    }
    // A second request on the same connection changes nothing.
    sockets[0]!.write('POST /agent HTTP/1.1\r\nHost: x\r\n\r\n');
    // One more agent than allowed counts like anyone.
    const { answer } = agent();
    await until(() => answer().includes('200 OK'), 'the fifth agent to be answered');
    await idle();
    await refusedAfter();
    for (const socket of sockets.splice(0)) socket.destroy();
    await until(async () => {
      const next = connection('POST /public HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      await until(next.closed, 'an answer');
      return next.answer().includes('200 OK');
    }, 'a free place');
    for (const _ of [1, 2]) await idle();
    await refusedAfter();
  });

  test('a trusted proxy stands for many clients and is limited only by the cap on all connections', async () => {
    await listen({ connectionsPerAddress: 1, connections: 4 }, ['127.0.0.1']);
    for (let n = 0; n < 4; n += 1) await idle();
    const refused = connection('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(refused.closed, 'the connection to be refused');
    expect(problemOf(refused.answer())).toMatchObject({ code: 'too_many_connections' });
  });
});

test('event streams are capped per principal with 429 and in all with 503, and a closed one makes room', async () => {
  await listen({});
  const open = (name: string) => connection(`GET /stream HTTP/1.1\r\nHost: x\r\nX-Name: ${name}\r\n\r\n`);
  const opened = async (name: string) => {
    const stream = open(name);
    await until(() => stream.answer().includes('retry: 3000'), `a stream of ${name}`);
    return stream;
  };
  const refused = async (name: string) => {
    const stream = open(name);
    await until(() => stream.answer().includes('}'), `an answer to ${name}`);
    expect(stream.answer()).toContain('retry-after: 10');
    return problemOf(stream.answer());
  };
  const [first] = [await opened('ann'), await opened('ann'), await opened('ann')];
  expect(await refused('ann')).toMatchObject({ status: 429, code: 'too_many_streams' });
  await opened('bob');
  await opened('eve');
  expect(await refused('bob')).toMatchObject({ status: 503, code: 'unavailable' });
  first!.socket.destroy();
  await until(async () => {
    const again = open('ann');
    await until(() => again.answer() !== '', 'an answer');
    return again.answer().includes('text/event-stream');
  }, 'room for another stream');
});

test('what is refused before it reaches a route is a problem document too', async () => {
  await listen({});
  const cases: [string, number, string][] = [
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'headers_too_large'],
    ['NONSENSE\r\n\r\n', 400, 'bad_request'],
    ['GET /%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400, 'bad_url'],
    ['POST /public HTTP/1.1\r\nHost: x\r\nExpect: a miracle\r\nContent-Length: 2\r\n\r\n', 417, 'expectation_failed'],
  ];
  for (const [bytes, status, code] of cases) {
    const { answer, closed } = connection(bytes);
    await until(closed, `an answer to ${bytes.slice(0, 30)}`);
    expect(problemOf(answer()), bytes.slice(0, 30)).toMatchObject({ status, code });
    expect(answer()).toContain('x-content-type-options: nosniff');
  }
});
