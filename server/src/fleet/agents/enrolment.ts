/**
 * Enrolment, always in this order: an administrator issues a token; a machine registers with it and becomes a pending agent with a one-time
 * secret; it proves with that secret which certificate is its own and becomes active. A token that requires approval holds the agent back
 * between the last two steps until an administrator approves it.
 *
 * An answer can be lost. A machine that names its key when it registers may repeat both steps with a proof of that key: the registration until
 * its certificate is bound, the certificate until its first request as an agent. Nobody else gains from a token or secret that was used.
 */
import { createHash, type KeyObject, randomBytes, timingSafeEqual, verify } from 'node:crypto';
import { bindingText, registrationText } from '@catalog/protocol';
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import type { Settings } from '../../settings/index.ts';
import { fingerprintOf, issueCertificate, mintOneTimeToken, readPublicKey, requireRoot } from '../authority/index.ts';
import { ensureReleaseKey } from '../releases/index.ts';
import { type AgentRow, bindCertificate, insertAgent, joinGroups, lockAgent, renewSecret, statusOf } from './store.ts';
import { consumeToken, deleteToken, findToken, insertToken, lockToken, type TokenRow } from './token-store.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const auditOf = ({ principalId, ip, userAgent }: Actor) => ({ principal_id: principalId, ip, user_agent: userAgent ?? null });

interface NewToken {
  config_group_names?: string[] | undefined;
  labels?: string[] | undefined;
  ttl_minutes?: number | undefined;
  hostname?: string | null | undefined;
  network?: string | null | undefined;
  requires_approval?: boolean | undefined;
}

export async function issueToken({ db, settings, clock }: Dependencies, given: NewToken, actor: Actor) {
  const token = `cat_${randomBytes(32).toString('base64url')}`;
  const row = {
    token_hash: sha256(token),
    config_group_names: given.config_group_names ?? [],
    labels: [...new Set(given.labels ?? [])].sort(),
    hostname: given.hostname ?? null,
    network: given.network ?? null,
    requires_approval: given.requires_approval ?? false,
    expires_at: new Date(clock.now().getTime() + (given.ttl_minutes ?? settings.enrollmentTokenTtlMinutes) * 60_000),
  };
  await db.transaction().execute(async (tx) => {
    await insertToken(tx as Db, { ...row, createdBy: actor.principalId });
    await recordEvent(tx as Db, {
      event_type: 'agent_token_minted',
      ...auditOf(actor),
      details: { token_hash: row.token_hash, expires_at: row.expires_at.toISOString(), groups: row.config_group_names },
    });
  });
  return { token, ...row };
}

export async function removeToken(db: Db, hash: string, force: boolean, actor: Actor): Promise<void> {
  const token = await findToken(db, hash);
  if (!token) throw problem('not_found', 'There is no enrolment token with this hash.');
  if (token.consumed_at !== null && !force)
    throw problem('conflict', 'This token was used to enrol an agent. Add force=true to delete its record.');
  await db.transaction().execute(async (tx) => {
    await deleteToken(tx as Db, hash);
    await recordEvent(tx as Db, { event_type: 'agent_token_revoked', ...auditOf(actor), details: { token_hash: hash } });
  });
}

interface Registration {
  token: string;
  hostname: string;
  platform: string;
  name?: string | undefined;
  agent_version?: string | undefined;
  config_group?: string | undefined;
  /** The key that the machine is going to have certified, and the proof that it holds it. */
  public_key?: string | undefined;
  proof?: string | undefined;
}

const platforms = ['windows', 'macos', 'linux'];

