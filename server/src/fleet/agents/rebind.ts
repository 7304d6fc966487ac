/**
 * An agent with a certificate of an external authority tells the service its renewed certificate. It needs no other credential: the chain
 * leads to the root that SVC_CA_FINGERPRINT pins, the certificate names the agent, and the agent signs with its key. A signature is accepted
 * once, within five minutes.
 */
import { createHash, verify, X509Certificate } from 'node:crypto';
import { rebindText, signatureMaxSkewSeconds } from '@catalog/protocol';
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem, problem } from '../../platform/problem.ts';
import { readPublicKey } from '../authority/index.ts';
import { auditOf } from './enrolment.ts';
import { requireAgent } from './service.ts';
import { bindCertificate, recordContact } from './store.ts';

interface Rebinding {
  /** The certificate of the agent first, the root last. */
  cert_chain_pem: string;
  timestamp: number;
  signature: string;
}

const maxCertificates = 4;
const clientAuth = '1.3.6.1.5.5.7.3.2';
const fingerprint = (certificate: X509Certificate): string => certificate.fingerprint256.replaceAll(':', '').toLowerCase();

export async function rebind({ db, settings, clock }: Dependencies, id: string, given: Rebinding, actor: Actor): Promise<void> {
  const { caUrl, caFingerprint } = settings;
  if (caUrl === undefined) throw problem('conflict', 'Certificates are issued by this service. Renew the certificate here.');
  if (caFingerprint === undefined) throw problem('unavailable', 'SVC_CA_FINGERPRINT is not set, so no certificate can be verified.');
  const agent = await requireAgent(db, id);
  if (agent.revoked_at !== null) throw problem('agent_revoked');
  if (agent.cert_fingerprint === null) throw problem('agent_pending');
  const now = clock.now();
  if (Math.abs(now.getTime() / 1000 - given.timestamp) > signatureMaxSkewSeconds)
    throw problem('agent_credentials', 'The time of the request is too far from the time of the service. Follow its Date header.', {
      reason: 'clock',
    });
  const leaf = requireChain(given.cert_chain_pem, caFingerprint.toLowerCase(), now);
  if (leaf.subjectAltName !== `DNS:${id}`) throw problem('action_denied', 'The certificate belongs to another agent.');
  const key = readPublicKey(leaf.publicKey.export({ type: 'spki', format: 'pem' }).toString());
  if (!key) throw chainProblem('Send a certificate with an EC P-256 key.');
  const found = fingerprint(leaf);
  const signature = Buffer.from(given.signature, 'base64');
  if (!verify('sha256', Buffer.from(rebindText(id, given.timestamp, found)), key, signature)) throw problem('agent_credentials');
  if (found === agent.cert_fingerprint) return;
  const nonce = { value: createHash('sha256').update(signature).digest('hex'), ttlSeconds: 2 * signatureMaxSkewSeconds };
  const contact = await recordContact(db, id, { address: actor.ip, mode: 'signature', nonce, acceptExpired: true });
  if (!contact?.fresh) throw problem('agent_credentials', 'This request was sent before. Sign the current time again.');
  await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const publicKey = key.export({ type: 'spki', format: 'pem' }).toString();
    await bindCertificate(tx, id, { fingerprint: found, notAfter: null, publicKey });
    await recordEvent(tx, { event_type: 'agent_cert_rebound', ...auditOf(actor), details: { agent_id: id, fingerprint: found } });
  });
}

const chainProblem = (detail: string) => fieldProblem(['body', 'cert_chain_pem'], detail, 'cert_chain_pem');

/** The first certificate, if every one is valid and issued by the next, and the last one is the pinned root. */
function requireChain(pem: string, pinned: string, now: Date): X509Certificate {
  const chain = readChain(pem);
  const [leaf] = chain;
  const root = chain.at(-1);
  if (!leaf || !root || chain.length < 2 || chain.length > maxCertificates)
    throw chainProblem(`Send the certificate, those between, and the root: 2 to ${maxCertificates} in all.`);
  if (fingerprint(root) !== pinned) throw chainProblem('The chain does not end with the root of SVC_CA_FINGERPRINT.');
  for (const [at, certificate] of chain.entries()) {
    const issuer = chain[at + 1] ?? certificate;
    const isIssued = issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
    if (!isIssued || certificate.validFromDate > now || certificate.validToDate <= now)
      throw chainProblem('A certificate of the chain is not valid now, or not issued by the next one.');
  }
  if (!(leaf.keyUsage as string[] | undefined)?.includes(clientAuth)) throw chainProblem('The certificate is not for clients.');
  return leaf;
}

function readChain(pem: string): X509Certificate[] {
  try {
    return (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map((each) => new X509Certificate(each));
  } catch {
    throw chainProblem('The certificates cannot be read. Send them in PEM form.');
  }
}
