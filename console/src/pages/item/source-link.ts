import type { Item } from '../../api/types.ts';
import { t } from '../../language/text.ts';

interface SourceLink {
  label: string;
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

/** The best link to the file outside the catalog: its native path, else its share. */
export function sourceLink(item: Pick<Item, 'share_url' | 'native_path'>): SourceLink | null {
  return sourceLinks({ ...item, share_unc: null })[0] ?? null;
}

/** Every way to reach the file outside the catalog: its native path, its network address, its Windows path, and a file address. */
export function sourceLinks(item: Pick<Item, 'share_url' | 'share_unc' | 'native_path'>): SourceLink[] {
  const { native_path, share_url, share_unc } = item;
  const local = native_path ?? share_unc;
  const fileAddress = local === null ? null : pathToUrl(local);
  const found: [label: string, path: string | null][] = [
    [t('Original location'), native_path],
    [t('Network address'), share_url],
    [t('Windows path'), share_unc],
    [t('File address'), fileAddress?.startsWith('file:') ? fileAddress : null],
  ];
  const links: SourceLink[] = [];
  for (const [label, path] of found) {
    const href = path ? pathToUrl(path) : null;
    if (path && href && !links.some((link) => link.path === path)) links.push({ label, path, href });
  }
  return links;
}

const ORIGINS = [
  ['origin_url', t('Downloaded from')],
  ['referrer_url', t('Download page')],
] as const;

/** The addresses a file was downloaded from. Only web addresses become links. */
export function originLinks(item: Pick<Item, 'metadata'>): { label: string; href: string; words: string }[] {
  return ORIGINS.flatMap(([key, label]) => {
    const value = item.metadata[key];
    if (typeof value !== 'string' || !/^(https?|ftps?):\/\//i.test(value)) return [];
    return [{ label, href: value, words: value.replace(/^\w+:\/\/(www\.)?/, '').replace(/\/$/, '') }];
  });
}
