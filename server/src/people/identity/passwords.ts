import { hash, verify } from '@node-rs/argon2';

/** argon2id, 19 MiB, two passes: the library's own defaults, written down so that they do not drift. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

let decoy: Promise<string> | undefined;

/** An unknown account costs the same time as a known one, so that names cannot be probed. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('no account has this password');
  const matches = await verify(stored ?? (await decoy), password).catch(() => false);
  return stored !== null && matches;
}
