import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** What the agent knows about itself, in `agent.json` of its data folder. */
export interface AgentConfig {
  centralUrl: string;
  agentId: string;
  /** Where the agent connects with its certificate; absent when the service has no such port. */
  planeUrl?: string | undefined;
  name: string;
  /** Absolute paths of the folders whose files are reported. */
  roots: string[];
  /** SHA-256 of the root certificate of the authority, pinned at enrolment; null when the service names none. */
  authorityFingerprint: string | null;
  /** The public key that signs releases of this program, pinned at enrolment. Without it the program is never replaced. */
  releaseKey?: string | undefined;
  limits: AgentLimits;
}

export interface AgentLimits {
  /** Bytes a second that are read for hashing; 0 is no limit. */
  readBytesPerSecond: number;
  /** Bytes a second that are sent; 0 is no limit. */
  uploadBytesPerSecond: number;
  hashThreads: number;
  scanIntervalSeconds: number;
}

export const defaultLimits: AgentLimits = { readBytesPerSecond: 0, uploadBytesPerSecond: 0, hashThreads: 1, scanIntervalSeconds: 900 };

export function defaultDataDir(): string {
  return process.env['CATALOG_AGENT_DIR'] ?? path.join(os.homedir(), '.catalog-agent');
}

export const filesIn = (dataDir: string) => ({
  config: path.join(dataDir, 'agent.json'),
  /** What the service answered to a registration that is not finished. */
  enrolment: path.join(dataDir, 'enrolment.json'),
  key: path.join(dataDir, 'agent.key'),
  /** A key that the service may know already. */
  newKey: path.join(dataDir, 'agent.key.new'),
  certificate: path.join(dataDir, 'agent.pem'),
  authority: path.join(dataDir, 'authority.pem'),
  policy: path.join(dataDir, 'policy.json'),
  taxonomy: path.join(dataDir, 'taxonomy.json'),
  index: path.join(dataDir, 'index.sqlite'),
  update: path.join(dataDir, 'update.json'),
  page: path.join(dataDir, 'page.url'),
  runLock: path.join(dataDir, 'run.lock'),
  runPid: path.join(dataDir, 'run.pid'),
});

export function readConfig(dataDir: string): AgentConfig | null {
  const { config } = filesIn(dataDir);
  if (!existsSync(config)) return null;
  const given = JSON.parse(readFileSync(config, 'utf8')) as AgentConfig;
  return { ...given, limits: { ...defaultLimits, ...given.limits } };
}

/** Replaces a file in one step, readable by this user only, and durable before it is used. */
export function writePrivate(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const partial = `${file}.partial`;
  const handle = openSync(partial, 'w', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  chmodSync(partial, 0o600);
  renameSync(partial, file);
}
