import { primaryCategories, parseSidecarName } from './names.ts';

export interface FolderItem {
  id: string;
  filename: string;
  category: string;
  group: string;
  size: number;
  isLink: boolean;
}

/** Which item each sidecar of a folder accompanies. Sidecars that accompany nothing are left out. */
export function linkSidecars(items: readonly FolderItem[]): Map<string, string> {
  const primaries = items
    .filter(({ filename, category, isLink }) => !isLink && primaryCategories.has(category) && !parseSidecarName(filename))
    // The film before its subtitles, the larger before the smaller.
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
  const links = new Map<string, string>();
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

/** What a folder is about: its only primary file, or one at least twice the size of any other. */
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
