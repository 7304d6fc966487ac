import { accessSync, chmodSync, chownSync, constants, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** New files and folders are for this user only. Set by every command before it writes anything. */
export const privateUmask = 0o077;

/**
 * Creates the config folder, or closes an existing one to other users: index, thumbnails and cached pages show what files contain. Where
 * PostgreSQL runs as another user, that user's group may pass through the folder, but not list it. Returns why that failed, or null.
 */
export function protectConfigFolder(folder: string, databaseGroup: number | null): string | null {
  createFolder(folder);
  return closeFolder(folder, databaseGroup);
}

/** Like `protectConfigFolder`, for a folder that exists and that this user may only be able to read. */
export function closeFolder(folder: string, databaseGroup: number | null): string | null {
  try {
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

/** Creates the config folder unless it exists. Throws why it cannot be used. */
export function createFolder(folder: string): void {
  try {
    createParents(path.dirname(path.resolve(folder)));
    createUnlessThere(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(
      `The data folder ${folder} cannot be used: ${reasonOf(error as NodeJS.ErrnoException)} Set SVC_CONFIG_DIR to another folder.`,
    );
  }
}

/** Parents hold nothing of ours. PostgreSQL's user must pass through them. One by one, because Node creates them without end in /proc. */
function createParents(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })) return;
  createParents(path.dirname(folder));
  const before = process.umask(0o022);
  try {
    createUnlessThere(folder);
  } finally {
    process.umask(before);
  }
}

function createUnlessThere(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  }
}

const reasons: Record<string, string> = {
  ENOTDIR: 'it, or a part of its path, is not a folder.',
  EROFS: 'its disk is read-only.',
  EACCES: 'this user may not write there.',
  EPERM: 'this user may not write there.',
  ENOENT: 'it cannot be created there.',
  ENOSPC: 'its disk is full.',
};

const reasonOf = ({ code = '', message }: NodeJS.ErrnoException): string => reasons[code] ?? `${message}.`;

export const databaseFolderName = 'postgres';

/** Closes a folder, except that a group may pass through it. */
export function openFor(folder: string, group: number | null): void {
  if (group !== null && statSync(folder).gid !== group) chownSync(folder, -1, group);
  chmodSync(folder, group === null ? 0o700 : 0o710);
}
