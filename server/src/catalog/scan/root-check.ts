import { lstatSync, statSync } from 'node:fs';
import { diskPath, readRootIdentity, rootChange } from '@catalog/scanner';
import { childPath, type DiskScope, fullPath, type ScanContext } from './context.ts';
import { ScanFailure } from './failure.ts';
import type { ScanScope } from './scopes.ts';

/** Fails unless the root is a folder, and remembers which one it is. */
export function openRoot(scan: ScanContext): void {
  const root = kindOf(scan.root);
  if (root === 'missing')
    throw new ScanFailure(
      'root_missing',
      `The library's folder ${scan.root} does not exist. Check that the disk is mounted, then scan again.`,
    );
  if (root === 'unreadable') throw unreadableFolder(scan, '');
  if (root === 'file')
    throw new ScanFailure(
      'root_not_folder',
      `The library's path ${scan.root} is a file, not a folder. Correct the library's path, then scan again.`,
    );
  scan.rootIdentity = readRootIdentity(scan.root);
}

/**
 * Turns scopes into folders, or files in one; null when neither exists. Like a walk, it does not follow symlinks below the root, and takes a
 * name only as the disk lists it: where case or normalization do not count, a folder would be cataloged a second time under another name.
 */
export function createScopeResolver(scan: ScanContext): (scope: ScanScope) => DiskScope | null {
  const listed = new Map<string, ReadonlySet<string> | null>();
  const namesIn = (folder: string): ReadonlySet<string> | null => {
    const known = listed.get(folder);
    if (known !== undefined) return known;
    const names = listNames(scan, folder);
    listed.set(folder, names);
    return names;
  };
  return ({ path, depth }) => {
    const names = path === '' ? [] : path.split('/');
    let folder = '';
    for (const [index, name] of names.entries()) {
      const at = childPath(folder, name);
      if (isFolder(fullPath(scan, at)) && namesIn(folder)?.has(name) !== false) folder = at;
      else return index < names.length - 1 || depth === 'changes' ? null : { folder, file: name, depth: 'folder' };
    }
    return { folder, file: null, depth };
  };
}

/** Null for a folder that may be entered but not listed. */
function listNames(scan: ScanContext, folder: string): ReadonlySet<string> | null {
  try {
    return new Set(scan.files.listNames(fullPath(scan, folder)).map(({ name }) => name));
  } catch {
    return null;
  }
}

export function unreadableFolder(scan: ScanContext, folder: string): ScanFailure {
  return new ScanFailure(
    'root_unreadable',
    `The folder ${childPath(scan.root, folder)} cannot be read. Allow the service to read it, then scan again.`,
  );
}

/**
 * Fails when the root or something mounted below it is no longer what it was at the start. An unmounted disk looks like deleted files, so
 * this is checked before anything is marked as missing and whenever a listed folder has vanished.
 */
export function verifyRoot(scan: ScanContext): void {
  const change = describeChange(scan);
  if (change === null) return;
  throw new ScanFailure(
    'root_changed',
    `The disk changed during the scan: ${change}. Nothing was marked as missing. Check that the disk is mounted, then scan again.`,
  );
}

function describeChange(scan: ScanContext): string | null {
  if (!scan.rootIdentity) return null;
  try {
    return rootChange(scan.rootIdentity, readRootIdentity(scan.root));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `${scan.root} ${code === 'ENOENT' || code === 'ENOTDIR' ? 'is gone' : `cannot be read (${code})`}`;
  }
}

const minReadErrors = 25;
const maxFailedShare = 0.1;

/** Fails when so many folders or files could not be read that the disk itself is likely to be at fault. */
export function guardReadErrors({ counters, reads }: ScanContext): void {
  const { seen, excluded_gate, excluded_filtered } = counters;
  const failures = [
    { failed: reads.failedFolders, of: counters.folders + reads.failedFolders, what: 'folders' },
    { failed: reads.failedEntries, of: seen + excluded_gate + excluded_filtered + reads.failedEntries, what: 'files' },
    { failed: reads.failedFiles, of: reads.files, what: 'new files' },
  ];
  const many = failures.find(({ failed, of }) => failed >= minReadErrors && failed > of * maxFailedShare);
  if (!many) return;
  const { failed, of, what } = many;
  throw new ScanFailure(
    'read_errors',
    what === 'folders'
      ? `${failed} of ${of} folders could not be read. Nothing was marked as missing. Check the disk and its connection, then scan again.`
      : what === 'files'
        ? `${failed} of ${of} files could not be read. Nothing was marked as missing. Check the disk and its connection, then scan again.`
        : `${failed} of ${of} new or changed files could not be read. Nothing was marked as missing. Check the disk and its connection, then scan again.`,
  );
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(diskPath(path)).isDirectory();
  } catch {
    // The scan of the folder above it finds out whether it is gone or unreadable.
    return false;
  }
}

function kindOf(path: string): 'folder' | 'file' | 'missing' | 'unreadable' {
  try {
    return statSync(diskPath(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable';
  }
}
