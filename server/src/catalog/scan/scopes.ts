/**
 * A part of a library that a run covers.
 * tree     the folder and everything below it; or one file
 * folder   the files directly in the folder
 * changes  the files directly in the folder, and subfolders that no longer exist
 */
export interface ScanScope {
  path: string;
  depth: 'tree' | 'folder' | 'changes';
}

export const wholeLibrary: ScanScope = { path: '', depth: 'tree' };
const maxScopes = 256;

/** How a run stores its scopes: a single tree or folder in `scope` and `recursive`, anything else in `scopes`. */
export interface StoredScopes {
  scope: string;
  recursive: boolean;
  scopes: ScanScope[] | null;
}

export function scopesOf({ scope, recursive, scopes }: StoredScopes): ScanScope[] {
  return scopes ?? [{ path: scope, depth: recursive ? 'tree' : 'folder' }];
}

export function storeScopes(scopes: readonly ScanScope[]): StoredScopes {
  const [first, second] = scopes;
  if (first && !second && first.depth !== 'changes') return { scope: first.path, recursive: first.depth === 'tree', scopes: null };
  return { scope: scopes.map(({ path }) => path).reduce(commonFolder), recursive: false, scopes: [...scopes] };
}

const isBelow = (path: string, folder: string): boolean => folder === '' || path === folder || path.startsWith(`${folder}/`);

/** The scopes that cover everything the given ones cover, without duplicates. Too many of them become the whole library. */
export function mergeScopes(scopes: readonly ScanScope[]): ScanScope[] {
  const rank = { tree: 0, changes: 1, folder: 2 };
  const merged: ScanScope[] = [];
  for (const scope of [...scopes].sort((a, b) => rank[a.depth] - rank[b.depth] || a.path.length - b.path.length)) {
    if (!merged.some(({ path, depth }) => (depth === 'tree' ? isBelow(scope.path, path) : path === scope.path))) merged.push(scope);
    if (merged.length > maxScopes) return [wholeLibrary];
  }
  return merged.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The deepest folder that contains both paths. */
function commonFolder(a: string, b: string): string {
  if (a === b) return a;
  const [left, right] = [a.split('/'), b.split('/')];
  let shared = 0;
  while (shared < left.length && shared < right.length && left[shared] === right[shared]) shared += 1;
  return left.slice(0, shared).join('/');
}
