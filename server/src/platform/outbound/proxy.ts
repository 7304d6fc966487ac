import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';

type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/** The proxy for a URL from HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, in either case; null for a direct connection. */
export function proxyFor(url: URL, env: ProxyEnvironment): URL | null {
  const read = (name: string): string | undefined => env[name.toLowerCase()] || env[name] || undefined;
  const proxy = read(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? read('ALL_PROXY');
  const parsed = proxy ? URL.parse(proxy.includes('://') ? proxy : `http://${proxy}`) : null;
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) return null;
  return isExempt(url, read('NO_PROXY') ?? '') ? null : parsed;
}

function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return list
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => {
      if (entry === '') return false;
      if (entry === '*') return true;
      const [, name = '', port] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (port !== undefined && port !== (url.port || (url.protocol === 'https:' ? '443' : '80'))) return false;
      return host === name || host.endsWith(`.${name}`);
    });
}

/** Opens a tunnel through the proxy to a host or address. */
export function openTunnel(proxy: URL, target: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const credentials = proxy.username
      ? `Basic ${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString('base64')}`
      : null;
    const request = (proxy.protocol === 'https:' ? https : http).request({
      host: proxy.hostname,
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...(credentials ? { 'proxy-authorization': credentials } : {}) },
      agent: false,
      signal,
    });
    request.once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`The proxy answered ${statusCode}.`));
    });
    request.once('response', (response) => {
      response.destroy();
      reject(new Error(`The proxy answered ${response.statusCode}.`));
    });
    request.once('error', reject);
    request.end();
  });
}
