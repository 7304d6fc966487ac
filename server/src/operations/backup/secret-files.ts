/**
 * The secret key and the environment file of the deployment in plain text, for backups that an operator makes from a shell and keeps in a
 * safe place. The service itself writes them only encrypted (see protected.ts).
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readKeyRing } from '../../platform/secrets/index.ts';
import type { Settings } from '../../settings/index.ts';
import type { Bundle } from './folder.ts';
import type { BundlePart } from './manifest.ts';

const keyPart = 'files/secret.key';
const environmentPart = 'files/env.backup';

export interface SecretFiles {
  /** The content of the environment file. */
  environmentFile: string;
}

export function writeSecretFiles(settings: Settings, folder: string, { environmentFile }: SecretFiles): BundlePart[] {
  const ring = readKeyRing(settings);
  const parts: [name: string, text: string][] = [[environmentPart, environmentFile]];
  if (ring) parts.push([keyPart, [ring.current, ...ring.previous, ''].join('\n')]);
  return parts.map(([name, text]) => {
    writeFileSync(path.join(folder, name), text, { mode: 0o600 });
    return { name, bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
  });
}

/** Null when the bundle has none. */
export function readSecretFiles({ folder }: Bundle): { secret_keys: string[]; environmentFile: string } | null {
  if (!existsSync(path.join(folder, environmentPart))) return null;
  const key = path.join(folder, keyPart);
  const lines = existsSync(key) ? readFileSync(key, 'utf8').split('\n') : [];
  return { secret_keys: lines.filter((line) => line !== ''), environmentFile: readFileSync(path.join(folder, environmentPart), 'utf8') };
}
