import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '../../settings/index.ts';

export type KeySettings = Pick<Settings, 'secretKey' | 'secretKeyPrevious' | 'configDir' | 'databaseUrl'>;

/** The key that encrypts new values, and older keys that can still decrypt. */
export interface KeyRing {
  current: string;
  previous: readonly string[];
}

/** Used when SVC_SECRET_KEY is unset: the first line is the current key, further lines are previous keys. */
export function keyFile({ configDir }: Pick<KeySettings, 'configDir'>): string {
  return path.join(configDir, 'secret.key');
}

/** Read for every use, because a rotation by another process replaces the file. Null when there is no key. */
export function readKeyRing(settings: KeySettings): KeyRing | null {
  const { secretKey, secretKeyPrevious } = settings;
  const more = secretKeyPrevious ? [secretKeyPrevious] : [];
  const lines = readKeyFile(settings);
  if (secretKey) return { current: secretKey, previous: [...more, ...lines].filter((key) => key !== secretKey) };
  const [current, ...previous] = lines;
  return current ? { current, previous: [...previous, ...more] } : null;
}

function readKeyFile(settings: KeySettings): string[] {
  const file = keyFile(settings);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function newSecretKey(): string {
  return randomBytes(32).toString('base64url');
}

/** Replaces the file in one step and makes it durable before anything is encrypted with the new key. */
export function writeKeyFile(settings: KeySettings, keys: readonly string[]): void {
  const file = keyFile(settings);
  mkdirSync(path.dirname(file), { recursive: true });
  const partial = `${file}.partial`;
  const handle = openSync(partial, 'w', 0o600);
  try {
    writeSync(handle, `${keys.join('\n')}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  chmodSync(partial, 0o600);
  renameSync(partial, file);
}

/**
 * With the embedded database and no SVC_SECRET_KEY, creates a key in the config folder at the first start. Returns the path of a new file.
 * With an external database no key is made, because other hosts would not have it.
 */
export function ensureKeyFile(settings: KeySettings): string | null {
  if (settings.secretKey || settings.databaseUrl || existsSync(keyFile(settings))) return null;
  writeKeyFile(settings, [newSecretKey()]);
  return keyFile(settings);
}
