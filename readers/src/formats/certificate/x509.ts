import { X509Certificate } from 'node:crypto';
import { ExtractError } from '../../contract.ts';
import { withoutEmpty } from '../text-head.ts';
import { algorithmName, derChildren, distinguishedName, readDer } from './der.ts';

/** Facts of a certificate: whom it names, who vouches, from when to when, by which algorithm. */
export function describeCertificate(der: Buffer): Record<string, unknown> {
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
    // A key of a kind this machine does not know is no reason to refuse the rest.
    return undefined;
  }
}

function signatureAlgorithm(der: Buffer): string | undefined {
  return algorithmName(derChildren(readDer(der).content, 3)[1]);
}

/** Facts of a certificate request (PKCS #10). */
export function describeRequest(der: Buffer): Record<string, unknown> {
  const [info, algorithm] = derChildren(readDer(der).content, 3);
  const [, subject, key] = info ? derChildren(info.content, 4) : [];
  if (!subject || !key) throw new ExtractError('corrupt', 'The certificate request is damaged.');
  return withoutEmpty({
    subject: distinguishedName(subject),
    algorithm: algorithmName(algorithm),
    key_type: algorithmName(derChildren(key.content, 2)[0]),
  });
}

/** Facts of a revocation list. */
export function describeRevocationList(der: Buffer): Record<string, unknown> {
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