/** Returns null when the token cannot be used, with an audit record of why. */
export async function register({ db, settings, clock }: Dependencies, given: Registration, actor: Actor, host: string) {
  if (!platforms.includes(given.platform)) throw problem('bad_request', `The platform must be one of ${platforms.join(', ')}.`);
  // Created outside the transaction of the registration, because that one may be rolled back.
  const builtIn = settings.caUrl === undefined ? await requireRoot(db, settings, clock.now()) : null;
  const releaseKey = await ensureReleaseKey(db, settings);
  const secret = randomBytes(24).toString('base64url');
  const publicKey =
    given.public_key === undefined ? null : pemOf(requireProof(registrationText(given.token), given.public_key, given.proof ?? ''));
  const registered = await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const token = await lockToken(tx, sha256(given.token), actor.ip);
    const refusal = refusalOf(token, given.hostname, clock.now());
    const known = token && refusal === 'consumed' && publicKey !== null ? await findRegistered(tx, token, publicKey) : null;
    if (!token || (refusal !== null && !known)) {
      await recordEvent(tx, {
        event_type: 'agent_registered',
        ...auditOf(actor),
        details: { outcome: 'rejected', reason: refusal, hostname: given.hostname, platform: given.platform },
      });
      return null;
    }
    const { id, unknown, approved } = known
      ? { id: known.id, unknown: [], approved: known.approved_at !== null }
      : await admit(tx, token, given, publicKey);
    await renewSecret(tx, id, sha256(secret));
    await recordEvent(tx, {
      event_type: 'agent_registered',
      ...auditOf(actor),
      details: { outcome: 'ok', agent_id: id, hostname: given.hostname, platform: given.platform, ...(known ? { repeated: true } : {}) },
    });
    const oneTime = await mintOneTimeToken(settings, id, clock.now());
    if (oneTime) await recordMinted(tx, actor, id, oneTime.jti, 'register');
    return { id, oneTime, unknown, approved };
  });
  if (registered === null) return null;
  const { id, oneTime, unknown, approved } = registered;
  return {
    agent_id: id,
    status: 'pending' as const,
    approved,
    enroll_secret: secret,
    ca: describeAuthority(settings, builtIn?.certificatePem ?? null),
    root_pem: builtIn?.certificatePem ?? null,
    release_key: releaseKey,
    ca_ott: oneTime?.token ?? null,
    agent_plane_url: builtIn === null ? null : planeUrl(settings, host),
    config_group_warning: unknown.length === 0 ? null : `These groups do not exist and were skipped: ${unknown.join(', ')}.`,
  };
}

/** The agent that this token and key registered, while it has no certificate. */
async function findRegistered(tx: Db, { consumed_by }: TokenRow, publicKey: string): Promise<AgentRow | null> {
  const agent = consumed_by === null ? undefined : await lockAgent(tx, consumed_by);
  return agent && statusOf(agent) === 'pending' && agent.public_key === publicKey ? agent : null;
}

async function admit(tx: Db, token: TokenRow, given: Registration, publicKey: string | null) {
  const id = await insertAgent(tx, {
    name: given.name ?? given.hostname,
    hostname: given.hostname,
    platform: given.platform,
    agent_version: given.agent_version ?? null,
    public_key: publicKey,
    labels: token.labels,
    approved: !token.requires_approval,
  });
  const wanted = [...new Set([...token.config_group_names, ...(given.config_group === undefined ? [] : [given.config_group])])];
  const joined = new Set((await joinGroups(tx, id, wanted)).map((name) => name.toLowerCase()));
  await consumeToken(tx, token.token_hash, id);
  return { id, unknown: wanted.filter((name) => !joined.has(name.toLowerCase())), approved: !token.requires_approval };
}

/** The port of agents at the host name that the machine used. */
function planeUrl({ agentTlsPort }: Settings, host: string): string | null {
  if (agentTlsPort === undefined) return null;
  return `https://${host.replace(/:\d+$/, '')}:${agentTlsPort}`;
}

/** Why a token cannot be used; null when it can. */
function refusalOf(token: Awaited<ReturnType<typeof lockToken>>, hostname: string, now: Date): string | null {
  if (!token) return 'unknown';
  if (token.expires_at <= now) return 'expired';
  if (token.hostname !== null && token.hostname.toLowerCase() !== hostname.toLowerCase()) return 'another host name';
  if (token.in_network === false) return 'another network';
  // The last reason: where it is the only one, a registration can be repeated.
  if (token.consumed_at !== null) return 'consumed';
  return null;
}

export function describeAuthority(settings: Settings, rootPem: string | null) {
  return {
    kind: settings.caUrl === undefined ? ('built-in' as const) : ('external' as const),
    url: settings.caUrl ?? null,
    fingerprint: rootPem === null ? (settings.caFingerprint?.toLowerCase() ?? null) : fingerprintOf(rootPem),
    provisioner: settings.caProvisioner,
    cert_ttl_hours: settings.agentCertTtlHours,
  };
}

export async function recordMinted(tx: Db, actor: Actor, agentId: string, jti: string, via: 'register' | 'reissue'): Promise<void> {
  await recordEvent(tx, { event_type: 'agent_ca_ott_minted', ...auditOf(actor), details: { agent_id: agentId, jti, via } });
}

interface BindRequest {
  enroll_secret: string;
  /** The certificate of an external authority. */
  cert_fingerprint?: string | undefined;
  certificate_pem?: string | undefined;
  /** The key that the built-in authority certifies, and the proof that the agent holds it. */
  public_key?: string | undefined;
  proof?: string | undefined;
}

