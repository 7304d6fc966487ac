import type { Item } from '../../api/types.ts';

export interface SourceLink {
  /** As people write it where the file lies. */
  path: string;
  href: string;
}

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** An address a browser can follow from a path as its system writes it: UNC, drive letter, plain, or an address already. */
export function pathToUrl(path: string): string | null {
  if (/^(smb|cifs|nfs|afp|ftp|sftp|https?|file|davs?):\/\//i.test(path)) return path;
  if (/^\\\\[^\\]/.test(path)) return `file://${encoded(path.slice(2).replaceAll('\\', '/'))}`;
  if (/^[a-z]:[\\/]/i.test(path)) return `file:///${path[0]}:${encoded(path.slice(2).replaceAll('\\', '/'))}`;
  if (path.startsWith('/')) return `file://${encoded(path)}`;
  return null;
}

/** Where the file is reached by people: the share when one is known, else the library's own prefix. */
export function sourceLink(item: Pick<Item, 'share_url' | 'native_path'>): SourceLink | null {
  for (const path of [item.native_path, item.share_url]) {
    const href = path ? pathToUrl(path) : null;
    if (path && href) return { path, href };
  }
  return null;
}

const NAMED = [
  ['origin_url', 'Came from'],
  ['referrer_url', 'Found on'],
] as const;

/** Where a downloaded file came from. Only web addresses become links. */
export function originLinks(item: Pick<Item, 'metadata'>): { label: string; href: string; words: string }[] {
  return NAMED.flatMap(([key, label]) => {
    const value = item.metadata[key];
    if (typeof value !== 'string' || !/^(https?|ftps?):\/\//i.test(value)) return [];
    return [{ label, href: value, words: value.replace(/^\w+:\/\/(www\.)?/, '').replace(/\/$/, '') }];
  });
}
