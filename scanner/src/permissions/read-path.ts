import { statSync } from 'node:fs';
import { diskPath } from '../walk/path-text.ts';
import { type AclReader, noAclAttributes } from './attributes.ts';
import { type FileAcl, toFileAcl } from './file-acl.ts';

/** The record of one folder, following symlinks as a person who opens it would. Throws a system error when it cannot be read. */
export function readFolderAcl(folder: string, reader: AclReader | null): FileAcl {
  const { uid, gid, mode } = statSync(diskPath(folder));
  return toFileAcl({ uid, gid, mode }, reader?.ofPath(folder) ?? noAclAttributes);
}

/** The folders from `/` down to the parent of an absolute path. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/').filter(Boolean);
  return path === '/' ? [] : ['/', ...parts.slice(0, -1).map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)];
}
