/**
 * HTTP message signatures (RFC 9421) in the one form that agents use: label `agent`, ECDSA P-256 with SHA-256, covering the method, the path,
 * the query and the digest of the body. `created` and `nonce` protect against replay; the receiver checks both.
 */
import { createHash, type KeyObject, sign, verify } from 'node:crypto';

/** What a signature covers. `query` is without the question mark. */
export interface SignedParts {
  method: string;
  path: string;
  query: string;
  /** The value of the header Content-Digest; null without a body. */
  digest: string | null;
  /** Seconds since 1970. */
  created: number;
  nonce: string;
  /** The id of the agent. */
  keyId: string;
}

export interface SignedRequest extends SignedParts {
  base: string;
  signature: Buffer;
}

/** A request is refused when its time differs by more than this. An agent whose clock is wrong follows the Date header of the service. */
export const signatureMaxSkewSeconds = 300;

/** The name in the certificate of the port for agents. It is no host name: agents trust the root that they pinned, at any address. */
export const agentPlaneName = 'catalog-agent-plane';

const label = 'agent';
const noncePattern = /^[A-Za-z0-9_-]{16,64}$/;

export function contentDigest(bytes: Uint8Array): string {
  return `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
}

function componentsOf({ digest }: Pick<SignedParts, 'digest'>): string {
  return digest === null ? '("@method" "@path" "@query")' : '("@method" "@path" "@query" "content-digest")';
}

function parametersOf(parts: SignedParts): string {
  return `${componentsOf(parts)};created=${parts.created};nonce="${parts.nonce}";keyid="${parts.keyId}";alg="ecdsa-p256-sha256"`;
}

function baseOf(parts: SignedParts, parameters: string): string {
  return [
    `"@method": ${parts.method}`,
    `"@path": ${parts.path}`,
    `"@query": ?${parts.query}`,
    ...(parts.digest === null ? [] : [`"content-digest": ${parts.digest}`]),
    `"@signature-params": ${parameters}`,
  ].join('\n');
}

export function signRequest(key: KeyObject, parts: SignedParts): Record<string, string> {
  const parameters = parametersOf(parts);
  const signature = sign('sha256', Buffer.from(baseOf(parts, parameters)), { key, dsaEncoding: 'ieee-p1363' });
  return {
    ...(parts.digest === null ? {} : { 'content-digest': parts.digest }),
    'signature-input': `${label}=${parameters}`,
    signature: `${label}=:${signature.toString('base64')}:`,
  };
}

const inputPattern = /^agent=(\([^()]*\));created=(\d{1,12});nonce="([^"]+)";keyid="([^"]+)";alg="ecdsa-p256-sha256"$/;
const signaturePattern = /^agent=:([A-Za-z0-9+/=]{80,120}):$/;

/** Null when the request carries no signature; `malformed` when it carries one in another form, or one that does not cover the body. */
export function readSignature(request: {
  method: string;
  /** Path and query as received. */
  url: string;
  hasBody: boolean;
  headers: Record<string, string | string[] | undefined>;
}): SignedRequest | 'malformed' | null {
  const { 'signature-input': input, signature, 'content-digest': digest } = request.headers;
  if (input === undefined && signature === undefined) return null;
  const parsed = typeof input === 'string' ? inputPattern.exec(input) : null;
  const value = typeof signature === 'string' ? signaturePattern.exec(signature) : null;
  if (!parsed || !value || (digest !== undefined && typeof digest !== 'string')) return 'malformed';
  const [, components, created, nonce = '', keyId = ''] = parsed;
  const at = request.url.indexOf('?');
  const parts: SignedParts = {
    method: request.method,
    path: at < 0 ? request.url : request.url.slice(0, at),
    query: at < 0 ? '' : request.url.slice(at + 1),
    digest: request.hasBody ? (digest ?? null) : null,
    created: Number(created),
    nonce,
    keyId,
  };
  if (!noncePattern.test(nonce) || components !== componentsOf(parts) || (request.hasBody && parts.digest === null)) return 'malformed';
  return { ...parts, base: baseOf(parts, parametersOf(parts)), signature: Buffer.from(value[1] ?? '', 'base64') };
}

export function verifySignature({ base, signature }: Pick<SignedRequest, 'base' | 'signature'>, key: KeyObject): boolean {
  return verify('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }, signature);
}

/** Signed with the key of the certificate that an agent asks for; the secret is its one-time secret, or empty when it renews. */
export function bindingText(agentId: string, secret: string): string {
  return `catalog-agent-bind-v1\n${agentId}\n${createHash('sha256').update(secret).digest('hex')}`;
}

/** Signed with the key for which the machine is going to ask for a certificate. */
export function registrationText(token: string): string {
  return `catalog-agent-register-v1\n${createHash('sha256').update(token).digest('hex')}`;
}

/** Signed with the key of a renewed certificate of an external authority. */
export function rebindText(agentId: string, unixSeconds: number, fingerprint: string): string {
  return `catalog-agent-rebind-v1\n${agentId}\n${unixSeconds}\n${fingerprint}`;
}
