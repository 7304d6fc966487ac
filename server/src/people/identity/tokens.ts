import { hash, randomBytes } from 'node:crypto';

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
