import { opendir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { problem } from '../../platform/http/index.ts';
import { isInside } from '../libraries/index.ts';

const mostShown = 500;
/** A folder may hold millions of files; looking stops here. */
const mostLookedAt = 200_000;

export interface Listing {
  path: string;
  parent: string | null;
  roots: string[];
  dirs: { name: string; path: string }[];
  truncated: boolean;
}

/**
 * The folders inside a folder, for choosing a library's root. Only what really lies below an allowed root is shown: `..` and links that
 * lead out are resolved first and refused. Links inside are not offered.
 */
export async function browse(given: string | undefined, allowed: readonly string[]): Promise<Listing> {
  const roots = allowed.map((root) => path.resolve(root));
  if (given === undefined || given.trim() === '')
    return { path: '', parent: null, roots, dirs: roots.map((root) => ({ name: root, path: root })), truncated: false };
  if (!path.isAbsolute(given) || given.includes('\0'))
    throw problem('path_outside', 'Give the whole path of a folder below one of the allowed roots.');
  const asked = path.resolve(given);
  const home = roots.find((root) => isInside(asked, root));
  if (!home) throw problem('path_outside');
  const real = await resolved(asked);
  if (!isInside(real, await resolved(home))) throw problem('path_outside', 'A link leads out of the allowed folders; it is not followed.');
  const { names, truncated } = await foldersIn(asked);
  return {
    path: asked,
    parent: asked === home ? null : path.dirname(asked),
    roots,
    dirs: names.map((name) => ({ name, path: path.join(asked, name) })),
    truncated,
  };
}

async function resolved(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    throw asProblem(error);
  }
}

async function foldersIn(folder: string): Promise<{ names: string[]; truncated: boolean }> {
  const names: string[] = [];
  let looked = 0;
  try {
    for await (const entry of await opendir(folder, { bufferSize: 512 })) {
      looked += 1;
      // A name that is not UTF-8 could not be asked for again.
      if (entry.isDirectory() && !entry.name.includes('\uFFFD')) names.push(entry.name);
      if (looked >= mostLookedAt) break;
    }
  } catch (error) {
    throw asProblem(error);
  }
  names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return { names: names.slice(0, mostShown), truncated: names.length > mostShown || looked >= mostLookedAt };
}

function asProblem(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return problem('not_found', 'There is no folder at this place.');
  if (code === 'EACCES' || code === 'EPERM') return problem('path_unreadable');
  if (code === 'ELOOP' || code === 'ENAMETOOLONG') return problem('not_found', 'There is no folder at this place.');
  return error;
}
