import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
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

/** Reads the share map, again whenever the file changes. A missing or invalid file is an empty map. */
export function createShareMap(file: string): () => ShareMapEntry[] {
  let seen = '';
  let entries: ShareMapEntry[] = [];
  return () => {
    try {
      const { mtimeMs, size } = statSync(file);
      if (seen === `${mtimeMs} ${size}`) return entries;
      entries = parseEntries(readFileSync(file, 'utf8'));
      seen = `${mtimeMs} ${size}`;
    } catch {
      // The share map is optional.
      entries = [];
      seen = '';
    }
    return entries;
  };
}

function parseEntries(text: string): ShareMapEntry[] {
  const value: unknown = JSON.parse(text);
  const list = Array.isArray(value) ? value : ((value as { entries?: unknown })?.entries ?? []);
  const string = (part: unknown): string | null => (typeof part === 'string' && part !== '' ? part : null);
  return (Array.isArray(list) ? list : []).flatMap((entry: Record<string, unknown>) => {
    const container_prefix = string(entry?.['container_prefix']);
    const share_url = string(entry?.['share_url']);
    if (!container_prefix || !share_url || !path.isAbsolute(container_prefix)) return [];
    return [
      {
        container_prefix: path.resolve(container_prefix),
        share_url,
        storage_type: string(entry['storage_type']),
        host: string(entry['host']),
        unc: string(entry['unc']),
      },
    ];
  });
}

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

/** smb://host/share/folder as a UNC path. */
function toUnc(address: string): string | null {
  if (address.startsWith('\\\\')) return address;
  const parts = /^(?:smb|cifs):\/\/(?:[^@/]*@)?([^/]+)\/(.+)$/i.exec(address);
  return parts
    ? `\\\\${parts[1]}\\${safeDecode(parts[2] ?? '')
        .replace(/\/+$/, '')
        .replaceAll('/', '\\')}`
    : null;
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
