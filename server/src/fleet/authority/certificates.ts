import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { bits, boolean, implicit, integer, octets, oid, sequence, set, tagged, time, utf8 } from './der.ts';

/** The root of the built-in authority, as stored in the config folder. */
export interface AuthorityRoot {
  keyPem: string;
  certificatePem: string;
}

export interface IssuedCertificate {
  pem: string;
  /** Lower-case hex SHA-256 of the certificate. */
  fingerprint: string;
  notAfter: Date;
}

const ids = {
  ecdsaSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  subjectAltName: '2.5.29.17',
  subjectKey: '2.5.29.14',
  authorityKey: '2.5.29.35',
} as const;
const rootName = 'Catalog agent authority';
const rootYears = 20;
/** Clocks of agents may be a little behind. */
const backdateMs = 5 * 60_000;

const nameOf = (commonName: string): Buffer => sequence(set(sequence(oid(ids.commonName), utf8(commonName))));
const keyIdOf = (spki: Buffer): Buffer => createHash('sha1').update(spki).digest();
const extension = (id: string, critical: boolean, value: Buffer): Buffer =>
  sequence(oid(id), ...(critical ? [boolean(true)] : []), octets(value));

function certificate(options: {
  issuer: string;
  subject: string;
  spki: Buffer;
  signingKey: KeyObject;
  notBefore: Date;
  notAfter: Date;
  extensions: readonly Buffer[];
}): string {
  const { issuer, subject, spki, signingKey, notBefore, notAfter, extensions } = options;
  const algorithm = sequence(oid(ids.ecdsaSha256));
  const body = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    nameOf(issuer),
    sequence(time(notBefore), time(notAfter)),
    nameOf(subject),
    spki,
    tagged(3, sequence(...extensions)),
  );
  const signed = sequence(body, algorithm, bits(sign('sha256', body, signingKey)));
  const lines = signed.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

export function createRoot(now: Date): AuthorityRoot {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const certificatePem = certificate({
    issuer: rootName,
    subject: rootName,
    spki,
    signingKey: privateKey,
    notBefore: new Date(now.getTime() - backdateMs),
    notAfter: new Date(now.getTime() + rootYears * 365 * 86_400_000),
    extensions: [
      extension(ids.basicConstraints, true, sequence(boolean(true), integer(Buffer.from([0])))),
      // keyCertSign and cRLSign.
      extension(ids.keyUsage, true, bits(Buffer.from([0x06]), 1)),
      extension(ids.subjectKey, false, octets(keyIdOf(spki))),
    ],
  });
  return { keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), certificatePem };
}

/** A client certificate whose name and only DNS name is the id of the agent. */
export function issueCertificate(root: AuthorityRoot, agentId: string, publicKey: KeyObject, now: Date, hours: number): IssuedCertificate {
  const { pem, notAfter } = issueFor(ids.clientAuth, root, agentId, publicKey, now, hours);
  return { pem, fingerprint: fingerprintOf(pem), notAfter };
}

/** A server certificate, which no certificate of an agent can stand in for. */
export function issueServerCertificate(root: AuthorityRoot, name: string, publicKey: KeyObject, now: Date, hours: number): string {
  return issueFor(ids.serverAuth, root, name, publicKey, now, hours).pem;
}

function issueFor(
  usage: string,
  root: AuthorityRoot,
  name: string,
  publicKey: KeyObject,
  now: Date,
  hours: number,
): { pem: string; notAfter: Date } {
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const rootSpki = createPublicKey(root.keyPem).export({ type: 'spki', format: 'der' });
  const notAfter = new Date(now.getTime() + hours * 3_600_000);
  notAfter.setUTCMilliseconds(0);
  const pem = certificate({
    issuer: rootName,
    subject: name,
    spki,
    signingKey: createPrivateKey(root.keyPem),
    notBefore: new Date(now.getTime() - backdateMs),
    notAfter,
    extensions: [
      extension(ids.basicConstraints, true, sequence()),
      // digitalSignature.
      extension(ids.keyUsage, true, bits(Buffer.from([0x80]), 7)),
      extension(ids.extendedKeyUsage, false, sequence(oid(usage))),
      extension(ids.subjectAltName, false, sequence(implicit(2, Buffer.from(name)))),
      extension(ids.subjectKey, false, octets(keyIdOf(spki))),
      extension(ids.authorityKey, false, sequence(implicit(0, keyIdOf(rootSpki)))),
    ],
  });
  return { pem, notAfter };
}

export function fingerprintOf(pem: string): string {
  return new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();
}

/** The key of a PEM text; null unless it is a P-256 public key. */
export function readPublicKey(pem: string): KeyObject | null {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null;
  } catch {
    return null;
  }
}
