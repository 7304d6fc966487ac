import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;
const derivedKeys = new Map<string, Buffer>();

function derive(key: string, info: string, length: number): Buffer {
  const name = `${info}\0${key}`;
  const known = derivedKeys.get(name);
  if (known) return known;
  const derived = Buffer.from(hkdfSync('sha256', key, 'catalog secrets', info, length));
  derivedKeys.set(name, derived);
  return derived;
}

/** Names the key that a value was encrypted with. It is derived separately, so it says nothing about the encryption key. */
export function keyId(key: string): string {
  return derive(key, 'key id', 8).toString('hex');
}

/** The first 16 hex digits of the SHA-256 of a key, as stored in the database and in backup manifests. */
export function fingerprint(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}

/** AES-256-GCM: nonce, ciphertext and tag in base64. `name` is authenticated, so a value cannot be used under another name. */
export function encryptValue(key: string, name: string, value: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', derive(key, 'aes-256-gcm', 32), nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(name));
  return Buffer.concat([nonce, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

/** Null when the key, the name or the stored bytes are wrong. */
export function decryptValue(key: string, name: string, stored: string): string | null {
  const bytes = Buffer.from(stored, 'base64');
  if (bytes.length < nonceBytes + tagBytes) return null;
  const decipher = createDecipheriv('aes-256-gcm', derive(key, 'aes-256-gcm', 32), bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(name));
  decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, bytes.length - tagBytes)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
