/**
 * The protected part of a bundle: the secret key and the settings of the installation, encrypted with AES-256-GCM under a key that scrypt
 * derives from SVC_BACKUP_PASSPHRASE. The cost parameters are stored, so that they can be raised later.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readKeyRing, writeKeyFile } from '../../platform/secrets/index.ts';
import type { Settings } from '../../settings/index.ts';
import type { Bundle } from './folder.ts';
import type { BundlePart, Manifest } from './manifest.ts';

const protectedPart = 'files/protected.json';
/** Where a restore writes the settings of the backed-up installation, for the operator to compare. */
export const restoredEnvironment = 'environment.restored';
const agentAuthorityFile = 'agent-ca.pem';

interface ProtectedContent {
  /** The current key first, then keys that older values may still need. */
  secret_keys: string[];
  environment: Record<string, string>;
  /** The root of the certificate authority for agents, if this installation has one. */
  agent_ca?: string;
}

interface Envelope {
  kdf: 'scrypt';
  n: number;
  r: number;
  p: number;
  salt: string;
  nonce: string;
  tag: string;
  ciphertext: string;
}

const cost = { n: 2 ** 17, r: 8, p: 1 };
/** A file that asks for more is not one of ours. */
const maxCost = { n: 2 ** 20, r: 16, p: 4 };

/** The passphrase is not the one the backup was protected with, or the part was changed. */
export class WrongPassphrase extends Error {}

function deriveKey(passphrase: string, salt: Buffer, { n, r, p }: { n: number; r: number; p: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), salt, 32, { N: n, r, p, maxmem: 256 * n * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

export async function seal(passphrase: string, content: ProtectedContent): Promise<string> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(passphrase, salt, cost), nonce);
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]);
  const envelope: Envelope = {
    kdf: 'scrypt',
    ...cost,
    salt: salt.toString('base64'),
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    ciphertext: ciphertext.toString('base64'),
  };
  return `${JSON.stringify(envelope)}\n`;
}

export async function unseal(passphrase: string, text: string): Promise<ProtectedContent> {
  try {
    const { n, r, p, salt, nonce, tag, ciphertext } = JSON.parse(text) as Envelope;
    if (!(n <= maxCost.n && r <= maxCost.r && p <= maxCost.p)) throw new Error('The cost parameters are too high.');
    const key = await deriveKey(passphrase, Buffer.from(salt, 'base64'), { n, r, p });
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64'), { authTagLength: 16 });
    decipher.setAuthTag(Buffer.from(tag, 'base64'));
    const plain = Buffer.concat([decipher.update(Buffer.from(ciphertext, 'base64')), decipher.final()]);
    return JSON.parse(plain.toString('utf8')) as ProtectedContent;
  } catch {
    throw new WrongPassphrase(
      'The secret key in the backup cannot be decrypted. Set SVC_BACKUP_PASSPHRASE to the passphrase it was made with.',
    );
  }
}

/** The root of the certificate authority for agents with its private key, or null when this installation has none. */
export function readAgentAuthority({ configDir }: Pick<Settings, 'configDir'>): string | null {
  const file = path.join(configDir, agentAuthorityFile);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/** The first 16 hex digits of the SHA-256 of the root certificate, as for every fingerprint of a secret. */
export function authorityFingerprint(settings: Pick<Settings, 'configDir'>): string | null {
  const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(readAgentAuthority(settings) ?? '')?.[0];
  if (certificate === undefined) return null;
  return new X509Certificate(certificate).fingerprint256.replaceAll(':', '').slice(0, 16).toLowerCase();
}

/** Writes the protected part into a bundle. Null without a passphrase. */
export async function writeProtected(
  settings: Settings,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<BundlePart | null> {
  if (settings.backupPassphrase === undefined) return null;
  const ring = readKeyRing(settings);
  const { SVC_BACKUP_PASSPHRASE: _passphrase, ...rest } = environment;
  const authority = readAgentAuthority(settings);
  const content: ProtectedContent = {
    secret_keys: ring ? [ring.current, ...ring.previous] : [],
    environment: rest,
    ...(authority === null ? {} : { agent_ca: authority }),
  };
  const text = await seal(settings.backupPassphrase, content);
  const file = path.join(folder, protectedPart);
  writeFileSync(file, text, { mode: 0o600 });
  return { name: protectedPart, bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
}

/** The settings in the format of an environment file. */
export const formatEnvironment = (environment: Readonly<Record<string, string>>): string =>
  Object.entries(environment)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}\n`)
    .join('');

export const isProtected = ({ files }: Pick<Manifest, 'files'>): boolean => files.some(({ name }) => name === protectedPart);

/** The decrypted part, or null when the bundle has none or no passphrase is set. Throws when the passphrase is wrong. */
export async function readProtected(settings: Settings, { folder, manifest }: Bundle): Promise<ProtectedContent | null> {
  if (!isProtected(manifest) || settings.backupPassphrase === undefined) return null;
  return unseal(settings.backupPassphrase, readFileSync(path.join(folder, protectedPart), 'utf8'));
}

/** Puts the keys of the backup first in secret.key, keeps the present ones behind them, and writes the settings beside it. */
export function restoreSecrets(settings: Settings, secretKeys: readonly string[], environmentFile: string | null): void {
  const present = existsSync(path.join(settings.configDir, 'secret.key')) ? readKeyRing({ ...settings, secretKey: undefined }) : null;
  const keys = [...secretKeys, ...(present ? [present.current, ...present.previous] : [])];
  if (keys.length > 0) writeKeyFile(settings, [...new Set(keys)]);
  if (environmentFile === null) return;
  const file = path.join(settings.configDir, restoredEnvironment);
  writeFileSync(file, environmentFile, { mode: 0o600 });
  chmodSync(file, 0o600);
}

/** Without its root, every certificate of an agent would become void. */
export function restoreAgentAuthority(settings: Settings, agent_ca: string | null): void {
  if (agent_ca === null) return;
  const file = path.join(settings.configDir, agentAuthorityFile);
  writeFileSync(file, agent_ca, { mode: 0o600 });
  chmodSync(file, 0o600);
}
