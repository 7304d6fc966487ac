import { createHash, X509Certificate } from 'node:crypto';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type DetailedPeerCertificate } from 'node:tls';
import type { Outbound } from '../outbound/index.ts';
import { DirectoryUnavailable, unavailable } from './connection.ts';

export interface FetchedCertificate {
  subject: string;
  issuer: string;
  sha256: string;
  not_after: string;
  is_ca: boolean;
  is_self_signed: boolean;
  pem: string;
}

/** The LDAP message that asks for StartTLS (RFC 4511, extended request 1.3.6.1.4.1.1466.20037). */
const startTlsRequest = Buffer.concat([
  Buffer.from([0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16]),
  Buffer.from('1.3.6.1.4.1.1466.20037'),
]);

/**
 * The certificates that a server presents, without judging them, so that an administrator can look at them. Nothing else is sent on the
 * connection.
 */
export async function fetchCertificates(
  serverUrl: string,
  startTls: boolean,
  outbound: Outbound,
): Promise<{ host: string; port: number; chain: FetchedCertificate[] }> {
  const url = URL.parse(serverUrl);
  if (!url || !['ldap:', 'ldaps:'].includes(url.protocol) || url.hostname === '')
    throw new DirectoryUnavailable('Enter an address that starts with ldap:// or ldaps://.');
  const secure = url.protocol === 'ldaps:';
  if (!secure && !startTls) throw new DirectoryUnavailable('Without StartTLS an ldap:// server presents no certificate.');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (secure ? 636 : 389);
  const [address = host] = await outbound.vet('identity_provider', host, { requested: true });
  const socket = connectTcp(port, address);
  socket.setTimeout(10_000, () => socket.destroy(new Error('The server did not answer within 10 seconds.')));
  try {
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    if (!secure) await askForTls(socket);
    return { host, port, chain: await handshake(socket, host) };
  } catch (error) {
    throw unavailable(error, host);
  } finally {
    socket.destroy();
  }
}

async function askForTls(socket: Socket): Promise<void> {
  const answer = new Promise<Buffer>((resolve, reject) =>
    socket
      .once('data', resolve)
      .once('error', reject)
      .once('close', () => reject(new Error('The server closed the connection.'))),
  );
  socket.write(startTlsRequest);
  // The result code is the first enumerated value of the extended response; 0 is success.
  const bytes = await answer;
  const at = bytes.indexOf(Buffer.from([0x0a, 0x01]));
  if (at < 0 || bytes[at + 2] !== 0) throw new DirectoryUnavailable('The server does not offer StartTLS.');
}

async function handshake(socket: Socket, host: string): Promise<FetchedCertificate[]> {
  const secure = connectTls({ socket, rejectUnauthorized: false, ...(isIP(host) ? {} : { servername: host }) });
  await new Promise<void>((resolve, reject) => secure.once('secureConnect', resolve).once('error', reject));
  const chain: FetchedCertificate[] = [];
  const seen = new Set<string>();
  for (
    let each: DetailedPeerCertificate | undefined = secure.getPeerCertificate(true);
    each?.raw && chain.length < 10;
    each = each.issuerCertificate
  ) {
    const digest = createHash('sha256').update(each.raw).digest('hex');
    if (seen.has(digest)) break;
    seen.add(digest);
    chain.push(describe(new X509Certificate(each.raw), digest));
  }
  secure.destroy();
  return chain;
}

function describe(certificate: X509Certificate, sha256: string): FetchedCertificate {
  const oneLine = (name: string): string => name.split('\n').join(', ');
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    sha256,
    not_after: new Date(certificate.validTo).toISOString(),
    is_ca: certificate.ca,
    is_self_signed: certificate.subject === certificate.issuer,
    pem: certificate.toString(),
  };
}

/** The number of certificates in a PEM text; 0 when one of them cannot be read. */
export function countCertificates(pem: string): number {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.map((block) => new X509Certificate(block)).length;
  } catch {
    // One unreadable certificate makes the whole text unusable.
    return 0;
  }
}
