import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Log } from '../../platform/log/index.ts';
import { isInside } from './root.ts';

/** An entry of the deployment's share map: a local folder and its network address. */
export interface ShareMapEntry {
  container_prefix: string;
  share_url: string;
  storage_type: string | null;
  host: string | null;
  unc: string | null;
}

export interface ShareLocation {
  prefix: string | null;
  source: 'manual' | 'mount-map' | 'none';
  unc: string | null;
}

/**
 * Reads the share map, again whenever the file changes. A missing or invalid file is an empty map, and a bad entry is left out; both are
 * logged once per version of the file, because an operator edits it by hand.
 */
export function createShareMap(file: string, log?: Pick<Log, 'warning'>): () => ShareMapEntry[] {
  let seen = '';
  let entries: ShareMapEntry[] = [];
  return () => {
    try {
      const { mtimeMs, size } = statSync(file);
      if (seen === `${mtimeMs} ${size}`) return entries;
      seen = `${mtimeMs} ${size}`;
      const read = parseEntries(readFileSync(file, 'utf8'));
      entries = read.entries;
      for (const sentence of read.skipped) log?.warning(`${file}: ${sentence}`);
    } catch (error) {
      entries = [];
      // The share map is optional.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') seen = '';
      else log?.warning(`The share map ${file} is ignored: ${(error as Error).message}`);
    }
    return entries;
  };
}

/** Accepts a list of entries, or an object with a list `entries`. Unknown members are ignored. */
function parseEntries(text: string): { entries: ShareMapEntry[]; skipped: string[] } {
  const value: unknown = JSON.parse(text);
  const list: unknown = Array.isArray(value) ? value : (value as { entries?: unknown } | null)?.entries;
  const skipped: string[] = [];
  const entries = (Array.isArray(list) ? list : []).flatMap((entry: unknown, at) => {
    const read = readEntry((entry ?? {}) as Record<string, unknown>);
    if (typeof read !== 'string') return [read];
    skipped.push(`entry ${at + 1} is left out. ${read}`);
    return [];
  });
  return { entries, skipped };
}

const schemes = /^(smb|cifs|sftp|ftp|nfs|afp|webdavs?|davs?|https?|file):\/\/[^/]/i;

/** The entry without credentials, or a sentence that says what is wrong with it. */
export function readEntry(entry: Record<string, unknown>): ShareMapEntry | string {
  const string = (part: unknown): string | null => (typeof part === 'string' && part.trim() !== '' ? part.trim() : null);
  const container_prefix = string(entry['container_prefix']);
  const share_url = string(entry['share_url']);
  const unc = string(entry['unc']);
  if (!container_prefix || !path.isAbsolute(container_prefix)) return 'The folder must be an absolute path.';
  if (!share_url || !(schemes.test(share_url) || share_url.startsWith('\\\\') || path.isAbsolute(share_url)))
    return 'The address must be a URL such as smb://nas/photos, a UNC path, or an absolute path.';
  if (unc !== null && !unc.startsWith('\\\\')) return 'A UNC path begins with two backslashes.';
  return {
    container_prefix: path.resolve(container_prefix),
    share_url: withoutCredentials(share_url),
    storage_type: string(entry['storage_type']),
    host: string(entry['host']),
    unc,
  };
}

const withoutCredentials = (address: string): string => address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');

/** The network address of a library's root: the configured prefix, or else the deepest entry of the share map above it. */
export function findShare(library: { root_path: string; share_prefix: string | null }, map: readonly ShareMapEntry[]): ShareLocation {
  if (library.share_prefix) return { prefix: library.share_prefix, source: 'manual', unc: toUnc(library.share_prefix) };
  const entry = map
    .filter(({ container_prefix }) => isInside(library.root_path, container_prefix))
    .sort((a, b) => b.container_prefix.length - a.container_prefix.length)[0];
  if (!entry) return { prefix: null, source: 'none', unc: null };
  const rest = path.relative(entry.container_prefix, library.root_path);
  const prefix = joinToPrefix(entry.share_url, rest);
  return { prefix, source: 'mount-map', unc: entry.unc ? joinToPrefix(entry.unc, rest) : toUnc(prefix) };
}

/** smb://host/share/folder as a UNC path. UNC has no ports and no colons, so a port gives null and an IPv6 address its Windows name. */
export function toUnc(address: string): string | null {
  if (address.startsWith('\\\\')) return address;
  const [, host = '', port, rest = ''] = /^(?:smb|cifs):\/\/(?:[^@/]*@)?(\[[0-9a-f:.]+\]|[^/:]+)(:\d+)?\/(.+)$/i.exec(address) ?? [];
  if (host === '' || port !== undefined) return null;
  const name = host.startsWith('[') ? `${host.slice(1, -1).replaceAll(':', '-')}.ipv6-literal.net` : host;
  return `\\\\${name}\\${safeDecode(rest).replace(/\/+$/, '').replaceAll('/', '\\')}`;
}

/** A UNC path as smb://host/share/folder, which other systems open. Null for anything else. */
export function toSmb(address: string): string | null {
  const [, host, rest = ''] = /^\\\\([^\\]+)\\(.+)$/.exec(address) ?? [];
  if (host === undefined) return null;
  const literal = /^([0-9a-f-]+)\.ipv6-literal\.net$/i.exec(host)?.[1];
  const parts = rest.split('\\').filter(Boolean).map(encodeURIComponent);
  return `smb://${literal ? `[${literal.replaceAll('-', ':')}]` : host}/${parts.join('/')}`;
}

/** Joins a path to a prefix in the style of the prefix: Windows path, URL with percent-encoding, or plain path. */
export function joinToPrefix(prefix: string, relPath: string): string {
  const bare = prefix.replace(/[\\/]+$/, '');
  if (relPath === '') return bare === '' ? prefix : bare;
  if (/^(?:[A-Za-z]:|\\\\)/.test(prefix)) return `${bare}\\${relPath.replaceAll('/', '\\')}`;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(prefix))
    return `${bare}/${relPath
      .split('/')
      .map((part) => encodeURIComponent(part.toWellFormed()))
      .join('/')}`;
  return `${bare}/${relPath}`;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
