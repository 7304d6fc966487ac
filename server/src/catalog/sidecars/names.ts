/** Art that belongs to a folder as a whole. */
const folderArt =
  /^(?:poster|folder|cover|fanart|banner|clearart|clearlogo|landscape|thumb|logo|disc|season-all-[a-z]+|season.*-?(?:poster|banner))$/;
/** Art that belongs to the file with the same stem. */
const stemArt = /^(.+)-(?:thumb|poster|fanart|banner|landscape|clearart|clearlogo|disc|logo)$/;
const artExtensions = new Set(['jpg', 'jpeg', 'png', 'webp', 'tbn']);
const playerSuffix = /^(.+)_jrsidecar$/;
const candidate = /\.(?:nfo|xmp|thm|xml|jpe?g|png|webp|tbn)$/i;

export type SidecarKind = 'nfo' | 'xmp' | 'thm' | 'player' | 'stem-art' | 'folder-art';

export interface SidecarName {
  kind: SidecarKind;
  /** Stem of the file it accompanies, lower case; null when it accompanies the folder. */
  stem: string | null;
}

/** What a file name says about being a sidecar; null for an ordinary file. */
export function parseSidecarName(filename: string): SidecarName | null {
  // Asked of every file of every scan: most are told by their ending alone.
  if (!candidate.test(filename)) return null;
  const lower = filename.toLowerCase();
  const dot = lower.lastIndexOf('.');
  if (dot <= 0) return null;
  const stem = lower.slice(0, dot);
  const extension = lower.slice(dot + 1);
  if (extension === 'nfo') return { kind: 'nfo', stem };
  if (extension === 'xmp') return { kind: 'xmp', stem };
  if (extension === 'thm') return { kind: 'thm', stem };
  if (extension === 'xml') {
    const player = playerSuffix.exec(stem);
    return player ? { kind: 'player', stem: player[1]! } : null;
  }
  if (!artExtensions.has(extension)) return null;
  if (folderArt.test(stem)) return { kind: 'folder-art', stem: null };
  const art = stemArt.exec(stem);
  return art ? { kind: 'stem-art', stem: art[1]! } : null;
}

/** Categories whose files a sidecar can accompany. */
export const primaryCategories: ReadonlySet<string> = new Set(['video', 'audio', 'image', 'document', 'three-d-cad']);
