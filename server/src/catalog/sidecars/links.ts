/** Names of artwork for a whole folder. */
const folderArt =
  /^(?:poster|folder|cover|fanart|banner|clearart|clearlogo|landscape|thumb|logo|disc|season-all-[a-z]+|season.*-?(?:poster|banner))$/;
/** Names of artwork for the file with the same stem. */
const stemArt = /^(.+)-(?:thumb|poster|fanart|banner|landscape|clearart|clearlogo|disc|logo)$/;
const artExtensions = new Set(['jpg', 'jpeg', 'png', 'webp', 'tbn']);
const playerSuffix = /^(.+)_jrsidecar$/;
const candidate = /\.(?:nfo|xmp|thm|aae|xml|jpe?g|png|webp|tbn)$/i;

export type SidecarKind = 'nfo' | 'xmp' | 'thm' | 'edit' | 'player' | 'stem-art' | 'folder-art';

export interface SidecarName {
  kind: SidecarKind;
  /** Stem of the described file in lower case; null when it describes the folder. */
  stem: string | null;
}

/** The kind of sidecar that a file name indicates; null for other files. */
export function parseSidecarName(filename: string): SidecarName | null {
  // Called for every file of every scan, so most names are decided by their extension alone.
  if (!candidate.test(filename)) return null;
  const lower = filename.toLowerCase();
  const dot = lower.lastIndexOf('.');
  if (dot <= 0) return null;
  const stem = lower.slice(0, dot);
  const extension = lower.slice(dot + 1);
  if (extension === 'nfo') return { kind: 'nfo', stem };
  if (extension === 'xmp') return { kind: 'xmp', stem };
  if (extension === 'thm') return { kind: 'thm', stem };
  // Phones keep the edits of a photo beside it.
  if (extension === 'aae') return { kind: 'edit', stem };
  if (extension === 'xml') {
    const player = playerSuffix.exec(stem);
    return player?.[1] ? { kind: 'player', stem: player[1] } : null;
  }
  if (!artExtensions.has(extension)) return null;
  if (folderArt.test(stem)) return { kind: 'folder-art', stem: null };
  const art = stemArt.exec(stem);
  return art?.[1] ? { kind: 'stem-art', stem: art[1] } : null;
}

/** Phones store the moving part of a live photo beside it, under the same name. Longer videos are larger. */
const livePhotoExtensions = /\.(?:heic|heif|jpe?g)$/i;
const liveVideoExtension = /\.mov$/i;
const liveVideoMaxBytes = 25 * 1024 * 1024;

/** Whether a file of this name can be linked to another one of its folder. */
export function mayBeLinked(filename: string): boolean {
  return liveVideoExtension.test(filename) || parseSidecarName(filename) !== null;
}

/** Categories whose files a sidecar can describe. */
const primaryCategories: ReadonlySet<string> = new Set(['video', 'audio', 'image', 'document', 'three-d-cad']);

export interface FolderItem {
  id: string;
  filename: string;
  category: string;
  group: string;
  size: number;
  isLink: boolean;
}

/** Maps each sidecar of a folder to the item it describes. Sidecars without such an item are omitted. */
export function linkSidecars(items: readonly FolderItem[]): Map<string, string> {
  const links = liveVideos(items);
  const primaries = items
    .filter(
      ({ id, filename, category, isLink }) => !isLink && !links.has(id) && primaryCategories.has(category) && !parseSidecarName(filename),
    )
    // Videos before subtitles, larger files before smaller ones.
    .toSorted(
      (a, b) => Number(a.group === 'subtitle') - Number(b.group === 'subtitle') || b.size - a.size || (a.filename < b.filename ? -1 : 1),
    );
  const byStem = new Map<string, string>();
  const byName = new Map<string, string>();
  for (const { id, filename } of primaries) {
    const lower = filename.toLowerCase();
    byName.set(lower, id);
    const stem = withoutExtension(lower);
    if (!byStem.has(stem)) byStem.set(stem, id);
  }
  const main = folderPrimary(primaries);
  for (const { id, filename, isLink } of items) {
    const sidecar = isLink ? null : parseSidecarName(filename);
    if (!sidecar) continue;
    const { kind, stem } = sidecar;
    const matched = stem === null ? undefined : (byStem.get(stem) ?? byName.get(stem) ?? byStem.get(withoutExtension(stem)));
    const target = matched ?? (kind === 'nfo' || kind === 'folder-art' ? main : undefined);
    if (target !== undefined) links.set(id, target);
  }
  return links;
}

/** Maps the video of each live photo to the photo. */
function liveVideos(items: readonly FolderItem[]): Map<string, string> {
  const links = new Map<string, string>();
  const videos = items.filter(({ filename, size, isLink }) => !isLink && size <= liveVideoMaxBytes && liveVideoExtension.test(filename));
  if (videos.length === 0) return links;
  const photos = new Map(
    items
      .filter(({ filename, isLink }) => !isLink && livePhotoExtensions.test(filename) && parseSidecarName(filename) === null)
      .map(({ id, filename }) => [withoutExtension(filename.toLowerCase()), id]),
  );
  for (const { id, filename } of videos) {
    const photo = photos.get(withoutExtension(filename.toLowerCase()));
    if (photo !== undefined) links.set(id, photo);
  }
  return links;
}

/** The main file of a folder: its only primary file, or one at least twice the size of any other. */
function folderPrimary(primaries: readonly FolderItem[]): string | undefined {
  const films = primaries.filter(({ group }) => group !== 'subtitle');
  const [first, second] = films;
  if (!first) return undefined;
  return !second || first.size >= 2 * second.size ? first.id : undefined;
}

function withoutExtension(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}
