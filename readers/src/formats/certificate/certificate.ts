import { X509Certificate } from 'node:crypto';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { type FileBytes, readWholeFile, withFileBytes } from '../../input/file-bytes.ts';
import { isCompoundFile } from '../office/compound-file.ts';
import { iworkKeys, readIwork } from '../office/iwork.ts';
import { legacyOffice } from '../office/legacy-office.ts';
import { readPublisher } from '../old-documents/publisher.ts';
import { withoutEmpty } from '../result.ts';
import { algorithmName, derChildren, distinguishedName, readDer } from './der.ts';
import { describeDerKey, describeKeyStore, describePemKey, describeSshPublicKey, type KeyFacts } from './keys.ts';

const maxBytes = 16 * 1024 * 1024;
const maxBlocks = 500;

const certificateKeys = [
  ...['subject', 'issuer', 'serial', 'not_before', 'not_after', 'alternative_names', 'algorithm', 'key_type', 'key_bits', 'authority'],
  ...['self_signed', 'fingerprint_sha256', 'revoked', 'kind', 'count'],
];

/**
 * Certificates, certificate requests and keys. For keys, only kind, algorithm and size are reported, never key material. Keynote
 * presentations also use the extension .key, and Publisher documents .pub; both are detected by their first bytes.
 */
export const certificate: Extractor = {
  name: 'certificate',
  version: 4,
  text: true,
  extensions: [
    ...'pem crt cer cert der csr req crl key pub p8 pk8 p7b p7c p7s spc p12 pfx asc ppk'.split(' '),
    ...['jwk', 'jwks', 'jks', 'keystore', 'gpg', 'pgp', 'sig', 'kbx'],
  ],
  tools: [],
  keys: [
    'certificate',
    ...certificateKeys.map((key) => `certificate.${key}`),
    'key',
    ...['kind', 'algorithm', 'bits', 'encrypted', 'comment', 'count'].map((key) => `key.${key}`),
    ...new Set([...iworkKeys, ...legacyOffice.keys]),
  ],
  read: async (source) => {
    if (source.extension === 'key' && (await withFileBytes(source, isZip))) return readIwork(source);
    if (source.extension === 'pub') {
      const publisher = await withFileBytes(source, (file) => (isCompoundFile(file.read(0, 8)) ? readPublisher(file, source) : null));
      if (publisher) return publisher;
    }
    const bytes = readWholeFile(source, maxBytes);
    const text = bytes.toString('latin1');
    if (/-----BEGIN [A-Z0-9 ]+-----/.test(text)) return fromPem(text);
    if (bytes[0] === 0x30) return fromDer(bytes, source);
    const vault = describeKeyStore(bytes, source.extension);
    if (vault) return withTitle({ key: vault });
    return fromKeyText(text, source);
  },
};

function isZip(file: FileBytes): boolean {
  return file.read(0, 4).toString('latin1') === 'PK\x03\x04';
}

interface PemBlock {
  label: string;
  headers: string;
  der: Buffer;
}

function fromPem(text: string): Extracted {
  const blocks: PemBlock[] = [];
  for (const match of text.matchAll(
    /-----BEGIN ([A-Z0-9 ]{1,60})-----\r?\n((?:[A-Za-z][\w-]*:.*\r?\n(?:[ \t].*\r?\n)*)*)([\s\S]*?)-----END \1-----/g,
  )) {
    if (blocks.length >= maxBlocks) break;
    const [, label = '', headers = '', body = ''] = match;
    blocks.push({ label, headers, der: Buffer.from(body.replace(/^=.*$/m, ''), 'base64') });
  }
  const [firstBlock] = blocks;
  if (firstBlock === undefined) throw new ExtractError('corrupt', 'The certificate or key is incomplete.');
  const certificates = blocks.filter((block) => /^(X509 |TRUSTED )?CERTIFICATE$/.test(block.label));
  const keys = blocks.filter((block) => /(PRIVATE|PUBLIC) KEY( BLOCK)?$/.test(block.label));
  const request = blocks.find((block) => block.label.endsWith('CERTIFICATE REQUEST'));
  const list = blocks.find((block) => block.label === 'X509 CRL');
  const facts = certificates[0]
    ? {
        kind: 'certificate',
        ...describeCertificate(certificates[0].der),
        ...(certificates.length > 1 ? { count: certificates.length } : {}),
      }
    : request
      ? { kind: 'request', ...describeRequest(request.der) }
      : list
        ? { kind: 'revocation list', ...describeRevocationList(list.der) }
        : undefined;
  const other = facts === undefined && keys.length === 0 ? { certificate: { kind: firstBlock.label.toLowerCase() } } : {};
  return withTitle({ ...other, ...(facts ? { certificate: facts } : {}), ...(keys[0] ? { key: keyOf(keys[0], keys.length) } : {}) });
}

function keyOf(block: PemBlock, count: number): KeyFacts & { count?: number } {
  const facts = block.label.startsWith('PGP')
    ? { kind: block.label.toLowerCase().replace(/ block$/, '') }
    : describePemKey(block.label, block.der, block.headers);
  return count > 1 ? { ...facts, count } : facts;
}

