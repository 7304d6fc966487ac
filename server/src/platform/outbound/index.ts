/**
 * The only way out of the service. Every request names its purpose; a purpose whose feature is off cannot be used. The host is resolved once,
 * every answer is checked, and the connection goes to a checked address, so that a second DNS answer cannot lead elsewhere. Redirects are
 * returned, never followed. Time and size are limited. Errors name the host but never the rest of the URL, which may hold a token.
 */
import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Settings } from '../../settings/index.ts';
import { openTunnel, proxyFor } from './proxy.ts';
import { isPurposeOn, type Purpose, refusal } from './purposes.ts';

export type { Purpose } from './purposes.ts';

export interface OutboundRequest {
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Limit for everything: name, connection, answer. */
  timeoutMs: number;
  /** Reading ends after this many bytes. */
  maxResponseBytes: number;
  signal?: AbortSignal;
  /** Called before the body is read. */
  onStatus?(status: number): Promise<void> | void;
  /** Receives the body piece by piece; the response then has an empty body. The next piece is read when the promise resolves. */
  onData?(chunk: Buffer, status: number): Promise<void> | void;
}

export interface OutboundResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** The response was longer than `maxResponseBytes`. */
  truncated: boolean;
}

/** `retryable` is false when the same request would fail again: a refused address, a bad URL, or a feature that is off. */
export class OutboundError extends Error {
  readonly reason: 'off' | 'url' | 'refused' | 'unresolved' | 'timeout' | 'certificate' | 'transport';
  readonly retryable: boolean;
  constructor(reason: OutboundError['reason'], message: string) {
    super(message);
    this.name = 'OutboundError';
    this.reason = reason;
    this.retryable = !['off', 'url', 'refused'].includes(reason);
  }
}

export type Resolve = (host: string) => Promise<readonly string[]>;

export interface Outbound {
  /** Sends one request. `requested`: a person switched the feature on, or asked for this request, in the console. */
  send(purpose: Purpose, request: OutboundRequest, options?: { requested?: boolean }): Promise<OutboundResponse>;
  /** The checked addresses of a host, for a protocol other than HTTP. Connect to one of them, not to the name. */
  vet(purpose: Purpose, host: string, options?: { requested?: boolean }): Promise<readonly string[]>;
}

interface OutboundCounts {
  sent: number;
  failed: number;
  refused: number;
}
const counts = new Map<Purpose, OutboundCounts>();

/** Requests of this process since its start, by purpose. */
export function outboundCounts(): Record<string, OutboundCounts> {
  return Object.fromEntries([...counts].map(([purpose, each]) => [purpose, { ...each }]));
}

function count(purpose: Purpose, what: keyof OutboundCounts): void {
  const each = counts.get(purpose) ?? { sent: 0, failed: 0, refused: 0 };
  each[what] += 1;
  counts.set(purpose, each);
}

const resolveHost: Resolve = async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/** `resolve` and `env` can be replaced in tests. */
export function createOutbound({
  settings,
  resolve = resolveHost,
  env = process.env,
}: {
  settings: Settings;
  resolve?: Resolve;
  env?: Readonly<Record<string, string | undefined>>;
}): Outbound {
  async function vet(purpose: Purpose, host: string, { requested = false } = {}): Promise<readonly string[]> {
    if (!requested && !isPurposeOn(purpose, settings))
      throw new OutboundError('off', `The feature that uses ${purpose.replaceAll('_', ' ')} requests is off.`);
    const plain = host.replace(/^\[|\]$/g, '');
    const addresses = isIP(plain) ? [plain] : await resolve(plain).catch(() => []);
    if (addresses.length === 0) throw new OutboundError('unresolved', `The name ${plain} cannot be resolved. Check its spelling.`);
    for (const address of addresses) {
      const kind = refusal(purpose, address, settings);
      if (kind === null) continue;
      throw new OutboundError(
        'refused',
        `${plain} leads to a ${kind} address, to which ${purpose.replaceAll('_', ' ')} requests are not sent. SVC_WEBHOOK_ALLOWED_CIDRS can allow it.`,
      );
    }
    return addresses;
  }

  return {
    async vet(purpose, host, options) {
      try {
        return await vet(purpose, host, options);
      } catch (error) {
        count(purpose, error instanceof OutboundError && error.retryable ? 'failed' : 'refused');
        throw error;
      }
    },
    async send(purpose, request, options) {
      const timeout = AbortSignal.timeout(request.timeoutMs);
      const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
      const url = URL.parse(request.url);
      try {
        if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '' || url.port === '0')
          throw new OutboundError('url', 'The URL must start with http:// or https:// and name a host.');
        const proxy = proxyFor(url, env);
        const addresses = await orAborted(vet(purpose, url.hostname, options).catch(acceptUnresolved(proxy)), signal);
        const response = await exchange(url, addresses, proxy, request, signal);
        count(purpose, 'sent');
        return response;
      } catch (error) {
        const explained = explain(error, url?.hostname ?? 'The host', timeout.aborted, request.timeoutMs);
        count(purpose, explained instanceof OutboundError && !explained.retryable ? 'refused' : 'failed');
        throw explained;
      }
    },
  };
}

