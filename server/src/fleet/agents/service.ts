import { bindingText } from '@catalog/protocol';
import { deleteLibrary } from '../../catalog/libraries/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { raiseSystemEvent } from '../../platform/system-events.ts';
import { issueCertificate, mintOneTimeToken, readPublicKey, requireRoot } from '../authority/index.ts';
import { auditOf, describeAuthority, recordMinted, requireProof } from './enrolment.ts';
import {
  type AgentRow,
  approveAgent,
  bindCertificate,
  deleteAgent,
  describeAgent,
  findAgent,
  librariesOf,
  lockAgent,
  releaseClone,
  revokeAgent,
} from './store.ts';

export async function requireAgent(db: Db, id: string): Promise<AgentRow> {
  const agent = await findAgent(db, id);
  if (!agent) throw notFound('agent');
  return agent;
}

/** A new one-time token for an agent whose certificate of an external authority has expired. It keeps its identity. */
export async function reissueToken({ db, settings, clock }: Dependencies, id: string, actor: Actor) {
  const agent = await requireAgent(db, id);
  if (agent.revoked_at !== null) throw problem('conflict', 'This agent is revoked. Enrol the machine again.');
  const minted = await mintOneTimeToken(settings, id, clock.now());
  if (!minted)
    throw problem(
      'agent_provisioner_missing',
      settings.caProvisionerJwk === undefined || settings.caUrl !== undefined ? undefined : 'SVC_CA_URL is not set. Set it, then restart.',
    );
  await recordMinted(db, actor, id, minted.jti, 'reissue');
  return { ca_ott: minted.token, ca: describeAuthority(settings, null) };
}

/** A new certificate of the built-in authority, for the same key or a new one that the agent proves to hold. */
export async function renewCertificate(
  { db, settings, clock }: Dependencies,
  agent: AgentRow,
  given: { public_key?: string | undefined; proof?: string | undefined },
  actor: Actor,
): Promise<{ pem: string; rootPem: string }> {
  if (settings.caUrl !== undefined)
    throw problem('conflict', 'Certificates are issued by the authority of SVC_CA_URL. Renew the certificate there.');
  const key =
    given.public_key === undefined
      ? readPublicKey(agent.public_key ?? '')
      : requireProof(bindingText(agent.id, ''), given.public_key, given.proof ?? '');
  if (!key) throw problem('conflict', 'No key of this agent is known. Enrol the machine again.');
  const root = await requireRoot(db, settings, clock.now());
  const issued = issueCertificate(root, agent.id, key, clock.now(), settings.agentCertTtlHours);
  await db.transaction().execute(async (tx) => {
    // The other machine with this identity does not hold the new key.
    if (agent.kept_run !== null && given.public_key !== undefined) await releaseClone(tx as Db, agent.id);
    await bindCertificate(tx as Db, agent.id, { ...issued, publicKey: key.export({ type: 'spki', format: 'pem' }).toString() });
    await recordEvent(tx as Db, {
      event_type: 'agent_cert_rebound',
      ...auditOf(actor),
      details: { agent_id: agent.id, fingerprint: issued.fingerprint },
    });
  });
  return { pem: issued.pem, rootPem: root.certificatePem };
}

interface Description {
  name?: string | undefined;
  labels?: string[] | undefined;
}

export async function describe(db: Db, id: string, given: Description, actor: Actor): Promise<void> {
  const agent = await requireAgent(db, id);
  if (agent.revoked_at !== null) throw problem('conflict', 'This agent is revoked and cannot be changed.');
  if (given.name === undefined && given.labels === undefined)
    throw fieldProblem(['body'], 'There is nothing to change. Send a name or labels.', 'required');
  const name = given.name ?? agent.name;
  const labels = [...new Set(given.labels ?? agent.labels)].sort();
  await describeAgent(db, id, { name, labels });
  await recordEvent(db, { event_type: 'agent_updated', ...auditOf(actor), details: { agent_id: id, name, before: agent.name, labels } });
}

export async function approve(db: Db, id: string, actor: Actor): Promise<void> {
  const agent = await requireAgent(db, id);
  if (agent.revoked_at !== null) throw problem('conflict', 'This agent is revoked. Enrol the machine again.');
  if (agent.approved_at !== null) return;
  await approveAgent(db, id);
  await recordEvent(db, { event_type: 'agent_approved', ...auditOf(actor), details: { agent_id: id, hostname: agent.hostname } });
}

/** any -> revoked. The row, its history and its libraries stay; every later request of the agent is refused. */
export async function revoke(db: Db, id: string, actor: Actor): Promise<void> {
  const agent = await requireAgent(db, id);
  if (agent.revoked_at !== null) return;
  await db.transaction().execute(async (tx) => {
    await revokeAgent(tx as Db, id);
    await recordEvent(tx as Db, { event_type: 'agent_revoked', ...auditOf(actor), details: { agent_id: id, name: agent.name } });
  });
}

/** Removes the agent. It must have no library, unless those are deleted with it. */
export async function purge(db: Db, id: string, { deleteLibraries }: { deleteLibraries: boolean }, actor: Actor): Promise<void> {
  const agent = await requireAgent(db, id);
  if (deleteLibraries) {
    // Revoked first, so that the agent cannot create them again meanwhile.
    await revoke(db, id, actor);
    for (const library of await librariesOf(db, id)) await deleteLibrary(db, library.id, library.name, actor);
  }
  await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    await lockAgent(tx, id);
    const libraries = await librariesOf(tx, id);
    if (libraries.length > 0)
      throw problem(
        'agent_referenced',
        `${libraries.length === 1 ? 'The library' : 'The libraries'} ${libraries.map(({ name }) => `"${name}"`).join(', ')} still belong to this agent. Delete them first, or add delete_libraries=true.`,
      );
    await deleteAgent(tx, id);
    // Nothing watches the agent any more, so its conditions end here.
    for (const kind of ['agent_offline', 'agent_replication_stalled', 'agent_cloned'] as const)
      await raiseSystemEvent(tx, { kind, subject: id, status: 'recovered', message: `The agent ${agent.name} was deleted.` });
    await recordEvent(tx, { event_type: 'agent_deleted', ...auditOf(actor), details: { agent_id: id, name: agent.name } });
  });
}
