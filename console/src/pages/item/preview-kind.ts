import { errorMessage, Problem } from '../../api/problem.ts';
import type { Item } from '../../api/types.ts';
import { t } from '../../language/text.ts';
import { extractionProblem } from './facts.ts';
import { RICH_LABELS, type RichKind, richKindOf } from './rich/rich-kind.ts';

/** How a file is previewed, other than as text. */
export type PreviewKind = 'video' | 'audio' | 'pages' | 'turntable' | 'members' | 'picture' | RichKind;

export const PREVIEW_LABELS: Record<PreviewKind, string> = {
  video: t('Video'),
  audio: t('Audio'),
  pages: t('Pages'),
  turntable: t('Model'),
  members: t('Contents'),
  picture: t('Image'),
  ...RICH_LABELS,
};

/** The server knows where the words of a page stand. */
const PDF_EXTENSIONS = new Set(['pdf', 'pdfa']);
const SLIDE_EXTENSIONS = new Set(['pptx', 'pptm', 'potx', 'ppsx', 'odp', 'otp']);
const MESH_EXTENSIONS = new Set(['stl', 'obj', 'ply', 'gltf', 'glb', '3mf', 'off']);
/** Images that every browser can show. Zooming in loads the original file. */
const BROWSER_IMAGE_EXTENSIONS = new Set(['jpg', 'jpeg', 'png', 'webp', 'gif', 'avif', 'bmp', 'svg']);

const extensionOf = (item: Item): string => (item.extension ?? '').toLowerCase();

export interface ArchiveMember {
  name: string;
  size: number | null;
}

/** The entries of an archive. `total` may be larger, because the catalog stores only the first ones. */
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

export const isPdf = (item: Item): boolean => PDF_EXTENSIONS.has(extensionOf(item));

/** Whether the file itself can be opened and downloaded. */
export const mayOpen = (item: Item): boolean => item.may_download && item.status !== 'missing';

/** The preview of a file; null if there is none besides its text. */
export function previewKindOf(item: Item): PreviewKind | null {
  const onDisk = item.status !== 'missing';
  const drawn = onDisk && item.may_read_content;
  const category = item.file_category;
  if (category === 'video' && mayOpen(item) && item.file_group !== 'subtitle') return 'video';
  if (category === 'audio' && mayOpen(item)) return 'audio';
  if ((isPdf(item) || SLIDE_EXTENSIONS.has(extensionOf(item))) && pageCount(item) > 0 && drawn) return 'pages';
  if (MESH_EXTENSIONS.has(extensionOf(item)) && drawn) return 'turntable';
  const rich = item.may_read_content || item.may_download ? richKindOf(item) : null;
  if (rich) return rich;
  if (archiveMembers(item).members.length > 0) return 'members';
  if (item.has_thumb || category === 'image' || category === 'three-d-cad') return 'picture';
  return null;
}

export function isBrowserImage(item: Item): boolean {
  return item.file_category === 'image' && mayOpen(item) && BROWSER_IMAGE_EXTENSIONS.has(extensionOf(item));
}

/** Why a file could not be opened. No range starts inside an empty file. */
export const whyNotOpened = (error: unknown): string =>
  error instanceof Problem && error.status === 416 ? t('The file is empty.') : errorMessage(error);

/** Why nothing is shown, and whether that can change. */
export function noPreviewReason(item: Item): string {
  if (item.status === 'missing') return t('No preview because the file is missing from disk.');
  if (!item.may_read_content && !item.may_download)
    return t('No preview because you do not have the right to read the contents of this file.');
  if (item.unread) return t('This file has not been read yet. Its preview appears here as soon as it has been.');
  if (!item.drawable) return t('No preview for this file type.');
  return extractionProblem(item) ? t('No preview because the file could not be read.') : t('No preview could be made from this file.');
}
