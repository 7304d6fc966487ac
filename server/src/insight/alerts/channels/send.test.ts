import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { createOutbound } from '../../../platform/outbound/index.ts';
import { settingsForTests } from '../../../settings/index.ts';
import type { AlertMessage } from '../message.ts';
import type { ChannelType, SmtpConfig, WebhookConfig } from './config.ts';
import { type SendResult, sendThrough } from './send.ts';
import { publicServices, readTarget } from './targets.ts';
import { formatFor, signature, sortedJson } from './webhook.ts';

const settings = settingsForTests({
  SVC_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
  SVC_ALERT_WEBHOOK_TIMEOUT_S: '1',
  SVC_ALERT_GATEWAY_TIMEOUT_S: '1',
  SVC_ALERT_WEBHOOK_MAX_RESPONSE_BYTES: '1000',
});
const now = new Date('2026-03-01T10:00:00Z');
const message: AlertMessage = {
  id: '0198-one.abc',
  kind: 'firing',
  severity: 'critical',
  title: '52 files deleted in Photos',
  text: 'Look at this & <that>.',
  rule: 'Deleted *files*',
  event_type: 'deleted',
  count: 52,
  paths: ['2024/a_1.jpg', '2024/b.jpg'],
  truncated: 50,
  library_id: '01a1dcfe-9952-7896-a4ba-953f2deb22a4',
  library: 'Photos',
  digest_window: null,
  group: 'group-1',
  occurred_at: now.toISOString(),
  link: 'https://catalog.example.org/#/alerts',
  facts: {},
};

interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}
type Answer = (request: IncomingMessage, response: ServerResponse, at: number) => void;

/** A real HTTP server that keeps what it receives. */
async function receiver(answer: Answer = (_, response) => void response.end('{}')): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      answer(request, response, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, received };
}

const outbound = createOutbound({ settings, env: {} });
const send = (type: ChannelType, config: object, secrets: Record<string, string>, done: string[] = []): Promise<SendResult> =>
  sendThrough({ type, config: config as WebhookConfig, secrets }, message, { outbound, settings, now, done });
const sendToHook = (port: number, { format = 'auto', ...secrets }: { format?: string; secret?: string } = {}): Promise<SendResult> =>
  send('webhook', { host: `127.0.0.1:${port}`, webhook_format: format }, { url: `http://127.0.0.1:${port}/hook`, ...secrets });

