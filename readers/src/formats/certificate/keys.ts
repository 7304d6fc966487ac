import { withoutEmpty } from '../result.ts';
import { algorithmName, type DerValue, derChildren, readDer } from './der.ts';

/** Facts about a key that reveal nothing secret. */
export interface KeyFacts {
  kind: string;
  algorithm?: string;
  bits?: number;
  encrypted?: boolean;
  comment?: string;
}

/** Describes the key in a PEM block. Only its label, sizes and identifiers are read. */
export function describePemKey(label: string, der: Buffer, headers: string): KeyFacts {
  const encrypted = label.startsWith('ENCRYPTED') || /ENCRYPTED/.test(headers);
  const kind = /PUBLIC/.test(label) ? 'public key' : 'private key';
  const base = { kind, ...(encrypted ? { encrypted: true } : {}) };
  if (label.startsWith('OPENSSH')) return { ...base, algorithm: opensshAlgorithm(der), encrypted: !der.subarray(15, 40).includes('none') };
  if (encrypted) return base;
  try {
    return { ...base, ...keyFacts(label, derChildren(readDer(der).content, 4)) };
  } catch {
    // The label alone states the kind of a key whose data is damaged.
    return base;
  }
}

function keyFacts(label: string, parts: DerValue[]): Partial<KeyFacts> {
  if (label.startsWith('RSA ')) return withoutEmpty({ algorithm: 'rsa', bits: integerBits(parts[label.includes('PUBLIC') ? 0 : 1]) });
  if (label.startsWith('EC ')) return { algorithm: 'ec' };
  if (label.startsWith('DSA ')) return { algorithm: 'dsa' };
  const identifier = parts.find((part) => part.tag === 0x30);
  const algorithm = algorithmName(identifier);
  const wrapped = parts.find((part) => part.tag === 3 || part.tag === 4);
  if (algorithm !== 'rsa' || !wrapped) return withoutEmpty({ algorithm });
  const inner = derChildren(readDer(wrapped.tag === 3 ? wrapped.content.subarray(1) : wrapped.content).content, 3);
  return withoutEmpty({ algorithm, bits: integerBits(inner[wrapped.tag === 3 ? 0 : 1]) });
}

const [integer, bitString, octetString, sequence] = [2, 3, 4, 0x30];

/** Describes a key without a label by the types of its parts. Undefined for other structures, such as certificates. */
export function describeDerKey(der: Buffer): KeyFacts | undefined {
  let tags: number[];
  try {
    tags = derChildren(readDer(der).content, 20).map(({ tag }) => tag);
  } catch {
    return undefined;
  }
  const [first, second, third] = tags;
  const label =
    first === sequence && second === bitString
      ? 'PUBLIC KEY'
      : first !== integer
        ? undefined
        : second === sequence && third === octetString
          ? 'PRIVATE KEY'
          : second === octetString
            ? 'EC PRIVATE KEY'
            : tags.every((tag) => tag === integer) && tags.length >= 6
              ? `${tags.length >= 9 ? 'RSA' : 'DSA'} PRIVATE KEY`
              : undefined;
  return label === undefined ? undefined : describePemKey(label, der, '');
}

/** The bit length of a DER integer. */
function integerBits(value: DerValue | undefined): number | undefined {
  if (value?.tag !== 2) return undefined;
  const bytes = value.content[0] === 0 ? value.content.length - 1 : value.content.length;
  return bytes * 8;
}

function opensshAlgorithm(bytes: Buffer): string {
  return /ssh-ed25519|ssh-rsa|ssh-dss|ecdsa-sha2-nistp\d+|sk-[a-z0-9-]+/.exec(bytes.subarray(0, 512).toString('latin1'))?.[0] ?? 'unknown';
}

/** Describes an OpenSSH public key line: algorithm, size and comment. */
export function describeSshPublicKey(line: string): KeyFacts | undefined {
  const match = /^(?:[^\s]+ )?(ssh-ed25519|ssh-rsa|ssh-dss|ecdsa-sha2-nistp\d+|sk-[\w@.-]+) ([A-Za-z0-9+/=]{20,})(?:\s+(.{1,200}))?$/.exec(
    line.trim(),
  );
  if (!match) return undefined;
  const [, algorithm = '', data = '', comment] = match;
  const blob = Buffer.from(data, 'base64');
  let at = 0;
  const fields: Buffer[] = [];
  while (at + 4 <= blob.length && fields.length < 4) {
    const length = blob.readUInt32BE(at);
    fields.push(blob.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  const modulus = algorithm === 'ssh-rsa' ? fields[2] : undefined;
  const bits = modulus ? (modulus[0] === 0 ? modulus.length - 1 : modulus.length) * 8 : undefined;
  return { kind: 'public key', algorithm, ...(bits ? { bits } : {}), ...(comment ? { comment } : {}) };
}

/** Detects key stores and binary OpenPGP data by their first bytes. */
export function describeKeyStore(bytes: Buffer, extension: string): (KeyFacts & { count?: number }) | undefined {
  if (bytes.length >= 12 && [0xfeedfeed, 0xcececece].includes(bytes.readUInt32BE(0)))
    return { kind: 'key store', encrypted: true, count: bytes.readUInt32BE(8) };
  if (bytes.toString('latin1', 8, 12) === 'KBXf') return { kind: 'key box' };
  if (extension === 'jwk' || extension === 'jwks') return describeWebKeys(bytes.toString('utf8'));
  const first = bytes[0];
  if (!['gpg', 'pgp', 'sig'].includes(extension) || first === undefined || (first & 0x80) === 0) return undefined;
  const packet = first & 0x40 ? first & 0x3f : (first >> 2) & 15;
  return {
    kind: { 1: 'pgp message', 2: 'pgp signature', 5: 'pgp private key', 6: 'pgp public key', 18: 'pgp message' }[packet] ?? 'pgp data',
  };
}

/** JSON Web Keys: number, type, and whether any key is private. */
function describeWebKeys(text: string): (KeyFacts & { count?: number }) | undefined {
  try {
    const value = JSON.parse(text) as { keys?: Record<string, unknown>[] } & Record<string, unknown>;
    const keys = Array.isArray(value.keys) ? value.keys : [value];
    const first = keys[0];
    if (typeof first?.['kty'] !== 'string') return undefined;
    const secret = keys.some((key) => key !== null && typeof key === 'object' && ('d' in key || 'k' in key));
    return {
      kind: secret ? 'private key' : 'public key',
      algorithm: first['kty'].toLowerCase().slice(0, 20),
      ...(keys.length > 1 ? { count: keys.length } : {}),
    };
  } catch {
    // The file is not JSON, so it holds no JSON Web Keys.
    return undefined;
  }
}
