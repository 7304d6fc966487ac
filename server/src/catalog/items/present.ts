import { findThumbnailer } from '@catalog/readers';
import type { Visibility } from '../../people/access/index.ts';
import { isoTime } from '../../platform/schemas.ts';
import { findShare, joinToPrefix, type ShareLocation, type ShareMapEntry, toSmb, toUnc } from '../libraries/index.ts';
import { withoutContent } from './content-facts.ts';
import type { ItemRow } from './store.ts';
import { maySeeThumb } from './thumb-right.ts';

/** An item as the API returns it. Title and year entered by people take precedence over extracted ones. */
export function presentItem(row: ItemRow, visibility: Visibility, shareMap: readonly ShareMapEntry[]) {
  const share = findShare(row, shareMap);
  const seesThumb = row.has_thumb && maySeeThumb(visibility, row);
  return {
    id: row.id,
    library_id: row.library_id,
    library_name: row.library_name,
    library_share_prefix: share.prefix,
    library_share_unc: share.unc,
    source_agent_id: row.source_agent_id,
    file_category: row.file_category,
    file_group: row.file_group,
    status: row.status,
    path: absolutePath(row),
    rel_path: row.rel_path,
    native_path: nativePath(row),
    ...shareAddresses(row, share),
    filename: row.filename,
    extension: row.extension,
    size: row.size,
    mtime: isoTime(row.mtime_ms),
    quick_hash: row.quick_hash,
    content_hash: row.content_hash,
    policy_version: row.policy_version,
    hash_error: row.hash_error,
    nlink: row.nlink,
    inode: safeInteger(row.inode),
    dev: row.dev,
    symlink_target: row.symlink_target,
    title: row.user_title ?? row.title,
    year: row.user_year ?? row.year,
    external_ids: { ...row.external_ids, ...row.user_external_ids },
    metadata: visibleMetadata(row.metadata, row, visibility),
    user_metadata: row.user_metadata,
    tags: row.tags,
    has_thumb: seesThumb,
    drawable: row.extension === null || findThumbnailer(row.extension) !== undefined,
    may_read_content: visibility.allows(row.library_id, row.rel_path, 'search_content'),
    may_download: visibility.allows(row.library_id, row.rel_path, 'download'),
    thumb_version: seesThumb ? row.thumb_version : null,
    has_text: row.has_text,
    unread: row.unread,
    first_seen: row.first_seen.toISOString(),
    last_seen: lastSeen(row),
    last_changed: row.last_changed.toISOString(),
    last_verified_at: row.last_verified_at?.toISOString() ?? null,
    deleted_at: row.deleted_at?.toISOString() ?? null,
    sidecar_of: row.sidecar_of,
  };
}

/** A rule for files of agents comes before the address of the library. */
function shareAddresses({ share_rule, rel_path }: ItemRow, { prefix, unc, source }: ShareLocation) {
  if (share_rule === null)
    return { share_url: shareUrl(prefix, rel_path), share_unc: unc === null ? null : joinToPrefix(unc, rel_path), share_source: source };
  const mappedUnc = share_rule.unc ?? toUnc(share_rule.prefix);
  return {
    share_url: shareUrl(share_rule.prefix, share_rule.rest),
    share_unc: mappedUnc === null ? null : joinToPrefix(mappedUnc, share_rule.rest),
    share_source: 'mapping' as const,
  };
}

/** A library whose prefix is a UNC path also gets a URL, for systems other than Windows. */
function shareUrl(prefix: string | null, relPath: string): string | null {
  if (prefix === null) return null;
  const address = joinToPrefix(prefix, relPath);
  return toSmb(address) ?? address;
}

export function presentListed(row: ItemRow, visibility: Visibility, shareMap: readonly ShareMapEntry[], withMetadata: boolean) {
  const { metadata, drawable: _, may_read_content: _read, may_download: _download, ...shown } = presentItem(row, visibility, shareMap);
  return withMetadata ? { ...shown, metadata } : shown;
}

export function absolutePath({ root_path, rel_path }: { root_path: string; rel_path: string }): string {
  return joinToPrefix(root_path, rel_path);
}

export function nativePath({ native_prefix, rel_path }: { native_prefix: string | null; rel_path: string }): string | null {
  return native_prefix === null ? null : joinToPrefix(native_prefix, rel_path);
}

/** Scans do not write unchanged items, so an active item was last seen by the newest full scan of its library. */
export function lastSeen(row: Pick<ItemRow, 'status' | 'last_full_scan_at' | 'last_changed'>): string {
  const scanned = row.status === 'active' ? row.last_full_scan_at : null;
  return (scanned && scanned > row.last_changed ? scanned : row.last_changed).toISOString();
}

/** Null for inodes above 2^53, which a JSON number cannot represent exactly. */
function safeInteger(text: string | null): number | null {
  const value = text === null ? Number.NaN : Number(text);
  return Number.isSafeInteger(value) ? value : null;
}

/** Metadata keys that hold a location: gps_* keys of images and videos, and raw tags of sidecars. */
const locationKey = /(?:^|_)gps|^_geo$/i;

/** Metadata without locations. All responses use this for libraries that do not expose GPS data. */
function withoutLocations<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutLocations) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !locationKey.test(key))
      .map(([key, part]) => [key, withoutLocations(part)]),
  ) as T;
}

/** Extracted metadata of an item as far as the caller may see it. */
export function visibleMetadata(
  metadata: Record<string, unknown>,
  { library_id, rel_path, expose_gps }: Pick<ItemRow, 'library_id' | 'rel_path' | 'expose_gps'>,
  visibility: Visibility,
): Record<string, unknown> {
  const shown = withoutContent(metadata, visibility.allows(library_id, rel_path, 'search_content'));
  return expose_gps ? shown : withoutLocations(shown);
}