/** pending -> active. Repeating it with the same certificate changes nothing, with the same key issues another one. Returns the certificate when this service issued one. */
export async function bind({ db, settings, clock }: Dependencies, id: string, given: BindRequest, actor: Actor): Promise<string | null> {
  const root = settings.caUrl === undefined && given.public_key !== undefined ? await requireRoot(db, settings, clock.now()) : null;
  return db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const agent = await lockAgent(tx, id);
    if (!agent) throw notFound('agent');
    if (agent.revoked_at !== null) throw problem('agent_revoked');
    if (isRepeated(agent, given)) return null;
    if (!mayRepeat(agent, given)) requireSecret(agent, given.enroll_secret);
    const issued = root ? issueFor(root, id, given, clock.now(), settings.agentCertTtlHours) : null;
    const binding = issued ?? externalBinding(given);
    if (agent.public_key !== null && binding.publicKey !== null && binding.publicKey !== agent.public_key)
      throw problem('conflict', 'This machine registered with another key. Enrol it again.');
    await bindCertificate(tx, id, binding);
    await recordEvent(tx, {
      event_type: 'agent_cert_bound',
      ...auditOf(actor),
      details: { agent_id: id, fingerprint: binding.fingerprint, issuer: issued ? 'built-in' : 'external' },
    });
    return issued?.pem ?? null;
  });
}

/** A bound agent that sends the fingerprint it has is answered as before, although its secret is spent. */
function isRepeated(agent: AgentRow, { cert_fingerprint }: BindRequest): boolean {
  return statusOf(agent) === 'active' && cert_fingerprint !== undefined && agent.cert_fingerprint === cert_fingerprint.toLowerCase();
}

/**
 * The answer may have been lost if the agent has made no request since. The secret is spent then, and the proof of the same key, which is
 * verified before anything is issued, stands in for it.
 */
function mayRepeat(agent: AgentRow, { public_key }: BindRequest): boolean {
  const key = public_key === undefined ? null : readPublicKey(public_key);
  return statusOf(agent) === 'active' && agent.last_seen_at === null && key !== null && pemOf(key) === agent.public_key;
}

function requireSecret({ enroll_secret_hash, approved_at }: AgentRow, secret: string): void {
  if (enroll_secret_hash === null) throw problem('conflict', 'This agent has another certificate. Enrol the machine again to replace it.');
  if (!sameText(enroll_secret_hash, sha256(secret)))
    throw problem('credentials_bad', 'The enrolment secret is not the one that this agent received. Enrol the machine again.');
  if (approved_at === null) throw problem('agent_not_approved');
}

function issueFor(root: Parameters<typeof issueCertificate>[0], id: string, given: BindRequest, now: Date, hours: number) {
  const key = requireProof(bindingText(id, given.enroll_secret), given.public_key ?? '', given.proof ?? '');
  return { ...issueCertificate(root, id, key, now, hours), publicKey: pemOf(key) };
}

const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

/** Requires a signature made with the given public key, so that nobody can obtain a certificate for a key of somebody else. */
export function requireProof(text: string, publicKey: string, proof: string): KeyObject {
  const key = readPublicKey(publicKey);
  if (!key) throw fieldProblem(['body', 'public_key'], 'Send an EC P-256 public key in PEM form.', 'public_key');
  const signature = Buffer.from(proof, 'base64');
  if (!verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, signature))
    throw fieldProblem(['body', 'proof'], 'The proof is not a signature of this key over the required text.', 'proof');
  return key;
}

function externalBinding({ cert_fingerprint, certificate_pem, public_key }: BindRequest) {
  if (public_key !== undefined)
    throw fieldProblem(
      ['body', 'public_key'],
      'Certificates are issued by the authority of SVC_CA_URL. Send the one you received.',
      'public_key',
    );
  if (certificate_pem === undefined) {
    if (cert_fingerprint === undefined)
      throw fieldProblem(['body', 'cert_fingerprint'], 'Send the fingerprint of the certificate, or a public key to certify.', 'required');
    return { fingerprint: cert_fingerprint.toLowerCase(), notAfter: null, publicKey: null };
  }
  const key = readPublicKey(certificate_pem);
  if (!key) throw fieldProblem(['body', 'certificate_pem'], 'Send a certificate with an EC P-256 key in PEM form.', 'certificate_pem');
  const fingerprint = fingerprintOf(certificate_pem);
  if (cert_fingerprint !== undefined && cert_fingerprint.toLowerCase() !== fingerprint)
    throw fieldProblem(['body', 'cert_fingerprint'], 'The fingerprint does not belong to the certificate.', 'cert_fingerprint');
  return { fingerprint, notAfter: null, publicKey: pemOf(key) };
}

function sameText(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
