import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { contentDigest, signRequest } from '@catalog/protocol';
import { type AgentConfig, filesIn } from './config.ts';
import { createMutualTransport, plainTransport } from './transport.ts';

/** The service answered with a problem. */
export class ServiceProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly members: Record<string, unknown>;
  readonly retryAfterSeconds: number | null;
  constructor(status: number, members: Record<string, unknown>, retryAfter: string | null) {
    super(String(members['detail'] ?? `The service answered with status ${status}.`));
    this.status = status;
    this.code = String(members['code'] ?? '');
    this.members = members;
    this.retryAfterSeconds = retryAfter === null ? null : Number(retryAfter);
  }
}

/** No answer came, or one that is not of a catalog. */
export class ServiceUnreachable extends Error {
  constructor(url: string, error: unknown) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? cause.message || ('code' in cause ? String(cause.code) : cause.name) : String(cause);
    super(`The service at ${url} cannot be reached (${reason}). Check the address, the network and the firewall.`);
  }
}

export interface ServiceAnswer {
  status: number;
  headers: Headers;
  body: unknown;
}

interface RequestOptions {
  /** A JSON value, or bytes with their type and encoding. */
  body?: unknown;
  headers?: Record<string, string>;
  timeoutSeconds?: number;
  /** The answer is bytes, not JSON. */
  raw?: boolean;
  signal?: AbortSignal;
}

/** Sends requests to the service, signed with the key of the agent. Follows the clock of the service when its own is wrong. */
export interface Client {
  send(method: string, path: string, options?: RequestOptions): Promise<ServiceAnswer>;
  /** Seconds by which this machine's clock is behind the service, once it is known. */
  clockOffset(): number;
}

type Connection = Pick<AgentConfig, 'centralUrl' | 'agentId' | 'planeUrl' | 'authorityFingerprint'>;

export function createClient(config: Connection, dataDir: string, keyFile = filesIn(dataDir).key): Client {
  let known: { key: KeyObject; version: number } | undefined;
  /** Read again when it was replaced. */
  const key = (): KeyObject => {
    const version = statSync(keyFile).mtimeMs;
    if (known?.version !== version) known = { key: createPrivateKey(readFileSync(keyFile, 'utf8')), version };
    return known.key;
  };
  const { planeUrl, authorityFingerprint } = config;
  const mutual = planeUrl && authorityFingerprint !== null ? createMutualTransport(dataDir, authorityFingerprint) : null;
  let offset = 0;
  const attempt = async (method: string, path: string, options: RequestOptions): Promise<ServiceAnswer> => {
    const { body, headers = {} } = options;
    const payload = body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    // A certificate that has expired does not get through the handshake, so it is renewed with a signed request.
    const transport = mutual !== null && path !== '/certificate/renew' ? mutual : plainTransport;
    const base = transport === mutual && planeUrl ? planeUrl : config.centralUrl;
    const url = new URL(`${base.replace(/\/+$/, '')}/api/v1/agents/${config.agentId}${path}`);
    const signed = signRequest(key(), {
      method,
      path: url.pathname,
      query: url.search.slice(1),
      digest: payload === undefined ? null : contentDigest(payload),
      created: Math.floor(Date.now() / 1000 + offset),
      nonce: randomUUID(),
      keyId: config.agentId,
    });
    const timeout = AbortSignal.timeout((options.timeoutSeconds ?? 60) * 1000);
    const answer = await transport(url, {
      method,
      body: payload,
      headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers, ...signed },
      signal: options.signal ? AbortSignal.any([timeout, options.signal]) : timeout,
    }).catch((error: unknown) => {
      throw options.signal?.aborted ? error : new ServiceUnreachable(base, error);
    });
    if (options.raw && answer.status < 400)
      return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
    return readAnswer(answer);
  };
  return {
    clockOffset: () => offset,
    async send(method, path, options = {}) {
      try {
        return await attempt(method, path, options);
      } catch (error) {
        if (!(error instanceof ServiceProblem) || error.members['reason'] !== 'clock') throw error;
        offset = Number(error.members['date_offset'] ?? 0);
        return attempt(method, path, options);
      }
    },
  };
}

/** Reads a JSON answer; throws a problem for every status from 400 on. */
export async function readAnswer(answer: Response): Promise<ServiceAnswer> {
  const text = await answer.text();
  const body: unknown = text === '' ? null : JSON.parse(text);
  if (answer.status < 400) return { status: answer.status, headers: answer.headers, body };
  const date = Date.parse(answer.headers.get('date') ?? '');
  const members = { ...(Object(body) as Record<string, unknown>), date_offset: Number.isNaN(date) ? 0 : (date - Date.now()) / 1000 };
  throw new ServiceProblem(answer.status, members, answer.headers.get('retry-after'));
}
