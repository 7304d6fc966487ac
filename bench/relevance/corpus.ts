import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of an installed Debian package. */
export interface NamedFile {
  /** Position in the corpus, starting at 1. */
  id: number;
  /** The folder without slashes at its ends. */
  folder: string;
  name: string;
  /** The words of the name in lower case, separated where neither letters nor digits are. */
  words: string[];
}

const packageLists = '/var/lib/dpkg/info';

/** Lists the files of all installed Debian packages in path order. Empty on other systems. */
export function installedFiles(): NamedFile[] {
  const paths = new Set<string>();
  for (const list of readLists()) for (const line of list.split('\n')) if (line.startsWith('/')) paths.add(line);
  // The lists contain folders too. A folder is a path that another path is below of; whether it exists does not matter.
  const folders = new Set([...paths].map((path) => path.slice(0, path.lastIndexOf('/'))));
  return [...paths]
    .filter((path) => !folders.has(path) && path !== '/.')
    .sort()
    .map((path, index) => {
      const slash = path.lastIndexOf('/');
      const name = path.slice(slash + 1);
      return { id: index + 1, folder: path.slice(1, Math.max(1, slash)), name, words: wordsOf(name) };
    });
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function readLists(): string[] {
  try {
    return readdirSync(packageLists)
      .filter((name) => name.endsWith('.list'))
      .map((name) => readFileSync(join(packageLists, name), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
