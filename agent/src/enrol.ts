import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { bindingText } from '@catalog/protocol';
import { type Client, readAnswer, ServiceProblem } from './client.ts';
import { type AgentConfig, defaultLimits, filesIn, readConfig, writePrivate } from './config.ts';
import { version } from './version.ts';

interface Enrolment {
  url: string;
  token: string;
  roots: string[];
  name?: string | undefined;
  dataDir: string;
  limits?: Partial<AgentConfig['limits']>;
}

interface Registered {
  agent_id: string;
  enroll_secret: string;
  ca: { kind: string; fingerprint: string | null };
  root_pem: string | null;
  release_key?: string;
  agent_plane_url: string | null;
}

const platforms: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'macos', win32: 'windows' };

async function post(url: string, path: string, body: unknown): Promise<unknown> {
  const answer = await fetch(`${url.replace(/\/+$/, '')}/api/v1/agents${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(30_000),
  });
  return (await readAnswer(answer)).body;
}

/** What the service puts into the file for one machine. */
export function readInstallerFile(file: string): { url?: string; token?: string; name?: string } {
  const text = (value: unknown, key: 'url' | 'token' | 'name') => (typeof value === 'string' && value !== '' ? { [key]: value } : {});
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} cannot be read as JSON (${(error as Error).message}). Create it again in the console.`);
  }
  // The whole answer of the service, or only the part that is meant for the machine.
  const answer = Object(given) as Record<string, unknown>;
  const { central_url, enrollment_token, agent_name } = Object(answer['sidecar'] ?? answer) as Record<string, unknown>;
  return { ...text(central_url, 'url'), ...text(enrollment_token, 'token'), ...text(agent_name, 'name') };
}

/** Registers this machine and has its key certified. The key is made here and never leaves. */
export async function enrol(given: Enrolment, wait: (seconds: number) => Promise<void>): Promise<AgentConfig> {
  const { url, token, roots, dataDir } = given;
  if (readConfig(dataDir))
    throw new Error(`This machine is already enrolled (${filesIn(dataDir).config}). Remove that folder to enrol it again.`);
  const name = given.name ?? os.hostname();
  const registered = (await post(url, '/register', {
    token,
    hostname: os.hostname(),
    platform: platforms[process.platform] ?? 'linux',
    name,
    agent_version: version,
  })) as Registered;
  if (registered.root_pem !== null && fingerprint(registered.root_pem) !== registered.ca.fingerprint)
    throw new Error('The root certificate of the service does not have the fingerprint it names. Check the address of the service.');
  if (registered.root_pem !== null) writePrivate(filesIn(dataDir).authority, registered.root_pem);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writePrivate(filesIn(dataDir).key, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
  const proof = sign('sha256', Buffer.from(bindingText(registered.agent_id, registered.enroll_secret)), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  }).toString('base64');
  const body = { enroll_secret: registered.enroll_secret, public_key: publicKey, proof };
  for (;;) {
    try {
      const bound = (await post(url, `/${registered.agent_id}/certificate`, body)) as { certificate_pem: string | null };
      if (bound.certificate_pem) writePrivate(filesIn(dataDir).certificate, bound.certificate_pem);
      break;
    } catch (error) {
      if (!(error instanceof ServiceProblem) || error.code !== 'agent_not_approved') throw error;
      process.stdout.write('Waiting until an administrator approves this machine.\n');
      await wait(10);
    }
  }
  const config: AgentConfig = {
    centralUrl: url,
    agentId: registered.agent_id,
    ...(registered.agent_plane_url === null || registered.root_pem === null ? {} : { planeUrl: registered.agent_plane_url }),
    name,
    roots,
    authorityFingerprint: registered.ca.fingerprint,
    releaseKey: registered.release_key,
    limits: { ...defaultLimits, ...given.limits },
  };
  writePrivate(filesIn(dataDir).config, `${JSON.stringify(config, null, 2)}\n`);
  return config;
}

/** Renews the certificate when two thirds of its time are over. Returns whether it was renewed. */
export async function renewIfDue(client: Client, config: AgentConfig, dataDir: string, now: Date): Promise<boolean> {
  const { certificate: file } = filesIn(dataDir);
  if (!existsSync(file)) return false;
  const { validFromDate, validToDate } = new X509Certificate(readFileSync(file, 'utf8'));
  const due = validFromDate.getTime() + ((validToDate.getTime() - validFromDate.getTime()) * 2) / 3;
  if (now.getTime() < due) return false;
  const { certificate_pem, root_pem } = (await client.send('POST', '/certificate/renew', { body: {} })).body as {
    certificate_pem: string;
    root_pem: string;
  };
  if (config.authorityFingerprint !== null && fingerprint(root_pem) !== config.authorityFingerprint)
    throw new Error('The service has another certificate authority than at enrolment. The certificate was not replaced.');
  if (!new X509Certificate(certificate_pem).checkPrivateKey(createPrivateKey(readFileSync(filesIn(dataDir).key, 'utf8'))))
    throw new Error('The renewed certificate is not for the key of this agent. It was not stored.');
  writePrivate(file, certificate_pem);
  return true;
}

function fingerprint(pem: string): string {
  return new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();
}
