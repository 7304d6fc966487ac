import type { FileAcl } from '@catalog/scanner';
import type { FileHashes } from './store.ts';

/** What another machine has read from the bytes of a file; null when it says that nothing is known of them. */
export interface ReportedFacts {
  extractor: string;
  metadata: Record<string, unknown>;
  title: string | null;
  year: number | null;
  bodyText: string | null;
  archiveMembers: string | null;
}

/** A file as another machine reports it. */
export interface ReportedFile {
  size: number;
  mtimeNs: string;
  inode: string;
  device: number;
  links: number;
  /** Bytes on disk where they are fewer than the size; otherwise null. */
  allocated: number | null;
  ctimeNs: string | null;
  symlinkTarget: string | null;
  hashes: FileHashes;
  /** Absent when the report says nothing about the contents. */
  extracted?: ReportedFacts | null;
  /** Null when it is not recorded any more. Absent when the report says nothing about it. */
  acl?: FileAcl | null;
}

/** One reported change of a library, in the order in which it happened. */
export type ReportedChange =
  | { kind: 'present'; relPath: string; file: ReportedFile }
  | { kind: 'gone'; relPath: string }
  | { kind: 'moved'; relPath: string; fromRelPath: string; file: ReportedFile };

/** `origin` is the path whose item the file continues; null when it is a new file. */
interface FileAtPath {
  file: ReportedFile | null;
  origin: string | null;
}

/** What a path is after all changes. */
export interface PathState extends FileAtPath {
  /** The item that the catalog has at this path was deleted within these changes and did not come back. */
  ownDeleted: boolean;
}

/**
 * Reduces changes to one state per path. A file keeps its identity through any number of moves, and a path that was deleted and written
 * again continues its own item, unless its file has gone to another path.
 */
export function foldChanges(changes: readonly ReportedChange[]): Map<string, PathState> {
  const states = new Map<string, FileAtPath>();
  /** Paths whose file went to another path: what is written there later is another file. */
  const left = new Set<string>();
  /** The first paths of files that were deleted. */
  const deleted = new Set<string>();
  const originOf = (path: string): string | null => {
    const known = states.get(path);
    return known === undefined ? path : known.file === null ? null : known.origin;
  };
  for (const change of changes) {
    const { relPath } = change;
    if (change.kind === 'gone') {
      const origin = originOf(relPath);
      if (origin !== null) deleted.add(origin);
      states.set(relPath, { file: null, origin: null });
    } else if (change.kind === 'present') {
      const origin = originOf(relPath) ?? (left.has(relPath) ? null : relPath);
      if (origin !== null) deleted.delete(origin);
      states.set(relPath, { file: withFacts(change.file, states.get(relPath)), origin });
    } else {
      const origin = originOf(change.fromRelPath);
      const file = withFacts(change.file, states.get(change.fromRelPath));
      states.set(change.fromRelPath, { file: null, origin: null });
      left.add(change.fromRelPath);
      states.set(relPath, { file, origin });
    }
  }
  return new Map([...states].map(([path, state]) => [path, { ...state, ownDeleted: deleted.has(path) }]));
}

/** What was said of the same file earlier in the batch still holds: its access list, and what was read from the same bytes. */
function withFacts(reported: ReportedFile, before: FileAtPath | undefined): ReportedFile {
  const file = reported.acl === undefined && before?.file?.acl !== undefined ? { ...reported, acl: before.file.acl } : reported;
  if (file.extracted !== undefined || !before?.file || before.file.extracted === undefined) return file;
  const { size, hashes } = before.file;
  const sameBytes = size === file.size && hashes.quick === file.hashes.quick && hashes.content === file.hashes.content;
  return sameBytes ? { ...file, extracted: before.file.extracted } : file;
}
