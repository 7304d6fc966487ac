import { createSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import http, { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { settingsForTests } from '../../settings/index.ts';
import { createOutbound, type OutboundError, type OutboundRequest, outboundCounts } from './index.ts';
import { proxyFor } from './proxy.ts';

const local = settingsForTests({ SVC_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' });
const limits = { timeoutMs: 5000, maxResponseBytes: 1000 };

async function receiver(handle: (request: IncomingMessage, response: ServerResponse) => void, host = '127.0.0.1'): Promise<number> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const reasonOf = (request: Partial<OutboundRequest> & { url: string }, settings = local) =>
  createOutbound({ settings, env: {} })
    .send('webhook', { ...limits, ...request })
    .then(
      ({ status }) => `status ${status}`,
      (error: OutboundError) => error.reason,
    );

test('a request arrives with its method, headers and body, and the answer is returned', async () => {
  let seen = '';
  const port = await receiver((request, response) => {
    request.setEncoding('utf8').on('data', (text) => (seen += text));
    request.on('end', () =>
      response.setHeader('x-seen', `${request.method} ${request.headers['x-one']} ${request.headers.host}`).end('thanks'),
    );
  });
  const response = await createOutbound({ settings: local, env: {} }).send('webhook', {
    ...limits,
    url: `http://127.0.0.1:${port}/a?b=c`,
    headers: { 'x-one': '1' },
    body: 'hello',
  });
  expect([response.status, response.body.toString(), response.headers['x-seen'], seen]).toEqual([
    200,
    'thanks',
    `POST 1 127.0.0.1:${port}`,
    'hello',
  ]);
});

test('redirects are refused: the answer is returned and the target is never called', async () => {
  let calls = 0;
  const target = await receiver((_, response) => {
    calls += 1;
    response.end();
  });
  const port = await receiver((_, response) => response.writeHead(302, { location: `http://127.0.0.1:${target}/` }).end());
  expect(await reasonOf({ url: `http://127.0.0.1:${port}/` })).toBe('status 302');
  expect(calls).toBe(0);
});

test('response bodies are capped', async () => {
  const port = await receiver((_, response) => response.end('x'.repeat(100_000)));
  const { body, truncated } = await createOutbound({ settings: local, env: {} }).send('webhook', {
    ...limits,
    url: `http://127.0.0.1:${port}/`,
  });
  expect([body.length, truncated]).toEqual([1000, true]);
});

test('a body can be received piece by piece', async () => {
  const port = await receiver((_, response) => response.end('y'.repeat(300_000)));
  let size = 0;
  const { body, truncated } = await createOutbound({ settings: local, env: {} }).send('webhook', {
    ...limits,
    maxResponseBytes: 1_000_000,
    url: `http://127.0.0.1:${port}/`,
    async onData(chunk) {
      size += chunk.length;
    },
  });
  expect([size, body.length, truncated]).toEqual([300_000, 0, false]);
});

test('a slow answer, a dropped connection, a closed port and a bad URL have their own reasons', async () => {
  const slow = await receiver(() => {});
  const trickling = await receiver((_, response) => void response.writeHead(200).write('a'));
  const dropping = await receiver((request) => request.socket.destroy());
  expect(await reasonOf({ url: `http://127.0.0.1:${slow}/`, timeoutMs: 50 })).toBe('timeout');
  expect(await reasonOf({ url: `http://127.0.0.1:${trickling}/`, timeoutMs: 100 })).toBe('timeout');
  expect(await reasonOf({ url: `http://127.0.0.1:${dropping}/` })).toBe('transport');
  expect(await reasonOf({ url: 'http://127.0.0.1:9/' })).toBe('transport');
  for (const url of [
    'ftp://example.org/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'not a url',
    'http://',
    'javascript:1',
    'http://127.0.0.1:0/',
  ])
    expect(await reasonOf({ url }), url).toBe('url');
});

test('an error names the host but not the path or the credentials of the URL', async () => {
  const sent = createOutbound({ settings: local, env: {} }).send('webhook', {
    ...limits,
    url: 'http://user:pass@127.0.0.1:9/token-123?key=456',
  });
  const { message } = (await sent.catch((error: unknown) => error)) as Error;
  expect(message).toContain('127.0.0.1');
  expect(message).not.toMatch(/token|456|user|pass/);
});

test('the address that was checked is the one that is connected to, even if DNS answers differently the second time', async () => {
  const allowed = await receiver((_, response) => response.end('checked'), '127.0.0.2');
  // A DNS server whose first answer is the allowed address and whose later answers are the forbidden one.
  const server = createSocket('udp4');
  let asked = 0;
  server.on('message', (query, { port, address }) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const isA = question.readUInt16BE(question.length - 4) === 1;
    if (isA) asked += 1;
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, asked === 1 ? 2 : 3]);
    const header = Buffer.concat([query.subarray(0, 2), Buffer.from([0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0])]);
    server.send(Buffer.concat([header, question, ...(isA ? [answer] : [])]), port, address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const resolver = new dns.Resolver();
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  const outbound = createOutbound({
    settings: settingsForTests({ SVC_WEBHOOK_ALLOWED_CIDRS: '127.0.0.2' }),
    resolve: (host) => resolver.resolve4(host),
    env: {},
  });
  const first = await outbound.send('webhook', { ...limits, url: `http://rebind.test:${allowed}/` });
  expect([first.body.toString(), asked]).toEqual(['checked', 1]);
  await expect(outbound.send('webhook', { ...limits, url: `http://rebind.test:${allowed}/` })).rejects.toMatchObject({ reason: 'refused' });
});

test('a purpose whose feature is off cannot be called, and a request that a person asked for can', async () => {
  const port = await receiver((_, response) => response.end());
  const outbound = createOutbound({ settings: local, env: {} });
  const request = { ...limits, url: `http://127.0.0.1:${port}/` };
  for (const purpose of ['update_check', 'identity_provider', 'model_download', 'embedding_server', 'language_model'] as const)
    await expect(outbound.send(purpose, request), purpose).rejects.toMatchObject({ reason: 'off', retryable: false });
  expect((await outbound.send('identity_provider', request, { requested: true })).status).toBe(200);
});

test('requests are counted by purpose', async () => {
  const port = await receiver((_, response) => response.end());
  const before = outboundCounts()['mail'] ?? { sent: 0, failed: 0, refused: 0 };
  const outbound = createOutbound({ settings: local, env: {} });
  await outbound.send('mail', { ...limits, url: `http://127.0.0.1:${port}/` });
  await outbound.send('mail', { ...limits, url: 'http://127.0.0.1:9/' }).catch(() => {});
  await outbound.vet('mail', '169.254.169.254').catch(() => {});
  expect(outboundCounts()['mail']).toEqual({ sent: before.sent + 1, failed: before.failed + 1, refused: before.refused + 1 });
});

test('HTTPS_PROXY, HTTP_PROXY and NO_PROXY decide about the proxy', () => {
  const env = {
    HTTPS_PROXY: 'http://proxy.test:3128',
    http_proxy: 'plain.test:8080',
    NO_PROXY: 'direct.test, .inner.test, 10.0.0.1, port.test:8443',
  };
  const of = (url: string) => proxyFor(new URL(url), env)?.host ?? null;
  expect(of('https://example.org/')).toBe('proxy.test:3128');
  expect(of('http://example.org/')).toBe('plain.test:8080');
  for (const url of [
    'https://direct.test/',
    'https://a.direct.test/',
    'https://inner.test/',
    'https://x.inner.test/',
    'http://10.0.0.1/',
    'https://port.test:8443/',
  ])
    expect(of(url), url).toBeNull();
  expect(of('https://port.test/')).toBe('proxy.test:3128');
  expect(proxyFor(new URL('https://example.org/'), { NO_PROXY: '*', HTTPS_PROXY: 'http://proxy.test' })).toBeNull();
});

test('behind a proxy the tunnel goes to the checked address, a refused address is refused, and its credentials are sent', async () => {
  const port = await receiver((request, response) => response.end(`host ${request.headers.host}`));
  const asked: string[] = [];
  const proxy = http.createServer();
  proxy.on('connect', (request, socket) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization']}`);
    const [host, at] = (request.url ?? '').split(':');
    const upstream = connect(Number(at), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const env = { HTTP_PROXY: `http://me:word@127.0.0.1:${(proxy.address() as AddressInfo).port}` };
  const outbound = createOutbound({ settings: local, resolve: async () => ['127.0.0.1'], env });
  const { body } = await outbound.send('webhook', { ...limits, url: `http://name.test:${port}/` });
  expect(body.toString()).toBe(`host name.test:${port}`);
  expect(asked).toEqual([`127.0.0.1:${port} Basic ${Buffer.from('me:word').toString('base64')}`]);
  await expect(outbound.send('webhook', { ...limits, url: 'http://169.254.169.254/' })).rejects.toMatchObject({ reason: 'refused' });
});

test('a server that is not HTTP is a transport error', async () => {
  const server = createTcpServer((socket) => socket.end('220 not http\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  expect(await reasonOf({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })).toBe('transport');
});