describe('webhooks', () => {
  test('no part of the address is in an error, also when the receiver repeats it', async () => {
    const { port } = await receiver((request, response) => void response.writeHead(404).end(`Cannot POST ${request.url}`));
    const url = `http://svc:hush-pw@127.0.0.1:${port}/services/hush-token?key=hush-key`;
    const { ok, detail } = await send('webhook', { host: `127.0.0.1:${port}`, webhook_format: 'auto' }, { url });
    expect([ok, detail]).toEqual([false, '127.0.0.1 answered 404: Cannot POST ***']);
  });

  test('the generic body is sorted JSON with a signature over time and body that a receiver can check', async () => {
    const { port, received } = await receiver();
    expect(await sendToHook(port, { secret: 'shared' })).toMatchObject({ ok: true, status_code: 200, retryable: false });
    const [{ method, headers, body }] = received as [Received];
    const [, t = '', hex = ''] = /^t=(\d+),sha256=([0-9a-f]{64})$/.exec(String(headers['x-svc-signature'])) ?? [];
    expect([method, headers['content-type'], headers['idempotency-key']]).toEqual(['POST', 'application/json', message.id]);
    expect(hex).toBe(createHmac('sha256', 'shared').update(`${t}.${body}`).digest('hex'));
    expect(Number(t)).toBe(now.getTime() / 1000);
    expect(headers['x-svc-signature-max-age']).toBe('300');
    expect(body).toBe(sortedJson(JSON.parse(body)));
    expect(JSON.parse(body)).toMatchObject({
      id: message.id,
      rule: 'Deleted *files*',
      event_type: 'deleted',
      count: 52,
      paths: message.paths,
      truncated: 50,
      library_id: message.library_id,
      group: 'group-1',
    });
    expect(body).not.toMatch(/\s"/);
  });

  test('without a secret nothing is signed, and another body or time has another signature', async () => {
    const { port, received } = await receiver();
    await sendToHook(port);
    expect(received[0]?.headers['x-svc-signature']).toBeUndefined();
    expect(
      new Set([signature('s', 'a', now), signature('s', 'b', now), signature('x', 'a', now), signature('s', 'a', new Date(0))]).size,
    ).toBe(4);
  });

  test('chat formats are detected from the target URL every time and carry no signature', async () => {
    const of = (url: string) => formatFor({ url, webhook_format: 'auto' });
    expect(of('https://discord.com/api/webhooks/1/token')).toBe('discord');
    expect(of('https://ptb.discordapp.com/api/webhooks/1/token')).toBe('discord');
    expect(of('https://hooks.slack.com/services/T/B/x')).toBe('slack');
    for (const url of ['https://discord.com.evil.org/api/webhooks/1/t', 'https://example.org/slack.com', 'https://notslack.com/x'])
      expect(of(url), url).toBe('generic');
    const { port, received } = await receiver();
    await sendToHook(port, { format: 'discord', secret: 'shared' });
    await sendToHook(port, { format: 'slack', secret: 'shared' });
    expect(received.map(({ headers }) => headers['x-svc-signature'])).toEqual([undefined, undefined]);
    const discord = JSON.parse(received[0]!.body) as {
      content: string;
      embeds: { title: string; description: string; color: number; timestamp: string }[];
    };
    expect(discord.embeds[0]).toMatchObject({ title: '52 files deleted in Photos', color: 0xcf3a32, timestamp: now.toISOString() });
    expect(discord.embeds[0]!.description).toContain('2024/a\\_1.jpg');
    const slack = JSON.parse(received[1]!.body) as { blocks: { text: { text: string } }[] };
    expect(slack.blocks[0]!.text.text).toContain('Look at this &amp; &lt;that&gt;.');
    expect(slack.blocks[0]!.text.text).toContain('and 50 more');
  });

  test('5xx, 408, 429, a timeout and a dropped connection are retryable; 3xx and 4xx are permanent', async () => {
    const outcomes: [Answer, Partial<SendResult>][] = [
      [(_, response) => void response.writeHead(500).end('broken'), { ok: false, status_code: 500, retryable: true }],
      [(_, response) => void response.writeHead(429).end(), { ok: false, status_code: 429, retryable: true }],
      [(_, response) => void response.writeHead(404).end('no such hook'), { ok: false, status_code: 404, retryable: false }],
      [
        (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
        { ok: false, status_code: 302, retryable: false },
      ],
      [(request) => void request.socket.destroy(), { ok: false, status_code: null, retryable: true }],
      [() => {}, { ok: false, status_code: null, retryable: true }],
    ];
    for (const [answer, expected] of outcomes) {
      const { port } = await receiver(answer);
      expect(await sendToHook(port)).toMatchObject(expected);
    }
  });

  test('a refused address is a permanent failure', async () => {
    const closed = createOutbound({ settings: settingsForTests({}), env: {} });
    const { port } = await receiver();
    const config: WebhookConfig = { host: `127.0.0.1:${port}`, webhook_format: 'auto' };
    const result = await sendThrough({ type: 'webhook', config, secrets: { url: `http://127.0.0.1:${port}/` } }, message, {
      outbound: closed,
      settings,
      now,
    });
    expect(result).toMatchObject({ ok: false, retryable: false, detail: expect.stringContaining('loopback') });
  });
});

describe('gateways', () => {
  const addresses = { ...publicServices };
  afterEach(() => void Object.assign(publicServices, addresses));

  test.each([
    ['ntfy', (port: number) => `ntfy://tk_secret@127.0.0.1:${port}/alerts`],
    ['ntfy', () => 'ntfy://alerts'],
    ['gotify', (port: number) => `gotify://127.0.0.1:${port}/app-token`],
    ['pushover', () => 'pover://user-key@app-token/phone'],
    ['telegram', () => 'tgram://123456:ABC-def_9/987/-100200'],
    ['matrix', (port: number) => `matrix://syt_token@127.0.0.1:${port}/!room:example.org`],
    ['mattermost', (port: number) => `mmost://127.0.0.1:${port}/hook-token`],
    ['teams', (port: number) => `msteams+http://127.0.0.1:${port}/workflows/1?sig=abc`],
    ['apprise', (port: number) => `apprise://127.0.0.1:${port}/key`],
    ['json', (port: number) => `json://me:word@127.0.0.1:${port}/in/here`],
  ])('%s receives title, text and paths', async (service, line) => {
    const { port, received } = await receiver();
    Object.assign(publicServices, {
      ntfy: `http://127.0.0.1:${port}`,
      pushover: `http://127.0.0.1:${port}`,
      telegram: `http://127.0.0.1:${port}`,
    });
    expect(await send('gateway', {}, { url: line(port) })).toMatchObject({ ok: true });
    expect(received).toHaveLength(service === 'telegram' ? 2 : 1);
    for (const { body } of received) {
      const text = service === 'pushover' ? [...new URLSearchParams(body).values()].join('\n') : body.replaceAll('\\n', '\n');
      expect(text).toContain('52 files deleted in Photos');
      expect(text).toContain('2024/a_1.jpg');
      expect(text).toContain('and 50 more');
    }
    expect(
      received.map(({ method, url, headers }) => `${method} ${url} ${headers.authorization ?? headers['x-gotify-key'] ?? ''}`.trim()),
    ).toMatchSnapshot();
  });

  test('a retry leaves out the targets that have the message already', async () => {
    const first = await receiver();
    const second = await receiver((_, response, at) => void response.writeHead(at === 1 ? 503 : 200).end());
    const url = `json://127.0.0.1:${first.port}/a\njson://127.0.0.1:${second.port}/b`;
    const failed = await send('gateway', {}, { url });
    expect(failed).toMatchObject({ ok: false, retryable: true, detail: expect.stringContaining('Line 2: json answered 503') });
    expect(await send('gateway', {}, { url }, failed.done)).toMatchObject({ ok: true });
    expect([first.received.length, second.received.length]).toEqual([1, 2]);
  });

  test('the time limit holds for all targets together', async () => {
    const slow = await receiver(() => {});
    const url = `json://127.0.0.1:${slow.port}/a\njson://127.0.0.1:${slow.port}/b`;
    expect(await send('gateway', {}, { url })).toMatchObject({ ok: false, retryable: true });
  });

  test('secrets never appear in the result, even if the receiver repeats them', async () => {
    const { port } = await receiver(
      (request, response) =>
        void response
          .writeHead(400)
          .end(`bad ${request.url} gotify://127.0.0.1:${(request.socket.address() as AddressInfo).port}/hush-token`),
    );
    const { detail } = await send('gateway', {}, { url: `gotify://127.0.0.1:${port}/hush-token` });
    expect(detail).toContain('400');
    expect(detail).not.toContain('hush-token');
  });

  test('unknown and incomplete addresses are explained without repeating them', () => {
    for (const line of [
      'smtp://host/secret',
      'no scheme',
      'gotify://host',
      'tgram://token',
      'matrix://host/room',
      'workflows://host/only',
      'pover://token',
      'mmost://',
    ])
      expect(readTarget(line), line).toEqual(expect.any(String));
    expect(readTarget('gotify://host')).not.toContain('host,');
  });
});

const openssl = spawnSync('openssl', ['version']).status === 0;

/** A self-signed certificate; a client accepts it once it is among the trusted ones. */
function certificateFor(host: string): { key: string; cert: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'mail-'));
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

describe('mail', () => {
  async function mailServer(options: SMTPServerOptions = {}): Promise<{ port: number; mails: string[] }> {
    const mails: string[] = [];
    const server = new SMTPServer({
      authOptional: true,
      ...options,
      onData(stream, session, callback) {
        if (options.onData) return options.onData.call(this as never, stream, session, callback);
        let text = '';
        stream.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        stream.on('end', () => {
          mails.push(text);
          callback();
        });
      },
    });
    server.on('error', () => {});
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
    return { port: (server.server.address() as AddressInfo).port, mails };
  }
  const config = (port: number, more: Partial<SmtpConfig> = {}): SmtpConfig => ({
    host: 'localhost',
    port,
    security: 'plain',
    allow_insecure: true,
    username: '',
    from_addr: 'catalog@example.org',
    to: ['ada@example.org', 'tor@example.org'],
    ...more,
  });

  test('a mail has text and HTML, its id, and both recipients', async () => {
    const recipients: string[] = [];
    const { port, mails } = await mailServer({
      disabledCommands: ['STARTTLS'],
      onRcptTo(address, _session, callback) {
        recipients.push(address.address);
        callback();
      },
    });
    expect(await send('smtp', config(port), {})).toMatchObject({ ok: true });
    expect(recipients).toEqual(['ada@example.org', 'tor@example.org']);
    const [mail = ''] = mails;
    expect(mail).toContain('Subject: 52 files deleted in Photos');
    expect(mail).toContain(`Message-ID: <${message.id}@catalog>`);
    expect(mail).toContain('Content-Type: text/plain');
    expect(mail).toContain('Content-Type: text/html');
    expect(mail).toContain('and 50 more');
    expect(mail.replaceAll('=\r\n', '')).toContain('Look at this &#38; &#60;that&#62;.');
  });

  test('a server without STARTTLS is refused when STARTTLS is chosen, and nothing is sent in the clear', async () => {
    const { port, mails } = await mailServer({ disabledCommands: ['STARTTLS'] });
    expect(await send('smtp', config(port, { security: 'starttls' }), {})).toMatchObject({ ok: false });
    expect(mails).toEqual([]);
  });

  test.each(['starttls', 'ssl'] as const)('a certificate that is not valid for the host is refused with %s', async (security) => {
    const { port, mails } = await mailServer({ secure: security === 'ssl' });
    const result = await send('smtp', config(port, { security }), {});
    expect(result).toMatchObject({ ok: false, detail: expect.stringMatching(/certificate|self.signed/i) });
    expect(mails).toEqual([]);
  });

  test.runIf(openssl).each(['starttls', 'ssl'] as const)(
    'a mail is delivered over %s to a server whose certificate is valid',
    async (security) => {
      const { key, cert } = certificateFor('localhost');
      const { port, mails } = await mailServer({ secure: security === 'ssl', key, cert });
      expect(await send('smtp', config(port, { security }), {})).toMatchObject({ ok: false });
      const trusted = getCACertificates('default');
      const other = certificateFor('mail.example.org');
      setDefaultCACertificates([...trusted, cert, other.cert]);
      onTestFinished(() => setDefaultCACertificates(trusted));
      expect(await send('smtp', config(port, { security }), {})).toMatchObject({ ok: true });
      expect(mails).toHaveLength(1);
      const elsewhere = await mailServer({ secure: security === 'ssl', ...other });
      expect(await send('smtp', config(elsewhere.port, { security }), {})).toMatchObject({ ok: false });
      expect(elsewhere.mails).toEqual([]);
    },
  );

  test('plain mail is refused unless it is allowed', async () => {
    const { port, mails } = await mailServer();
    expect(await send('smtp', config(port, { allow_insecure: false }), {})).toMatchObject({ ok: false, retryable: false });
    expect(mails).toEqual([]);
  });

  test('the password is sent to the server and never appears in an error', async () => {
    const { port } = await mailServer({
      disabledCommands: ['STARTTLS'],
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, callback) =>
        password === 'correct' ? callback(null, { user: username }) : callback(new Error(`bad password ${password} for ${username}`)),
    });
    expect(await send('smtp', config(port, { username: 'me' }), { password: 'correct' })).toMatchObject({ ok: true });
    const wrong = await send('smtp', config(port, { username: 'me' }), { password: 'hush-hush' });
    expect(wrong).toMatchObject({ ok: false, retryable: false });
    expect(wrong.detail).not.toContain('hush-hush');
  });

  test('SMTP 4xx is retryable and 5xx is permanent', async () => {
    for (const [code, retryable] of [
      [451, true],
      [550, false],
    ] as const) {
      const { port } = await mailServer({
        disabledCommands: ['STARTTLS'],
        onRcptTo: (_address, _session, callback) => callback(Object.assign(new Error('no'), { responseCode: code })),
      });
      expect(await send('smtp', config(port), {})).toMatchObject({ ok: false, status_code: code, retryable });
    }
  });

  test('a server that does not answer is retryable', async () => {
    expect(await send('smtp', config(9), {})).toMatchObject({ ok: false, retryable: true });
  });
});
