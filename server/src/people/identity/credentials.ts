import { hash, randomBytes } from 'node:crypto';
import { hash as argon2Hash, verify } from '@node-rs/argon2';

/** argon2id, 19 MiB, two passes: the library's own defaults, written down so that they do not drift. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return argon2Hash(password, cost);
}

let decoy: Promise<string> | undefined;

/** An unknown account costs the same time as a known one, so that names cannot be probed. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('no account has this password');
  const matches = await verify(stored ?? (await decoy), password).catch(() => false);
  return stored !== null && matches;
}

/** Tokens are random and opaque; what is stored is their SHA-256. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

/** `ck_` + six characters that may be shown + `_` + the secret rest. */
export function newApiKey(): { key: string; prefix: string } {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  const prefix = `ck_${Array.from(randomBytes(6), (byte) => letters[byte % letters.length]).join('')}`;
  return { key: `${prefix}_${randomBytes(32).toString('base64url')}`, prefix };
}

export function digestOf(token: string): string {
  return hash('sha256', token);
}
