import { connect as connectTcp, isIP } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { Client, InvalidCredentialsError, ResultCodeError } from 'ldapts';
import type { Outbound } from '../outbound/index.ts';

/** One directory server and how to reach it. */
export interface DirectoryServer {
  /** ldap:// or ldaps://, host and port. */
  url: string;
  startTls: boolean;
  allowPlaintext: boolean;
  /** Certificate authorities in PEM format; those of the system when null. */
  ca: string | null;
  timeoutMs: number;
}

/** No server answered, or the answer says nothing about the password. Never count it as a wrong password. */
export class DirectoryUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DirectoryUnavailable';
  }
}

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** Opens a connection, encrypted unless the server is on this machine or plain text is allowed. The caller closes it with `unbind`. */
export async function connectDirectory(server: DirectoryServer, outbound: Outbound): Promise<Client> {
  const url = URL.parse(server.url);
  if (!url || !['ldap:', 'ldaps:'].includes(url.protocol) || url.hostname === '')
    throw new DirectoryUnavailable('The address of the directory must start with ldap:// or ldaps:// and name a host.');
  const secure = url.protocol === 'ldaps:';
  if (!secure && !server.startTls && !server.allowPlaintext && !loopback.test(url.hostname))
    throw new DirectoryUnavailable('Passwords are not sent unencrypted. Use ldaps:// or turn on StartTLS.');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (secure ? 636 : 389);
  const [address = host] = await outbound.vet('identity_provider', host, { requested: true });
  // The name in the certificate is compared with the configured host, not with the address it was resolved to.
  const tlsOptions: ConnectionOptions = { ...(server.ca ? { ca: server.ca } : {}), host, ...(isIP(host) ? {} : { servername: host }) };
  // The library reconnects on its own, without TLS and without the bind. A lost connection must be an error instead.
  let opened = false;
  const once = <T>(open: () => T): T => {
    if (opened) throw new DirectoryUnavailable('The connection to the directory was lost.');
    opened = true;
    return open();
  };
  const client = new Client({
    url: server.url,
    timeout: server.timeoutMs,
    connectTimeout: server.timeoutMs,
    strictDN: false,
    // With TLS options the library speaks TLS from the start.
    ...(secure ? { tlsOptions } : {}),
    createConnection: (() => once(() => connectTcp(port, address))) as unknown as typeof connectTcp,
    createSecureConnection: ((...args: unknown[]): TLSSocket => {
      const upgrade = args.find((each): each is ConnectionOptions => typeof each === 'object' && each !== null && 'socket' in each);
      if (upgrade) return connectTls({ ...tlsOptions, socket: upgrade.socket });
      return once(() => connectTls({ ...tlsOptions, port, host: address }));
    }) as unknown as typeof connectTls,
  });
  try {
    if (!secure && server.startTls) await client.startTLS(tlsOptions);
    return client;
  } catch (error) {
    await closeQuietly(client);
    throw unavailable(error, host);
  }
}

export async function closeQuietly(client: Client): Promise<void> {
  // The connection is given up in any case.
  await client.unbind().catch(() => {});
}

/** Codes in which the server answers about the credentials, as opposed to its own state. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof InvalidCredentialsError || (error instanceof ResultCodeError && [0x20, 0x22, 0x30, 0x31, 0x35].includes(error.code))
  );
}

/** What Active Directory says about refused credentials, for administrators. */
const windowsReasons: Record<string, string> = {
  '525': 'the account does not exist',
  '52e': 'the password is wrong',
  '530': 'sign-in is not allowed at this time',
  '531': 'sign-in is not allowed from this machine',
  '532': 'the password has expired',
  '533': 'the account is disabled',
  '701': 'the account has expired',
  '773': 'the password must be changed',
  '775': 'the account is locked',
};

export function refusalReason(error: unknown): string {
  const code = /data ([0-9a-f]{3,4})/i.exec(error instanceof Error ? error.message : '')?.[1]?.toLowerCase() ?? '';
  return windowsReasons[code] ?? 'the password is wrong';
}

/** An error of a connection or of the server's state as `DirectoryUnavailable`; any other error unchanged. */
export function unavailable(error: unknown, host: string): Error {
  if (error instanceof DirectoryUnavailable) return error;
  const text = error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code || error.name : String(error);
  return new DirectoryUnavailable(`${host}: ${text.slice(0, 300)}`, { cause: error });
}
