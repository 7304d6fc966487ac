import { problem } from '../../platform/problem.ts';
import { createNetworkCheck } from '@catalog/scanner';
import { access, constants, opendir, realpath } from 'node:fs/promises';
import path from 'node:path';

import { isInside } from '../libraries/index.ts';

const maxShown = 500;
/** A folder may hold millions of files; looking stops here. */
const maxEntries = 200_000;

export interface FolderListing {
  path: string;
  parent: string | null;
  roots: string[];
  dirs: BrowsedFolder[];
  truncated: boolean;
}

export interface BrowsedFolder {
  name: string;
  path: string;
  network: boolean;
  readable: boolean;
}

/** The folders inside a folder, for choosing a library's root. Links inside are not offered. */
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
  const { asked, home } = await allowedFolder(given, allowed);
  const { names, truncated } = await foldersIn(asked);
  return {
    path: asked,
    parent: asked === home ? null : path.dirname(asked),
    roots,
    dirs: await describeFolders(names.map((name) => ({ name, path: path.join(asked, name) }))),
    truncated,
  };
}

/** Only what really lies below an allowed root may be looked at: `..` and links that lead out are resolved first and refused. */
export async function allowedFolder(given: string, allowed: readonly string[]): Promise<{ asked: string; home: string }> {
  if (!path.isAbsolute(given) || given.includes('\0'))
    throw problem('path_outside', 'Give the whole path of a folder below one of the allowed roots.');
  const asked = path.resolve(given);
  const home = allowed.map((root) => path.resolve(root)).find((root) => isInside(asked, root));
  if (!home) throw problem('path_outside');
  const real = await resolved(asked);
  if (!isInside(real, await resolved(home))) throw problem('path_outside', 'A link leads out of the allowed folders; it is not followed.');
  return { asked, home };
}

/** A share that went away lets every question wait: whether it can be read is told when somebody goes in. */
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
  let looked = 0;
  try {
    for await (const entry of await opendir(folder, { bufferSize: 512 })) {
      looked += 1;
      // A name that is not UTF-8 could not be asked for again.
      if (entry.isDirectory() && !entry.name.includes('\uFFFD')) found.push({ name: entry.name });
      if (looked >= maxEntries) break;
    }
  } catch (error) {
    throw folderProblem(error);
  }
  return { names: sortAndLimit(found).map(({ name }) => name), truncated: found.length > maxShown || looked >= maxEntries };
}

/** The folders of a place in the order people expect, as many as are shown. */
export function sortAndLimit<T extends { name: string }>(folders: readonly T[]): T[] {
  return folders.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })).slice(0, maxShown);
}

function folderProblem(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return problem('not_found', 'There is no folder at this place.');
  if (code === 'EACCES' || code === 'EPERM') return problem('path_unreadable');
  if (code === 'ELOOP' || code === 'ENAMETOOLONG') return problem('not_found', 'There is no folder at this place.');
  return error;
}
