import { realpathSync, statSync } from 'node:fs';
import { diskPath, pathText } from '../walk/path-text.ts';
import { type AclReader, createAclReader, noAclAttributes } from './attributes.ts';
import { everybodyMayEnter } from './evaluate.ts';
import { type FileAcl, toFileAcl } from './file-acl.ts';

/** The record of one folder, following symlinks as a person who opens it would. Throws a system error when it cannot be read. */
function readFolderAcl(folder: string, reader: AclReader | null): FileAcl {
  const { uid, gid, mode } = statSync(diskPath(folder));
  return toFileAcl({ uid, gid, mode }, reader?.ofPath(folder) ?? noAclAttributes);
}

/** The records of the folders above an absolute path that do not let everybody pass. */
export function closedFoldersAbove(path: string): FileAcl[] {
  const reader = createAclReader();
  return foldersAbove(realPath(path)).flatMap((folder) => {
    try {
      const acl = readFolderAcl(folder, reader);
      return everybodyMayEnter(acl) ? [] : [acl];
    } catch {
      // A folder that this program cannot look at does not count; the files below it could not be read either.
      return [];
    }
  });
}

function realPath(path: string): string {
  try {
    return pathText(realpathSync(diskPath(path), 'buffer'));
  } catch {
    // Vanished meanwhile; the scan reports it.
    return path;
  }
}

/** The folders from `/` down to the parent of an absolute path. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/').filter(Boolean);
  return path === '/' ? [] : ['/', ...parts.slice(0, -1).map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)];
}
