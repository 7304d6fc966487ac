/**
 * The secret key, the environment file of the deployment and the certificate authority of agents in plain text, for backups that an operator
 * makes from a shell and keeps in a safe place. The service itself writes them only encrypted (see protected.ts).
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readKeyRing } from '../../platform/secrets/index.ts';
import type { Settings } from '../../settings/index.ts';
import type { Bundle } from './folder.ts';
import type { BundlePart } from './manifest.ts';
import { readAgentAuthority } from './protected.ts';

const keyPart = 'files/secret.key';
const environmentPart = 'files/env.backup';
const authorityPart = 'files/agent-ca.pem';

export interface SecretFiles {
  /** The content of the environment file; the secret key is added with it. */
  environmentFile?: string;
  /** Also add the root of the certificate authority for agents, if this installation has one. */
  authority: boolean;
}

export function writeSecretFiles(settings: Settings, folder: string, { environmentFile, authority }: SecretFiles): BundlePart[] {
  const parts: [name: string, text: string][] = [];
  if (environmentFile !== undefined) {
    const ring = readKeyRing(settings);
    parts.push([environmentPart, environmentFile]);
    if (ring) parts.push([keyPart, [ring.current, ...ring.previous, ''].join('\n')]);
  }
  const root = authority ? readAgentAuthority(settings) : null;
  if (root !== null) parts.push([authorityPart, root]);
  return parts.map(([name, text]) => {
    writeFileSync(path.join(folder, name), text, { mode: 0o600 });
    return { name, bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
  });
}

interface PlainSecrets {
  secret_keys: string[];
  environmentFile: string | null;
  agent_ca: string | null;
}

/** Null when the bundle has none. */
export function readSecretFiles({ folder }: Bundle): PlainSecrets | null {
  const read = (name: string): string | null => {
    const file = path.join(folder, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  };
  const [environmentFile, agent_ca] = [read(environmentPart), read(authorityPart)];
  if (environmentFile === null && agent_ca === null) return null;
  const secret_keys = (read(keyPart) ?? '').split('\n').filter((line) => line !== '');
  return { secret_keys, environmentFile, agent_ca };
}
