import { hash, randomBytes } from 'node:crypto';
import { hash as argon2Hash, verify } from '@node-rs/argon2';

/** argon2id with 19 MiB and two passes, the library's defaults, fixed here so that an upgrade does not change them. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return argon2Hash(password, cost);
}

let decoy: Promise<string> | undefined;

/** Verifies against a decoy when the account is unknown, so that response times do not reveal which names exist. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('no account has this password');
  // A stored hash that cannot be read matches no password.
  const matches = await verify(stored ?? (await decoy), password).catch(() => false);
  return stored !== null && matches;
}

/** Tokens are random and opaque; only their SHA-256 is stored. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

/** `ck_`, six characters that are shown in lists, `_`, and the secret. */
export function newApiKey(): { key: string; prefix: string } {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  const prefix = `ck_${Array.from(randomBytes(6), (byte) => letters[byte % letters.length]).join('')}`;
  return { key: `${prefix}_${randomBytes(32).toString('base64url')}`, prefix };
}

export function digestOf(token: string): string {
  return hash('sha256', token);
}
