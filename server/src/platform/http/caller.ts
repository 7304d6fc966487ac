import { BlockList, isIP } from 'node:net';
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Actor, Principal } from '../principal.ts';
import { problem } from '../problem.ts';

/** The authenticated caller. Only `public` routes can be reached without one. */
export function callerOf({ principal }: { principal: Principal | null }): Principal {
  if (principal === null) throw problem('credentials_missing');
  return principal;
}

export function actorOf(request: FastifyRequest): Actor {
  return {
    principalId: request.principal?.kind === 'user' ? request.principal.id : null,
    ip: request.clientAddress,
    userAgent: request.headers['user-agent'],
  };
}

/**
 * The caller's address. X-Forwarded-For is believed only from a trusted proxy (by address, or by the shared secret it sends); then the
 * right-most address that is not itself a trusted proxy counts, because everything left of it is the caller's own claim.
 */
export interface ProxyTrust {
  trustedProxies: readonly string[];
  proxySharedSecret?: string | undefined;
  /** Legacy: believe the left-most value from anybody. */
  trustForwardedFor: boolean;
}

export function createAddressReader(trust: ProxyTrust): (peer: string, headers: IncomingHttpHeaders) => string {
  const trusted = parseBlockList(trust.trustedProxies);
  return (peer, headers) => {
    const direct = normalizeAddress(peer);
    const forwarded = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((part) => normalizeAddress(part.trim()))
      .filter((part) => isIP(part) !== 0);
    if (forwarded.length === 0) return direct;
    if (trust.trustForwardedFor) return forwarded[0]!;
    if (!isInBlockList(trusted, direct) && !hasProxySecret(headers, trust.proxySharedSecret)) return direct;
    return forwarded.findLast((address) => !isInBlockList(trusted, address)) ?? forwarded[0]!;
  };
}

export function parseBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

export function isInBlockList(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** IPv4 inside IPv6 is IPv4; ports and zones go. */
export function normalizeAddress(address: string): string {
  const bare = address
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return bare.toLowerCase().startsWith('::ffff:') && bare.includes('.') ? bare.slice(7) : bare;
}

function hasProxySecret(headers: IncomingHttpHeaders, secret: string | undefined): boolean {
  const given = headers['x-svc-proxy-trust'];
  if (!secret || typeof given !== 'string') return false;
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}
