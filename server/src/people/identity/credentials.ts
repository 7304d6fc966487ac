import { hash, randomBytes } from 'node:crypto';
import { hash as argon2Hash, verify } from '@node-rs/argon2';
import { problem } from '../../platform/problem.ts';

/** argon2id with 19 MiB and two passes, the library's defaults, fixed here so that an upgrade does not change them. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * argon2 runs in Node's thread pool of four, which file access shares. Two at a time leave it usable during an attack; more callers than
 * `maxWaiting` are refused, so that their number is bounded as well.
 */
const maxRunning = 2;
const maxWaiting = 64;
let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxRunning) {
    if (waiting.length >= maxWaiting)
      throw problem('unavailable', 'Too many people are signing in right now. Try again in a few seconds.', { retryAfter: 5 });
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await work();
  } finally {
    // The place passes to the next caller in line.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => argon2Hash(password, cost));
}

let decoy: Promise<string> | undefined;

/** Verifies against a decoy when the account is unknown, so that response times do not reveal which names exist. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= argon2Hash('no account has this password', cost);
  // A stored hash that cannot be read matches no password.
  const against = stored ?? (await decoy);
  const matches = await inTurn(() => verify(against, password).catch(() => false));
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
