import { access, constants, opendir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { createNetworkCheck } from '@catalog/scanner';
import { problem } from '../../platform/problem.ts';
import { isInside } from '../libraries/index.ts';

const maxShown = 500;
/** Listing stops here, because a folder may hold millions of files. */
const maxEntries = 200_000;

interface FolderListing {
  path: string;
  parent: string | null;
  roots: string[];
  dirs: BrowsedFolder[];
  truncated: boolean;
}

interface BrowsedFolder {
  name: string;
  path: string;
  network: boolean;
  readable: boolean;
}

/** The subfolders of a folder, for choosing a library's root. Symlinks are not listed. */
export async function browse(given: string | undefined, allowed: readonly string[]): Promise<FolderListing> {
  const roots = allowed.map((root) => path.resolve(root));
  if (given === undefined || given.trim() === '') {
    return {
      path: '',
      parent: null,
      roots,
      dirs: await describeFolders(roots.map((root) => ({ name: root, path: root }))),
      truncated: false,
    };
  }
  const { folder, root } = await allowedFolder(given, allowed);
  const { names, truncated } = await foldersIn(folder);
  return {
    path: folder,
    parent: folder === root ? null : path.dirname(folder),
    roots,
    dirs: await describeFolders(names.map((name) => ({ name, path: path.join(folder, name) }))),
    truncated,
  };
}

/** Refuses paths outside the allowed roots, after resolving `..` and symlinks. */
export async function allowedFolder(given: string, allowed: readonly string[]): Promise<{ folder: string; root: string }> {
  if (!path.isAbsolute(given) || given.includes('\0'))
    throw problem('path_outside', 'Enter the absolute path of a folder below one of the allowed roots.');
  const folder = path.resolve(given);
  const root = allowed.map((each) => path.resolve(each)).find((each) => isInside(folder, each));
  if (!root) throw problem('path_outside');
  const real = await resolved(folder);
  if (!isInside(real, await resolved(root)))
    throw problem('path_outside', 'A symlink in this path leads out of the allowed folders and is not followed. Choose another folder.');
  return { folder, root };
}

/** Permissions on network file systems are not checked here, because calls to an offline share can block. */
function describeFolders(folders: { name: string; path: string }[]): Promise<BrowsedFolder[]> {
  const isOnNetwork = createNetworkCheck();
  const notRefused = (error: NodeJS.ErrnoException) => error.code !== 'EACCES' && error.code !== 'EPERM';
  return Promise.all(
    folders.map(async (folder) => {
      const network = isOnNetwork(folder.path);
      const readable = network || (await access(folder.path, constants.R_OK | constants.X_OK).then(() => true, notRefused));
      return { ...folder, network, readable };
    }),
  );
}

async function resolved(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    throw folderProblem(error);
  }
}

async function foldersIn(folder: string): Promise<{ names: string[]; truncated: boolean }> {
  const found: { name: string }[] = [];
  let read = 0;
  try {
    for await (const entry of await opendir(folder, { bufferSize: 512 })) {
      read += 1;
      // A name that is not UTF-8 cannot be requested again.
      if (entry.isDirectory() && !entry.name.includes('\uFFFD')) found.push({ name: entry.name });
      if (read >= maxEntries) break;
    }
  } catch (error) {
    throw folderProblem(error);
  }
  return { names: sortAndLimit(found).map(({ name }) => name), truncated: found.length > maxShown || read >= maxEntries };
}

/** Folders in natural order, up to the limit. */
export function sortAndLimit<T extends { name: string }>(folders: readonly T[]): T[] {
  return folders.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })).slice(0, maxShown);
}

function folderProblem(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return problem('not_found', 'There is no folder at this path. Check the path.');
  if (code === 'EACCES' || code === 'EPERM') return problem('path_unreadable');
  if (code === 'ELOOP' || code === 'ENAMETOOLONG') return problem('not_found', 'There is no folder at this path. Check the path.');
  return error;
}
