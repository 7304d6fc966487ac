import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { type FileBytes, readWholeFile, withFileBytes } from '../../input/file-bytes.ts';
import { iworkKeys, readIwork } from '../iwork/iwork.ts';
import { derChildren, readDer } from './der.ts';
import { describePemKey, describeSshPublicKey, describeKeyStore, type KeyFacts } from './key-kind.ts';
import { describeCertificate, describeRequest, describeRevocationList } from './x509.ts';

const maxBytes = 16 * 1024 * 1024;
const maxBlocks = 500;

const certificateKeys = [
  ...['subject', 'issuer', 'serial', 'not_before', 'not_after', 'alternative_names', 'algorithm', 'key_type', 'key_bits', 'authority'],
  ...['self_signed', 'fingerprint_sha256', 'revoked', 'kind', 'count'],
];

/**
 * Certificates, requests and keys. Of a key only kind, algorithm and size are told; no byte of it is ever put into a result. Keynote names
 * its slides .key too: the first bytes tell which it is.
 */
export const certificate: Extractor = {
  name: 'certificate',
  version: 2,
  extensions: [
    'pem',
    'crt',
    'cer',
    'cert',
    'der',
    'csr',
    'req',
    'crl',
    'key',
    'pub',
    'p8',
    'pk8',
    'p7b',
    'p7c',
    'spc',
    'p12',
    'pfx',
    'asc',
    'ppk',
    ...['jwk', 'jwks', 'jks', 'keystore', 'gpg', 'pgp', 'sig', 'kbx'],
  ],
  tools: [],
  keys: [
    'certificate',
    ...certificateKeys.map((key) => `certificate.${key}`),
    'key',
    ...['kind', 'algorithm', 'bits', 'encrypted', 'comment', 'count'].map((key) => `key.${key}`),
    ...iworkKeys,
  ],
  read: async (source) => {
    if (source.extension === 'key' && (await withFileBytes(source, isZip))) return readIwork(source);
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
    blocks.push({ label: match[1]!, headers: match[2]!, der: Buffer.from(match[3]!.replace(/^=.*$/m, ''), 'base64') });
  }
  if (blocks.length === 0) throw new ExtractError('corrupt', 'The file begins a certificate or key and does not end it.');
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
  const other = facts === undefined && keys.length === 0 ? { certificate: { kind: blocks[0]!.label.toLowerCase() } } : {};
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
    case 'p7b':
    case 'p7c':
    case 'spc':
      readDer(bytes);
      return withTitle({ certificate: { kind: 'certificate bundle' } });
    default:
      return withTitle({ certificate: { kind: 'certificate', ...describeCertificate(bytes) } });
  }
}

function fromKeyText(text: string, source: Source): Extracted {
  const ssh = text
    .slice(0, 65_536)
    .split(/\r?\n/)
    .map(describeSshPublicKey)
    .find((facts) => facts !== undefined);
  if (ssh) return withTitle({ key: ssh });
  const putty = /^PuTTY-User-Key-File-\d: (\S+)\r?\nEncryption: (\S+)/.exec(text);
  if (putty) return withTitle({ key: { kind: 'private key', algorithm: putty[1]!, encrypted: putty[2] !== 'none' } });
  // These endings are shared with other programs (slides, plain text, detached signatures).
  if (['key', 'asc', 'pub', 'spc'].includes(source.extension)) return { metadata: { key: { kind: 'unknown' } } };
  throw new ExtractError('corrupt', 'The file holds no certificate and no key.');
}

function withTitle(metadata: { certificate?: Record<string, unknown>; key?: object }): Extracted {
  const subject = metadata.certificate?.['subject'];
  const common = typeof subject === 'string' ? /(?:^|, )CN=([^,]+)/.exec(subject)?.[1] : undefined;
  return { metadata, ...(common ? { title: common } : {}) };
}