/** Behind a proxy, names of the internet may not be resolvable here. The proxy then resolves them, under the rules of its operator. */
const acceptUnresolved =
  (proxy: URL | null) =>
  (error: unknown): readonly string[] => {
    if (proxy && error instanceof OutboundError && error.reason === 'unresolved') return [];
    throw error;
  };

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    if (signal.aborted) stop();
  });
}

async function exchange(
  url: URL,
  addresses: readonly string[],
  proxy: URL | null,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'https:';
  const port = Number(url.port) || (secure ? 443 : 80);
  const servername = isIP(host) ? '' : host;
  const tunnel = proxy ? await openTunnel(proxy, `${bracket(addresses[0] ?? host)}:${port}`, signal) : null;
  const pinned: LookupFunction = (_name, options, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    if (options.all) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
  return new Promise((resolve, reject) => {
    const sent = (secure ? https : http).request({
      host,
      port,
      path: `${url.pathname}${url.search}`,
      method: request.method ?? (request.body === undefined ? 'GET' : 'POST'),
      headers: {
        'user-agent': 'Catalog',
        accept: '*/*',
        ...(url.username
          ? {
              authorization: `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`,
            }
          : {}),
        ...request.headers,
        ...(request.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(request.body)) }),
      },
      agent: false,
      lookup: pinned,
      signal,
      ...(secure ? { servername } : {}),
      ...(tunnel ? { createConnection: () => (secure ? connectTls({ socket: tunnel, servername }) : tunnel) } : {}),
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      readBody(response, request).then(({ body, truncated }) => {
        const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value ?? '')]));
        resolve({ status: response.statusCode ?? 0, headers, body, truncated });
        sent.destroy();
      }, reject);
    });
    sent.end(request.body);
  });
}

async function readBody(
  response: http.IncomingMessage,
  { maxResponseBytes, onStatus, onData }: OutboundRequest,
): Promise<{ body: Buffer; truncated: boolean }> {
  const status = response.statusCode ?? 0;
  await onStatus?.(status);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const kept = chunk.subarray(0, Math.max(0, maxResponseBytes - size));
    size += kept.length;
    if (onData) await onData(kept, status);
    else chunks.push(kept);
    if (kept.length < chunk.length) return { body: Buffer.concat(chunks), truncated: true };
  }
  return { body: Buffer.concat(chunks), truncated: false };
}

const bracket = (host: string): string => (host.includes(':') ? `[${host}]` : host);

function explain(error: unknown, host: string, timedOut: boolean, timeoutMs: number): Error {
  if (error instanceof OutboundError) return error;
  if (timedOut) return new OutboundError('timeout', `${host} did not answer within ${timeoutMs / 1000} seconds.`);
  const { code = '', message, name } = error as NodeJS.ErrnoException;
  if (name === 'AbortError') return error as Error;
  if (/^(CERT_|ERR_TLS_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code))
    return new OutboundError('certificate', `The certificate of ${host} is not accepted (${code}).`);
  return new OutboundError('transport', `The connection to ${host} failed (${code || message}).`);
}
