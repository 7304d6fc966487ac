export interface TreeFolder<Entry> {
  /** Path with a trailing slash; empty for the top. */
  path: string;
  name: string;
  folders: Map<string, TreeFolder<Entry>>;
  files: Entry[];
  /** Files in it and below it. */
  count: number;
}

/** The entries of an archive by folder. Names that point outside the archive stay as they are, below a folder of that name. */
export function membersTree<Entry extends { name: string }>(members: readonly Entry[]): TreeFolder<Entry> {
  const top: TreeFolder<Entry> = { path: '', name: '', folders: new Map(), files: [], count: 0 };
  for (const member of members) {
    const parts = member.name.split('/').filter((part) => part !== '');
    let folder = top;
    folder.count += 1;
    for (const part of parts.slice(0, -1)) {
      let next = folder.folders.get(part);
      if (!next) {
        next = { path: `${folder.path}${part}/`, name: part, folders: new Map(), files: [], count: 0 };
        folder.folders.set(part, next);
      }
      next.count += 1;
      folder = next;
    }
    folder.files.push(member);
  }
  return top;
}
