import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** New files and folders are for this user only. Set by every command before it writes anything. */
export const privateUmask = 0o077;

/**
 * Creates the config folder, or closes an existing one to other users: index, thumbnails and cached pages show what files contain. Where
 * PostgreSQL runs as another user, that user's group may pass through the folder, but not list it. Returns why that failed, or null.
 */
export function protectConfigFolder(folder: string, databaseGroup: number | null): string | null {
  try {
    createParents(folder);
    mkdirSync(folder, { recursive: true });
    openFor(folder, databaseGroup);
    // Folders of earlier versions were open to everybody. Their files are unreachable once the folder is closed.
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory() && entry.name !== databaseFolderName) chmodSync(path.join(folder, entry.name), 0o700);
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'EROFS' && code !== 'EACCES') throw error;
    return `The permissions of ${folder} cannot be changed, so other users of this machine may be able to read its contents (${message}).`;
  }
}

/** Parents hold nothing of ours. PostgreSQL's user must pass through them. */
function createParents(folder: string): void {
  const before = process.umask(0o022);
  mkdirSync(path.dirname(folder), { recursive: true });
  process.umask(before);
}

export const databaseFolderName = 'postgres';

/** Closes a folder, except that a group may pass through it. */
export function openFor(folder: string, group: number | null): void {
  if (group !== null && statSync(folder).gid !== group) chownSync(folder, -1, group);
  chmodSync(folder, group === null ? 0o700 : 0o710);
}
