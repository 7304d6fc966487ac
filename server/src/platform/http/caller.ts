import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Actor, Principal } from '../principal.ts';
import { problem } from '../problem.ts';

/** The authenticated caller. It is null only on `public` routes. */
export function callerOf({ principal }: { principal: Principal | null }): Principal {
  if (principal === null) throw problem('credentials_missing');
  return principal;
}

export function actorOf(request: FastifyRequest): Actor {
  return {
    principalId: request.principal?.id ?? null,
    ip: request.clientAddress,
    userAgent: request.headers['user-agent'],
  };
}

/**
 * How to determine who calls. The X-Forwarded headers are used only when they come from a trusted proxy, identified by address or by the
 * shared secret. The right-most address that is not a trusted proxy is the client; anything left of it could be forged by the client.
 */
interface ProxyTrust {
  trustedProxies: readonly string[];
  proxySharedSecret?: string | undefined;
  /** Deprecated: trusts the left-most address from any peer. */
  trustForwardedFor: boolean;
}

interface Caller {
  /** The client's address after trusted proxies. */
  address: string;
  /** The host and port that the browser uses, as in the Host header. */
  host: string;
  /** A trusted proxy says that the browser uses HTTPS. What other callers say about it does not count. */
  forwardedHttps: boolean;
  /** The connection comes directly from a trusted proxy, which stands for many clients. */
  fromProxy: boolean;
}

export type CallerReader = (peer: string, headers: IncomingHttpHeaders) => Caller;

export function createCallerReader(trust: ProxyTrust): CallerReader {
  const trusted = parseBlockList(trust.trustedProxies);
  return (peer, headers) => {
    const direct = normalizeAddress(peer);
    const fromProxy = isInBlockList(trusted, direct) || hasProxySecret(headers, trust.proxySharedSecret);
    const forwardedHost = String(headers['x-forwarded-host'] ?? '')
      .split(',')[0]
      ?.trim();
    const forwardedHttps =
      fromProxy &&
      String(headers['x-forwarded-proto'] ?? '')
        .split(',')[0]
        ?.trim() === 'https';
    const host = (fromProxy && forwardedHost) || (headers.host ?? '');
    const forwarded = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((part) => normalizeAddress(part.trim()))
      .filter((part) => isIP(part) !== 0);
    const [leftMost] = forwarded;
    if (leftMost === undefined || (!fromProxy && !trust.trustForwardedFor)) return { address: direct, host, forwardedHttps, fromProxy };
    if (trust.trustForwardedFor) return { address: leftMost, host, forwardedHttps, fromProxy };
    return { address: forwarded.findLast((address) => !isInBlockList(trusted, address)) ?? leftMost, host, forwardedHttps, fromProxy };
  };
}

function parseBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function isInBlockList(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Removes ports, brackets and zones, and turns IPv4-mapped IPv6 addresses into IPv4. */
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
