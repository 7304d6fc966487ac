import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import { bindingText, registrationText } from '@catalog/protocol';
import { fingerprint, makeKey, proveKey } from './certificate.ts';
import { readAnswer, ServiceProblem, ServiceUnreachable } from './client.ts';
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
  try {
    const answer = await fetch(`${url.replace(/\/+$/, '')}/api/v1/agents${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(30_000),
    });
    return (await readAnswer(answer)).body;
  } catch (error) {
    throw error instanceof ServiceProblem ? error : new ServiceUnreachable(url, error);
  }
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

/**
 * Registers this machine and has its key certified. The key is made here and never leaves. It is stored before the service hears of it, and what
 * the registration returned is kept until the machine is enrolled, so that the same command goes on after an interruption: the token is used up
 * by then, and the service repeats a lost answer only for the same key.
 */
export async function enrol(given: Enrolment, wait: (seconds: number) => Promise<void>): Promise<AgentConfig> {
  const { url, roots, dataDir } = given;
  const files = filesIn(dataDir);
  if (readConfig(dataDir)) throw new Error(`This machine is already enrolled (${files.config}). Remove that folder to enrol it again.`);
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new Error(`"${url}" is not the address of a service. Give one such as https://catalog.example.org.`);
  for (const root of roots) requireFolder(root);
  const name = given.name ?? os.hostname();
  const registered = begin(given) ?? (await register(given, name));
  const certificate = await waitForCertificate(given, registered, wait);
  if (certificate !== null) writePrivate(files.certificate, certificate);
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
  writePrivate(files.config, `${JSON.stringify(config, null, 2)}\n`);
  rmSync(files.enrolment, { force: true });
  return config;
}

function requireFolder(root: string): void {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`The folder ${root} does not exist. Connect its disk, or correct the path. Nothing was registered.`);
}

const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

interface Unfinished {
  url: string;
  token_hash: string;
  /** Null until the service has answered. */
  registered: Registered | null;
}

/** Makes the key, or keeps that of an unfinished registration with the same address and token. Returns what the service answered to it. */
function begin({ url, token, dataDir }: Enrolment): Registered | null {
  const { enrolment, key } = filesIn(dataDir);
  const kept = existsSync(enrolment) ? (JSON.parse(readFileSync(enrolment, 'utf8')) as Unfinished) : null;
  if (kept?.url === url && kept.token_hash === digestOf(token) && existsSync(key)) return kept.registered;
  try {
    // Removed first: after a kill in between, the new key must not pass for that of the earlier registration.
    rmSync(enrolment, { force: true });
    makeKey(key);
    keepUnfinished({ url, token, dataDir }, null);
  } catch (error) {
    throw new Error(
      `The data folder ${dataDir} cannot be written (${(error as Error).message}). Correct that, or choose another one with --data-dir. Nothing was registered.`,
    );
  }
  return null;
}

function keepUnfinished({ url, token, dataDir }: Pick<Enrolment, 'url' | 'token' | 'dataDir'>, registered: Registered | null): void {
  const kept: Unfinished = { url, token_hash: digestOf(token), registered };
  writePrivate(filesIn(dataDir).enrolment, `${JSON.stringify(kept)}\n`);
}

async function register(given: Enrolment, name: string): Promise<Registered> {
  const { url, token, dataDir } = given;
  const registered = (await post(url, '/register', {
    token,
    hostname: os.hostname(),
    platform: platforms[process.platform] ?? 'linux',
    name,
    agent_version: version,
    ...proveKey(filesIn(dataDir).key, registrationText(token)),
  })) as Registered;
  if (registered.root_pem !== null && fingerprint(registered.root_pem) !== registered.ca.fingerprint)
    throw new Error('The root certificate of the service does not have the fingerprint it names. Check the address of the service.');
  if (registered.root_pem !== null) writePrivate(filesIn(dataDir).authority, registered.root_pem);
  keepUnfinished(given, registered);
  return registered;
}

/** The service will never issue a certificate for this registration. Any other refusal may pass, and may be one of a proxy on the way. */
const final = new Set(['agent_revoked', 'credentials_bad', 'conflict', 'not_found']);

/** Waits for the approval of an administrator, and for a service that is away. Null when the service issues no certificates. */
async function waitForCertificate(
  { url, dataDir }: Enrolment,
  { agent_id, enroll_secret }: Registered,
  wait: (seconds: number) => Promise<void>,
): Promise<string | null> {
  const { key, enrolment } = filesIn(dataDir);
  const body = { enroll_secret, ...proveKey(key, bindingText(agent_id, enroll_secret)) };
  for (;;) {
    try {
      return ((await post(url, `/${agent_id}/certificate`, body)) as { certificate_pem: string | null }).certificate_pem;
    } catch (error) {
      const code = error instanceof ServiceProblem ? error.code : '';
      if (final.has(code)) {
        rmSync(enrolment, { force: true });
        throw error;
      }
      process.stdout.write(
        code === 'agent_not_approved'
          ? 'Waiting until an administrator approves this machine.\n'
          : `${(error as Error).message} Trying again.\n`,
      );
      await wait(Math.max(10, (error instanceof ServiceProblem && error.retryAfterSeconds) || 0));
    }
  }
}
