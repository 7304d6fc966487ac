import { ExtractError } from '../../contract.ts';

/** One DER value: its tag, its content and the offset after it. */
export interface DerValue {
  tag: number;
  content: Buffer;
  end: number;
}

/** Reads the value at `at`. Throws if its length exceeds the available bytes. */
export function readDer(bytes: Buffer, at = 0): DerValue {
  const damaged = (): never => {
    throw new ExtractError('corrupt', 'The certificate data is damaged.');
  };
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) return damaged();
  let length = first;
  let start = at + 2;
  if (first & 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 4 || start + count > bytes.length) return damaged();
    length = bytes.readUIntBE(start, count);
    start += count;
  }
  if (start + length > bytes.length) return damaged();
  return { tag, content: bytes.subarray(start, start + length), end: start + length };
}

/** The values inside a sequence or set. */
export function derChildren(content: Buffer, max = 10_000): DerValue[] {
  const found: DerValue[] = [];
  for (let at = 0; at < content.length && found.length < max; ) {
    const value = readDer(content, at);
    found.push(value);
    at = value.end;
  }
  return found;
}

/** Decodes an object identifier to dotted form. */
export function objectIdentifier(content: Buffer): string {
  const parts: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (parts.length === 0) parts.push(Math.min(2, Math.floor(value / 40)), value - 40 * Math.min(2, Math.floor(value / 40)));
    else parts.push(value);
    value = 0;
  }
  return parts.join('.');
}

const attributeNames: Record<string, string> = {
  '2.5.4.3': 'CN',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.5': 'serialNumber',
  '1.2.840.113549.1.9.1': 'emailAddress',
  '0.9.2342.19200300.100.1.25': 'DC',
};

/** Formats a distinguished name as `CN=…, O=…`. */
export function distinguishedName(name: DerValue): string {
  const parts: string[] = [];
  for (const set of derChildren(name.content, 100)) {
    for (const pair of derChildren(set.content, 10)) {
      const [type, value] = derChildren(pair.content, 2);
      if (!type || !value) continue;
      const oid = objectIdentifier(type.content);
      const even = value.content.subarray(0, value.content.length & ~1);
      const text = value.tag === 0x1e ? Buffer.from(even).swap16().toString('utf16le') : value.content.toString('utf8');
      parts.push(`${attributeNames[oid] ?? oid}=${text.replace(/[\u0000-\u001f]/g, ' ').slice(0, 200)}`);
    }
  }
  return parts.join(', ');
}

const algorithms: Record<string, string> = {
  '1.2.840.113549.1.1.1': 'rsa',
  '1.2.840.10045.2.1': 'ec',
  '1.2.840.10040.4.1': 'dsa',
  '1.3.101.112': 'ed25519',
  '1.3.101.113': 'ed448',
  '1.3.101.110': 'x25519',
  '1.2.840.113549.1.1.5': 'sha1-rsa',
  '1.2.840.113549.1.1.11': 'sha256-rsa',
  '1.2.840.113549.1.1.12': 'sha384-rsa',
  '1.2.840.113549.1.1.13': 'sha512-rsa',
  '1.2.840.113549.1.1.10': 'rsa-pss',
  '1.2.840.10045.4.3.2': 'sha256-ecdsa',
  '1.2.840.10045.4.3.3': 'sha384-ecdsa',
  '1.2.840.10045.4.3.4': 'sha512-ecdsa',
};

/** The algorithm name of an AlgorithmIdentifier. */
export function algorithmName(identifier: DerValue | undefined): string | undefined {
  const oid = identifier && derChildren(identifier.content, 2)[0];
  if (!oid) return undefined;
  const dotted = objectIdentifier(oid.content);
  return algorithms[dotted] ?? dotted;
}
