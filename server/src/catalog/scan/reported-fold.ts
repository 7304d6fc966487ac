import type { FileHashes } from './store.ts';

/** A file as another machine reports it. */
export interface ReportedFile {
  size: number;
  mtimeNs: string;
  inode: string;
  device: number;
  links: number;
  ctimeNs: string | null;
  symlinkTarget: string | null;
  hashes: FileHashes;
}

/** One reported change of a library, in the order in which it happened. */
export type ReportedChange =
  | { kind: 'present'; relPath: string; file: ReportedFile }
  | { kind: 'gone'; relPath: string }
  | { kind: 'moved'; relPath: string; fromRelPath: string; file: ReportedFile };

/** What a path is after all changes. `origin` is the path whose item the file continues; null when it is a new file. */
export interface PathState {
  file: ReportedFile | null;
  origin: string | null;
}

/**
 * Reduces changes to one state per path. A file keeps its identity through any number of moves, and a path that was deleted and written
 * again continues its own item.
 */
export function foldChanges(changes: readonly ReportedChange[]): Map<string, PathState> {
  const states = new Map<string, PathState>();
  const originOf = (path: string): string | null => {
    const known = states.get(path);
    return known === undefined ? path : known.file === null ? null : known.origin;
  };
  for (const change of changes) {
    const { relPath } = change;
    if (change.kind === 'gone') states.set(relPath, { file: null, origin: null });
    else if (change.kind === 'present') states.set(relPath, { file: change.file, origin: originOf(relPath) ?? relPath });
    else {
      const origin = originOf(change.fromRelPath);
      states.set(change.fromRelPath, { file: null, origin: null });
      states.set(relPath, { file: change.file, origin });
    }
  }
  return states;
}
