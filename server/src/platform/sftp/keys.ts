import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey, KeyObject } from 'node:crypto';
import { BigInt as KeyNumber, type KeyPair, SshAlgorithms } from '@microsoft/dev-tunnels-ssh';

const algorithm = 'ecdsa-sha2-nistp256';
const curve = 'nistp256';

/** A new private key for signing in, as PEM text. */
export function createSshKey(): string {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The line for the file authorized_keys of the server. */
export function authorizedKeysLine(privateKey: string, comment: string): string {
  const { x = '', y = '' } = createPublicKey(createPrivateKey(privateKey)).export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const blob = Buffer.concat([algorithm, curve, point].map(withLength));
  return `${algorithm} ${blob.toString('base64')} ${comment}`;
}

function withLength(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** The key in the form that the SSH library signs with. */
export async function keyPairOf(privateKey: string): Promise<KeyPair> {
  const jwk: JsonWebKey = createPrivateKey(privateKey).export({ format: 'jwk' });
  const number = (text = '') => KeyNumber.fromBytes(Buffer.from(text, 'base64url'), { unsigned: true });
  const pair = SshAlgorithms.publicKey['ecdsaSha2Nistp256']?.createKeyPair();
  if (!pair) throw new Error('The SSH library lacks ECDSA keys.');
  await pair.importParameters({
    curve: { name: curve, oid: '1.2.840.10045.3.1.7' },
    x: number(jwk.x),
    y: number(jwk.y),
    d: number(jwk.d),
  } as object);
  return pair;
}

/** The fingerprint of a host key as `ssh-keygen -l` prints it. */
export async function hostKeyFingerprint(key: KeyPair): Promise<string> {
  const bytes = rsaKeyBytes(key) ?? (await key.getPublicKeyBytes()) ?? Buffer.alloc(0);
  return `SHA256:${createHash('sha256').update(bytes).digest('base64').replace(/=+$/, '')}`;
}

/** The library writes RSA keys in a way that Node 24 refuses. */
function rsaKeyBytes(key: KeyPair): Buffer | null {
  const { publicKey } = key as { publicKey?: unknown };
  if (key.keyAlgorithmName !== 'ssh-rsa' || !(publicKey instanceof KeyObject)) return null;
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  return Buffer.concat([withLength('ssh-rsa'), withLength(signed(e)), withLength(signed(n))]);
}

/** A positive number begins with a bit that is zero. */
function signed(value: string): Buffer {
  const bytes = Buffer.from(value, 'base64url');
  return (bytes[0] ?? 0) < 128 ? bytes : Buffer.concat([Buffer.alloc(1), bytes]);
}

/** All fingerprints in a text, such as the output of `ssh-keygen -l`. */
export function findFingerprints(text: string): string[] {
  return text.match(/SHA256:[A-Za-z0-9+/]{43}/g) ?? [];
}
