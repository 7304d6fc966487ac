import { errorMessage, Problem } from '../../api/problem.ts';
import type { Item } from '../../api/types.ts';
import { t } from '../../language/text.ts';
import { extractionProblem } from './facts.ts';
import { RICH_LABELS, type RichKind, richKindOf } from './rich/rich-kind.ts';
import { isPlainText } from './use-text-matches.ts';

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

type Right = 'content' | 'download';

/** Previews of the file itself need the right to download, those of its extracted contents the right to read contents. All other previews need neither. */
const NEEDED_RIGHTS: Partial<Record<PreviewKind, Right>> = {
  video: 'download',
  audio: 'download',
  pages: 'content',
  turntable: 'content',
  members: 'content',
  workbook: 'download',
  mail: 'content',
  notebook: 'download',
  track: 'download',
  font: 'download',
};

const has = (item: Item, right: Right): boolean => (right === 'content' ? item.may_read_content : item.may_download);

/** In other categories, the thumbnail is a page, which the server shows only to those who may read the content. */
const PICTURE_CATEGORIES = new Set(['image', 'audio', 'video', 'three-d-cad', 'system']);
const hasPages = (item: Item): boolean => item.drawable && !PICTURE_CATEGORIES.has(item.file_category);

/** The right that the text or page of a file needs and the user lacks. Plain text is read from the file, or else from the catalog. */
function rightForText(item: Item): Right | null {
  const plain = isPlainText(item);
  if ((plain && item.may_download) || (item.has_text && item.may_read_content)) return null;
  if (plain) return 'download';
  return item.has_text || (hasPages(item) && !item.may_read_content) ? 'content' : null;
}

/** The right that a preview needs and the user lacks. */
function missingRight(item: Item, kind: PreviewKind): Right | null {
  if (isMadeOfText(kind)) return rightForText(item);
  const needed = NEEDED_RIGHTS[kind];
  return needed && !has(item, needed) ? needed : null;
}

/** The previews of a file of this type, best first, whatever the user may see of it. */
function kindsOf(item: Item): PreviewKind[] {
  const onDisk = item.status !== 'missing';
  const category = item.file_category;
  const kinds: PreviewKind[] = [];
  if (onDisk) {
    if (category === 'video' && item.file_group !== 'subtitle') kinds.push('video');
    if (category === 'audio') kinds.push('audio');
    if ((isPdf(item) || SLIDE_EXTENSIONS.has(extensionOf(item))) && pageCount(item) > 0) kinds.push('pages');
    if (MESH_EXTENSIONS.has(extensionOf(item))) kinds.push('turntable');
  }
  const rich = richKindOf(item);
  if (rich) kinds.push(rich);
  const { members, total } = archiveMembers(item);
  if (members.length > 0 || (total > 0 && !item.may_read_content)) kinds.push('members');
  if (item.has_thumb || category === 'image' || category === 'three-d-cad') kinds.push('picture');
  return kinds;
}

/** The preview of a file; null if there is none besides its text. */
export const previewKindOf = (item: Item): PreviewKind | null => kindsOf(item).find((kind) => missingRight(item, kind) === null) ?? null;

/** These are made of the text of the file. */
export const isMadeOfText = (kind: PreviewKind | null): boolean => kind === 'markdown' || kind === 'delimited';

export function isBrowserImage(item: Item): boolean {
  return item.file_category === 'image' && mayOpen(item) && BROWSER_IMAGE_EXTENSIONS.has(extensionOf(item));
}

/** Why a file could not be opened. No range starts inside an empty file. */
export const whyNotOpened = (error: unknown): string =>
  error instanceof Problem && error.status === 416 ? t('The file is empty.') : errorMessage(error);

/** Why nothing is shown, and whether that can change. */
export function noPreviewReason(item: Item): string {
  if (item.status === 'missing') return t('No preview because the file is missing from disk.');
  const best = kindsOf(item)[0];
  const lacking = best ? missingRight(item, best) : rightForText(item);
  if (lacking === 'content' || (!item.may_read_content && !item.may_download))
    return t('No preview because you do not have the right to read the contents of this file.');
  if (lacking === 'download') return t('No preview because you do not have the right to download this file.');
  if (item.unread) return t('This file has not been read yet. Its preview appears here as soon as it has been.');
  if (!item.drawable) return t('No preview for this file type.');
  return extractionProblem(item) ? t('No preview because the file could not be read.') : t('No preview could be made from this file.');
}
