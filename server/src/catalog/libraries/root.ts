import { problem, fieldProblem } from '../../platform/problem.ts';
import { constants } from 'node:fs';
import { access, opendir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** What checking a folder asks of the file system; a test hands in one that refuses. */
export interface RootFiles {
  realpath(path: string): Promise<string>;
  isFolder(path: string): Promise<boolean>;
  /** Throws when the folder cannot be listed. */
  list(path: string): Promise<void>;
}

export const systemRootFiles: RootFiles = {
  realpath: (folder) => realpath(folder),
  isFolder: async (folder) => (await stat(folder)).isDirectory(),
  async list(folder) {
    await access(folder, constants.R_OK | constants.X_OK);
    const handle = await opendir(folder);
    await handle.read();
    await handle.close();
  },
};

const rootPathErrors = { errors: [{ loc: ['body', 'root_path'], msg: 'cannot be the folder of a library', type: 'root_path' }] };

/** The folder as it is stored and as it really is, after links; or a problem that says what is wrong with it. */
export async function checkRoot(given: string, files: RootFiles = systemRootFiles): Promise<{ rootPath: string; realRoot: string }> {
  if (!path.isAbsolute(given))
    throw fieldProblem(['body', 'root_path'], 'Give the whole path of the folder, from the root of the disk.', 'root_path');
  const rootPath = path.resolve(given);
  try {
    const realRoot = await files.realpath(rootPath);
    if (!(await files.isFolder(realRoot)))
      throw problem('library_root_not_directory', `${rootPath} is a file; a library needs a folder.`, rootPathErrors);
    await files.list(realRoot);
    return { rootPath, realRoot };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw problem('library_root_missing', `${rootPath} does not exist on this machine.`, rootPathErrors);
    if (code === 'EACCES' || code === 'EPERM')
      throw problem('library_root_unreadable', `The service may not read ${rootPath}. Give its user the right to read it.`, rootPathErrors);
    if (code === 'ELOOP' || code === 'ENAMETOOLONG' || code === 'EIO' || code === 'ESTALE' || code === 'ENOTCONN' || code === 'EHOSTDOWN')
      throw problem('library_root_unreadable', `${rootPath} cannot be read (${code}).`, rootPathErrors);
    throw error;
  }
}

/** Where a library's folder really is; one that is not there at this moment counts where it is written. */
export async function resolveRoot(rootPath: string): Promise<string> {
  return realpath(rootPath).catch(() => path.resolve(rootPath));
}

export function isInside(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
}
