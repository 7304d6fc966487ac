import type { Item } from '../../api/types.ts';

interface SourceLink {
  /** The path as users of the source system write it. */
  path: string;
  href: string;
}

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** The URL of a UNC path, a Windows path, a Unix path, or a URL; null for anything else. */
export function pathToUrl(path: string): string | null {
  if (/^(smb|cifs|nfs|afp|ftp|sftp|https?|file|davs?):\/\//i.test(path)) return path;
  if (/^\\\\[^\\]/.test(path)) return `file://${encoded(path.slice(2).replaceAll('\\', '/'))}`;
  if (/^[a-z]:[\\/]/i.test(path)) return `file:///${path[0]}:${encoded(path.slice(2).replaceAll('\\', '/'))}`;
  if (path.startsWith('/')) return `file://${encoded(path)}`;
  return null;
}

/** A link to the file outside the catalog: its native path, else its share. */
export function sourceLink(item: Pick<Item, 'share_url' | 'native_path'>): SourceLink | null {
  for (const path of [item.native_path, item.share_url]) {
    const href = path ? pathToUrl(path) : null;
    if (path && href) return { path, href };
  }
  return null;
}

const ORIGINS = [
  ['origin_url', 'Downloaded from'],
  ['referrer_url', 'Download page'],
] as const;

/** The addresses a file was downloaded from. Only web addresses become links. */
export function originLinks(item: Pick<Item, 'metadata'>): { label: string; href: string; words: string }[] {
  return ORIGINS.flatMap(([key, label]) => {
    const value = item.metadata[key];
    if (typeof value !== 'string' || !/^(https?|ftps?):\/\//i.test(value)) return [];
    return [{ label, href: value, words: value.replace(/^\w+:\/\/(www\.)?/, '').replace(/\/$/, '') }];
  });
}
