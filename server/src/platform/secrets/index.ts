import type { Db } from '../database/index.ts';
import { problem } from '../problem.ts';
import { decryptValue, encryptValue, fingerprint, keyId } from './cipher.ts';
import { stampKeyFingerprint } from './guard.ts';
import { type KeyRing, type KeySettings, newSecretKey, readKeyRing, writeKeyFile } from './keys.ts';
import {
  deleteSecret,
  deleteSecretsBelow,
  findSecret,
  listSecretNames,
  pageSecretsOfOtherKeys,
  replaceSecret,
  upsertSecret,
} from './store.ts';

export { fingerprint } from './cipher.ts';
export { checkSecretKey, clearKeyFingerprint, reportSecretKey } from './guard.ts';
export { ensureKeyFile, type KeySettings, keyFile, readKeyRing, writeKeyFile } from './keys.ts';

/** What the API returns in place of a secret. A client that sends it back, or sends an empty value, keeps the stored one. */
export const redacted = '__redacted__';

/** Whether a submitted value leaves the stored secret as it is. */
export function keepsSecret(value: string | null | undefined): boolean {
  return value === undefined || value === null || value === '' || value === redacted;
}

/**
 * Encrypted values by name, such as `alert-channel/<id>/password`. A value is only ever returned by `read`; never put it into a log, an
 * error, an audit record or a response. All functions take the transaction of the change they belong to.
 */
export interface Secrets {
  /** Throws `secret_key_missing` when nothing can be encrypted. Call it first in a route that may store a secret. */
  requireKey(): void;
  write(db: Db, name: string, value: string): Promise<void>;
  /** Null when nothing is stored. Throws `secret_key_missing` or `secret_unreadable` when the value cannot be decrypted. */
  read(db: Db, name: string): Promise<string | null>;
  remove(db: Db, name: string): Promise<void>;
  /** Removes every secret whose name begins with the prefix. */
  removeBelow(db: Db, prefix: string): Promise<void>;
  /** The names that are stored below a prefix, to show which fields are set. */
  names(db: Db, prefix: string): Promise<string[]>;
}

export function createSecrets(settings: KeySettings): Secrets {
  const requireRing = (): KeyRing => {
    const ring = readKeyRing(settings);
    if (!ring) throw problem('secret_key_missing');
    return ring;
  };
  return {
    requireKey: () => void requireRing(),
    async write(db, name, value) {
      const { current } = requireRing();
      await upsertSecret(db, { name, key_id: keyId(current), ciphertext: encryptValue(current, name, value) });
    },
    async read(db, name) {
      const stored = await findSecret(db, name);
      if (!stored) return null;
      const value = decryptWith(requireRing(), stored);
      if (value === null) throw problem('secret_unreadable');
      return value;
    },
    remove: deleteSecret,
    removeBelow: deleteSecretsBelow,
    names: listSecretNames,
  };
}

function decryptWith({ current, previous }: KeyRing, stored: { name: string; key_id: string; ciphertext: string }): string | null {
  const key = [current, ...previous].find((each) => keyId(each) === stored.key_id);
  return key === undefined ? null : decryptValue(key, stored.name, stored.ciphertext);
}

export interface Rotation {
  rotated: number;
  /** Names of values that no known key can decrypt. They stay as they are. */
  unreadable: string[];
  /** The path of the key file when this rotation replaced it. */
  newKeyFile: boolean;
}

/**
 * Encrypts every stored value with the current key. Without SVC_SECRET_KEY, a new key is first put in front of the key file, where the old
 * one stays until the next rotation for values that a running process is just writing. It can be interrupted and repeated at any point,
 * because every value names its key.
 */
export async function rotateSecrets(db: Db, settings: KeySettings): Promise<Rotation> {
  const before = readKeyRing(settings);
  if (!before) throw problem('secret_key_missing');
  const newKeyFile = !settings.secretKey;
  if (newKeyFile) writeKeyFile(settings, [newSecretKey(), before.current, ...before.previous]);
  const ring = readKeyRing(settings) ?? before;
  const unreadable: string[] = [];
  let rotated = 0;
  for (let after = ''; ; ) {
    const page = await pageSecretsOfOtherKeys(db, keyId(ring.current), after, 200);
    for (const stored of page) {
      const value = decryptWith(ring, stored);
      if (value === null) unreadable.push(stored.name);
      else {
        await replaceSecret(db, stored, { key_id: keyId(ring.current), ciphertext: encryptValue(ring.current, stored.name, value) });
        rotated += 1;
      }
    }
    const last = page.at(-1);
    if (!last) break;
    after = last.name;
  }
  await stampKeyFingerprint(db, fingerprint(ring.current), { replace: true });
  if (newKeyFile && unreadable.length === 0) writeKeyFile(settings, [ring.current, before.current]);
  return { rotated, unreadable, newKeyFile };
}
