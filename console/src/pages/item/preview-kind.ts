import type { Item } from '../../api/types.ts';

/** The ways to look at a file, besides textMatches its text. */
export type PreviewKind = 'video' | 'audio' | 'pages' | 'turntable' | 'members' | 'picture';

export const PREVIEW_LABELS: Record<PreviewKind, string> = {
  video: 'Video',
  audio: 'Sound',
  pages: 'Pages',
  turntable: 'Model',
  members: 'Members',
  picture: 'Picture',
};

const PAGED = new Set(['pdf', 'pdfa']);
const MESHES = new Set(['stl', 'obj', 'ply', 'gltf', 'glb', '3mf', 'off']);
/** Pictures every browser draws itself; closer in they are shown in full. */
const DRAWABLE = new Set(['jpg', 'jpeg', 'png', 'webp', 'gif', 'avif', 'bmp', 'svg']);

const extensionOf = (item: Item): string => (item.extension ?? '').toLowerCase();

export interface ArchiveMember {
  name: string;
  size: number | null;
}

/** What an archive holds, as far as the catalog keeps it. */
export function archiveMembers(item: Pick<Item, 'metadata'>): { members: ArchiveMember[]; total: number } {
  const archive = item.metadata['archive'] as { members?: unknown; member_count?: unknown } | undefined;
  const list = Array.isArray(archive?.members) ? archive.members : [];
  const members = list.flatMap((one: unknown): ArchiveMember[] => {
    if (typeof one === 'string') return [{ name: one, size: null }];
    const { name, size } = (one ?? {}) as { name?: unknown; size?: unknown };
    return typeof name === 'string' ? [{ name, size: typeof size === 'number' ? size : null }] : [];
  });
  return { members, total: Math.max(members.length, typeof archive?.member_count === 'number' ? archive.member_count : 0) };
}

export function pageCount(item: Item): number {
  const pages = item.metadata['pages'];
  return typeof pages === 'number' && pages > 0 ? Math.floor(pages) : 0;
}

/** How a file is looked at; null when there is nothing to see but perhaps text to read. */
export function previewKindOf(item: Item): PreviewKind | null {
  const here = item.status !== 'missing';
  const kind = item.file_category;
  if (kind === 'video' && here) return 'video';
  if (kind === 'audio' && here) return 'audio';
  if (PAGED.has(extensionOf(item)) && pageCount(item) > 0 && here) return 'pages';
  if (MESHES.has(extensionOf(item)) && here) return 'turntable';
  if (archiveMembers(item).members.length > 0) return 'members';
  if (item.has_thumb || kind === 'image' || kind === 'three-d-cad') return 'picture';
  return null;
}

export function isBrowserImage(item: Item): boolean {
  return item.file_category === 'image' && item.status !== 'missing' && DRAWABLE.has(extensionOf(item));
}
