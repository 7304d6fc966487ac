import { constants } from 'node:fs';
import { access, opendir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type ErrorCode, fieldProblem, type Problem, problem } from '../../platform/problem.ts';

/** The file system calls used to check a root; tests pass failing ones. */
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

/** A folder that cannot be used. The field has the same sentence, because forms show the messages of fields. */
function unusable(code: ErrorCode, detail?: string): Problem {
  const { message } = problem(code, detail);
  return problem(code, message, { errors: [{ loc: ['body', 'root_path'], msg: message, type: 'root_path' }] });
}

/** The root as it is stored and with symlinks resolved. Throws a problem when it cannot be used. */
export async function checkRoot(
  given: string,
  files: RootFiles = systemRootFiles,
  { mayBeElsewhere = false }: { mayBeElsewhere?: boolean } = {},
): Promise<{ rootPath: string; realRoot: string }> {
  if (!path.isAbsolute(given)) throw fieldProblem(['body', 'root_path'], 'Enter the absolute path of the folder.', 'root_path');
  const rootPath = path.resolve(given);
  try {
    const realRoot = await files.realpath(rootPath);
    if (!(await files.isFolder(realRoot))) throw unusable('library_root_not_directory', `${rootPath} is a file. Choose a folder.`);
    await files.list(realRoot);
    return { rootPath, realRoot };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && mayBeElsewhere) return { rootPath, realRoot: rootPath };
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw unusable('library_root_missing', `${rootPath} does not exist on this machine. Check the path and that the disk is mounted.`);
    if (code === 'EACCES' || code === 'EPERM')
      throw unusable(
        'library_root_unreadable',
        `The service has no permission to read ${rootPath}. Allow its user account to read the folder.`,
      );
    if (code === 'ELOOP' || code === 'ENAMETOOLONG' || code === 'EIO' || code === 'ESTALE' || code === 'ENOTCONN' || code === 'EHOSTDOWN')
      throw unusable('library_root_unreadable', `${rootPath} cannot be read (${code}). Check the disk or the network.`);
    throw error;
  }
}

/** File systems of the kernel. Their files are not anybody's, and reading some of them never ends. */
const kernelFolders = ['/proc', '/sys', '/dev'];

/** Refuses a resolved root outside the folders that may be browsed, whatever links led to it. */
export async function checkAllowed(realRoot: string, allowed: readonly string[]): Promise<void> {
  const kernel = kernelFolders.find((folder) => isInside(realRoot, folder));
  if (kernel)
    throw unusable('library_root_outside', `${kernel} belongs to the operating system and holds no files. Choose another folder.`);
  for (const root of allowed) if (isInside(realRoot, await resolveRoot(root))) return;
  throw unusable('library_root_outside');
}

/** The root with symlinks resolved, or as stored when it does not exist at the moment. */
export async function resolveRoot(rootPath: string): Promise<string> {
  return realpath(rootPath).catch(() => path.resolve(rootPath));
}

export function isInside(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
}
