import type { WalkFileSystem } from './file-layer.ts';

/** Counts files and symlinks below a skipped folder by listing only. Folders that cannot be listed hold nothing countable. */
export function countFiles(folder: string, files: WalkFileSystem): number {
  let count = 0;
  const open = [folder];
  while (open.length > 0) {
    const at = open.pop()!;
    try {
      for (const entry of files.listOnly(at)) {
        if (entry.isFolder) open.push(`${at}/${entry.name}`);
        else if (entry.counts) count += 1;
      }
    } catch {
      // Unreadable: nobody can say how many files are in there.
    }
  }
  return count;
}
