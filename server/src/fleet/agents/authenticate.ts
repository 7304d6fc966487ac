/**
 * Who an agent's request comes from, by SVC_AGENT_AUTH_MODE:
 *
 * fingerprint  a request signed with the key of the agent's certificate. With SVC_AGENT_REQUIRE_SIGNATURE off, the fingerprint of the
 *              certificate as a bearer token is enough.
 * mtls-header  a proxy has checked the certificate and says so in headers that it authenticates with SVC_PROXY_SHARED_SECRET. Nothing else
 *              is accepted.
 * both         the headers when the proxy's are present, otherwise as for fingerprint.
 *
 * On the port of agents (SVC_AGENT_TLS_PORT) the client certificate says who it is, in every mode.
 */
import { type KeyObject, timingSafeEqual, type X509Certificate } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { readSignature, signatureMaxSkewSeconds, verifySignature } from '@catalog/protocol';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { notFound, problem } from '../../platform/problem.ts';
import { readPublicKey } from '../authority/index.ts';
import { type AgentRow, type Contact, findAgent, recordContact } from './store.ts';

export interface AgentRequest {
  method: string;
  /** Path and query as received. */
  url: string;
  hasBody: boolean;
  headers: IncomingHttpHeaders;
  address: string;
  /** Renewal is possible with an expired certificate. */
  acceptExpired: boolean;
  /** The client certificate of the connection, which the handshake has verified. */
  certificate: X509Certificate | null;
}

