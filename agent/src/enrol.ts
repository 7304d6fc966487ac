import { readFileSync } from 'node:fs';
import os from 'node:os';
import { fingerprint, makeKey } from './certificate.ts';
import { readAnswer, ServiceProblem } from './client.ts';
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
  const body = { enroll_secret: registered.enroll_secret, ...makeKey(filesIn(dataDir).key, registered.agent_id, registered.enroll_secret) };
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