function fromDer(bytes: Buffer, source: Source): Extracted {
  switch (source.extension) {
    case 'csr':
    case 'req':
      return withTitle({ certificate: { kind: 'request', ...describeRequest(bytes) } });
    case 'crl':
      return withTitle({ certificate: { kind: 'revocation list', ...describeRevocationList(bytes) } });
    case 'p12':
    case 'pfx':
      readDer(bytes);
      return withTitle({ key: { kind: 'key store', encrypted: true } });
    case 'p8':
    case 'pk8':
    case 'key':
      return withTitle({
        key: describePemKey(derChildren(readDer(bytes).content, 3)[0]?.tag === 0x30 ? 'ENCRYPTED PRIVATE KEY' : 'PRIVATE KEY', bytes, ''),
      });
    case 'p7s':
      return withTitle({ certificate: { kind: 'signature' } });
    case 'p7b':
    case 'p7c':
    case 'spc':
      // Streaming programs write no length, which the reader of certificates does not know.
      if (bytes[1] !== 0x80) readDer(bytes);
      return withTitle({ certificate: { kind: 'certificate bundle' } });
    default:
      return fromUnnamedDer(bytes);
  }
}

/** The extension der says nothing about the content: a certificate, unless its parts are those of a key. */
function fromUnnamedDer(bytes: Buffer): Extracted {
  const key = describeDerKey(bytes);
  return withTitle(key === undefined ? { certificate: { kind: 'certificate', ...describeCertificate(bytes) } } : { key });
}

function fromKeyText(text: string, source: Source): Extracted {
  const ssh = text
    .slice(0, 65_536)
    .split(/\r?\n/)
    .map(describeSshPublicKey)
    .find((facts) => facts !== undefined);
  if (ssh) return withTitle({ key: ssh });
  const putty = /^PuTTY-User-Key-File-\d: (\S+)\r?\nEncryption: (\S+)/.exec(text);
  if (putty) return withTitle({ key: { kind: 'private key', algorithm: putty[1] ?? '', encrypted: putty[2] !== 'none' } });
  // Other programs use these extensions too (Keynote, plain text, detached signatures).
  if (['key', 'asc', 'pub', 'spc'].includes(source.extension)) return { metadata: { key: { kind: 'unknown' } } };
  throw new ExtractError('corrupt', 'The file contains no certificate or key.');
}

function withTitle(metadata: { certificate?: Record<string, unknown>; key?: object }): Extracted {
  const subject = metadata.certificate?.['subject'];
  const common = typeof subject === 'string' ? /(?:^|, )CN=([^,]+)/.exec(subject)?.[1] : undefined;
  return { metadata, ...(common ? { title: common } : {}) };
}

/** Subject, issuer, validity, algorithm and key of an X.509 certificate. */
function describeCertificate(der: Buffer): Record<string, unknown> {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(der);
  } catch {
    throw new ExtractError('corrupt', 'The certificate is damaged.');
  }
  const key = publicKeyOf(certificate);
  return withoutEmpty({
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    serial: certificate.serialNumber,
    not_before: isoDate(certificate.validFromDate),
    not_after: isoDate(certificate.validToDate),
    alternative_names: certificate.subjectAltName?.slice(0, 2000),
    algorithm: signatureAlgorithm(der),
    key_type: key?.type,
    key_bits: key?.bits,
    authority: certificate.ca,
    self_signed: certificate.subject === certificate.issuer,
    fingerprint_sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
  });
}

const oneLine = (name: string | undefined): string | undefined => name?.replaceAll('\n', ', ').slice(0, 1000);
const isoDate = (date: Date): string | undefined => (Number.isNaN(date.getTime()) ? undefined : date.toISOString());

function publicKeyOf(certificate: X509Certificate): { type: string | undefined; bits: number | undefined } | undefined {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
    return { type: asymmetricKeyType, bits: asymmetricKeyDetails?.modulusLength };
  } catch {
    // OpenSSL does not support every key type. The other fields are still reported.
    return undefined;
  }
}

function signatureAlgorithm(der: Buffer): string | undefined {
  return algorithmName(derChildren(readDer(der).content, 3)[1]);
}

/** Fields of a certificate request (PKCS #10). */
function describeRequest(der: Buffer): Record<string, unknown> {
  const [info, algorithm] = derChildren(readDer(der).content, 3);
  const [, subject, key] = info ? derChildren(info.content, 4) : [];
  if (!subject || !key) throw new ExtractError('corrupt', 'The certificate request is damaged.');
  return withoutEmpty({
    subject: distinguishedName(subject),
    algorithm: algorithmName(algorithm),
    key_type: algorithmName(derChildren(key.content, 2)[0]),
  });
}

/** Fields of a certificate revocation list. */
function describeRevocationList(der: Buffer): Record<string, unknown> {
  const [list, algorithm] = derChildren(readDer(der).content, 3);
  const parts = list ? derChildren(list.content) : [];
  const name = parts[0]?.tag === 2 ? parts[2] : parts[1];
  const times = parts
    .filter((part) => part.tag === 0x17 || part.tag === 0x18)
    .map((part) => derTime(part.content.toString('latin1'), part.tag));
  const revoked = parts.find((part, index) => part.tag === 0x30 && index > 2 && parts[index - 1]?.tag !== 2);
  if (!name) throw new ExtractError('corrupt', 'The revocation list is damaged.');
  return withoutEmpty({
    issuer: distinguishedName(name),
    algorithm: algorithmName(algorithm),
    not_before: times[0],
    not_after: times[1],
    revoked: revoked ? derChildren(revoked.content, 1_000_000).length : 0,
  });
}

function derTime(text: string, tag: number): string | undefined {
  const full = tag === 0x17 ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text;
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full) ?? [];
  return y === undefined ? undefined : `${y}-${mo}-${d}T${h}:${mi}:${s}.000Z`;
}