export interface AuthenticatedAgent {
  agent: AgentRow;
  /** The Content-Digest that was signed: the body must have it. Null when the request is not signed or has no body. */
  signedDigest: string | null;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The public keys of agents that have proved who they are, so that a signature can be verified before anything is read. */
export type KeptKeys = Map<string, { pem: string; key: KeyObject }>;

const mostKeptKeys = 20_000;

export async function authenticateAgent(
  deps: Dependencies,
  id: string,
  request: AgentRequest,
  keys: KeptKeys = new Map(),
): Promise<AuthenticatedAgent> {
  const { db, settings, clock } = deps;
  const { headers, address, acceptExpired } = request;
  if (request.certificate) return authenticateByCertificate(deps, id, request.certificate, address);
  const byProxy =
    settings.agentAuthMode === 'mtls-header' || (settings.agentAuthMode === 'both' && headers['x-svc-proxy-auth'] !== undefined);
  const signature = byProxy ? null : readSignature(request);
  if (signature === 'malformed') throw problem('agent_credentials', 'The signature of the request cannot be read. Update the agent.');
  if (byProxy) checkProxy(headers, settings.proxySharedSecret);
  else if (signature === null && (settings.agentRequireSignature || bearerOf(headers) === null)) throw problem('agent_credentials');
  const kept = signature ? keys.get(id) : undefined;
  const mode = byProxy ? 'mtls-header' : signature ? 'signature' : 'fingerprint';
  const nonce = signature ? { value: signature.nonce, ttlSeconds: 2 * signatureMaxSkewSeconds } : null;
  const meet = (): Promise<Contact | undefined> => recordContact(db, id, { address, mode, nonce, acceptExpired });
  // One statement instead of two: most requests are signed with the key that was seen before.
  let contact = signature && kept && isSignedBy(signature, id, kept.key) && isTimely(signature, clock.now()) ? await meet() : undefined;
  const isSameKey = contact !== undefined && contact.agent.public_key === kept?.pem;
  const agent = isSameKey ? contact?.agent : uuid.test(id) ? await findAgent(db, id) : undefined;
  if (!agent) throw notFound('agent');
  if (agent.cert_fingerprint === null && agent.revoked_at === null) throw problem('agent_pending');
  if (byProxy) await acceptProxy(db, agent, headers);
  else if (signature && !isSameKey) keepKey(keys, agent, checkSigned(agent, signature, clock.now()));
  else if (!signature && !sameText(bearerOf(headers) ?? '', agent.cert_fingerprint ?? '')) throw problem('agent_credentials');
  if (agent.revoked_at !== null) throw problem('agent_revoked');
  if (!byProxy && !acceptExpired && agent.cert_not_after !== null && agent.cert_not_after <= clock.now())
    throw problem('agent_certificate_expired');
  contact ??= await meet();
  if (!contact?.fresh) throw problem('agent_credentials', 'This request was sent before. Every request needs a nonce of its own.');
  return { agent, signedDigest: signature?.digest ?? null };
}

function keepKey(keys: KeptKeys, { id, public_key: pem }: AgentRow, key: KeyObject): void {
  keys.delete(id);
  const [oldest] = keys.size < mostKeptKeys ? [] : keys.keys();
  if (oldest !== undefined) keys.delete(oldest);
  keys.set(id, { pem: pem ?? '', key });
}

/** The name and the key must be the agent's, and the certificate must still be valid: the handshake may be days ago. */
async function authenticateByCertificate(
  { db, clock }: Dependencies,
  id: string,
  certificate: X509Certificate,
  address: string,
): Promise<AuthenticatedAgent> {
  const agent = uuid.test(id) ? await findAgent(db, id) : undefined;
  if (!agent) throw notFound('agent');
  if (certificate.subjectAltName !== `DNS:${agent.id}`) throw problem('action_denied', 'The certificate belongs to another agent.');
  if (agent.revoked_at !== null) throw problem('agent_revoked');
  const key = readPublicKey(agent.public_key ?? '');
  if (!key?.equals(certificate.publicKey)) throw problem('agent_credentials');
  if (certificate.validToDate <= clock.now()) throw problem('agent_certificate_expired');
  await recordContact(db, agent.id, { address, mode: 'mtls', nonce: null, acceptExpired: true });
  return { agent, signedDigest: null };
}

type Signature = Exclude<ReturnType<typeof readSignature>, null | 'malformed'>;

const isSignedBy = (signature: Signature, id: string, key: KeyObject): boolean => signature.keyId === id && verifySignature(signature, key);

const isTimely = ({ created }: Signature, now: Date): boolean => Math.abs(now.getTime() / 1000 - created) <= signatureMaxSkewSeconds;

/** Returns the key with which the agent has signed. */
function checkSigned(agent: AgentRow, signature: Signature, now: Date): KeyObject {
  const key = readPublicKey(agent.public_key ?? '');
  if (!key || !isSignedBy(signature, agent.id, key)) throw problem('agent_credentials');
  // After the signature, so that only the agent itself learns about its clock.
  if (!isTimely(signature, now))
    throw problem('agent_credentials', 'The time of the request is too far from the time of the service. Follow its Date header.', {
      reason: 'clock',
    });
  return key;
}

function checkProxy(headers: IncomingHttpHeaders, secret: string | undefined): void {
  const given = headers['x-svc-proxy-auth'];
  if (!secret || typeof given !== 'string' || !sameText(given, secret)) throw problem('agent_credentials');
}

/** The first DNS name of the certificate must be the agent's id. The proxy reports the certificate in use. */
async function acceptProxy(db: Db, agent: AgentRow, headers: IncomingHttpHeaders): Promise<void> {
  const name = String(headers['x-svc-agent-san'] ?? '')
    .split(',')[0]
    ?.trim();
  if (name !== agent.id) throw problem('action_denied', 'The certificate belongs to another agent.');
  const fingerprint = String(headers['x-svc-agent-fp'] ?? '').toLowerCase();
  if (/^[0-9a-f]{64}$/.test(fingerprint) && fingerprint !== agent.cert_fingerprint)
    await sql`update agents set cert_fingerprint = ${fingerprint}, cert_renewed_at = now() where id = ${agent.id}`.execute(db);
}

function bearerOf({ authorization }: IncomingHttpHeaders): string | null {
  return authorization?.startsWith('Bearer ') ? authorization.slice(7).trim().toLowerCase() : null;
}

function sameText(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length > 0 && x.length === y.length && timingSafeEqual(x, y);
}
