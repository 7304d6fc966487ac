/**
 * Decides who may do what where. Pure functions: SQL conditions and index filters are built from the same forest.
 *
 * A rule covers a folder and everything below it. The rules on the deepest folder that covers a path decide; if they disagree, deny wins;
 * if no rule covers the path, access is denied. A role's ceiling is checked first: an action above it is never allowed.
 */
export const actions = [
  'search_metadata',
  'search_content',
  'download',
  'upload',
  'modify',
  'delete',
  'edit_metadata',
  'manage_alerts',
  'view_permissions',
] as const;
export type Action = (typeof actions)[number];

export const actionHelp: Record<Action, string> = {
  search_metadata: 'Find items and see their details.',
  search_content: 'Find items by their contents and read snippets.',
  download: 'Open and download the file itself.',
  upload: 'Reserved for file transfers from agents.',
  modify: 'Start scans and retries.',
  delete: 'Move items to the recycle bin. The file on disk stays.',
  edit_metadata: 'Edit tags, notes and custom fields.',
  manage_alerts: 'Edit alert rules.',
  view_permissions: 'See who can read and change the file on disk.',
};

export interface AccessRule {
  libraryId: string;
  /** '' is the whole library. */
  path: string;
  effect: 'allow' | 'deny';
}

/** A folder that is allowed except below its children. The roots of a forest have this type, so a forest can only allow. */
export interface AllowedFolder {
  libraryId: string;
  path: string;
  allow: true;
  children: DeniedFolder[];
}

/** A folder that is denied except below its children. */
interface DeniedFolder {
  libraryId: string;
  path: string;
  allow: false;
  children: AllowedFolder[];
}

export type ScopeNode = AllowedFolder | DeniedFolder;

export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** The rule that decides for a path, or null when none covers it. */
export function winningRule<R extends AccessRule>(rules: readonly R[], libraryId: string, path: string): R | null {
  let best: R | null = null;
  for (const rule of rules) {
    if (rule.libraryId !== libraryId || !isBelow(path, rule.path)) continue;
    const deeper = best === null || rule.path.length > best.path.length;
    const denies = best !== null && rule.path === best.path && rule.effect === 'deny';
    if (deeper || denies) best = rule;
  }
  return best;
}

/** The rules as a forest whose levels alternate between allow and deny. Rules that change nothing are left out. */
export function scopeForest(rules: readonly AccessRule[]): AllowedFolder[] {
  const byFolder = new Map<string, AccessRule>();
  for (const rule of rules) {
    const key = `${rule.libraryId}\0${rule.path}`;
    if (!byFolder.has(key) || rule.effect === 'deny') byFolder.set(key, rule);
  }
  // Parents come before their children, so each rule is compared with the rule that already covers its folder.
  const sorted = [...byFolder.values()].sort((a, b) =>
    a.libraryId === b.libraryId ? a.path.length - b.path.length : a.libraryId < b.libraryId ? -1 : 1,
  );
  const roots: AllowedFolder[] = [];
  for (const { libraryId, path, effect } of sorted) {
    const parent = deepestNode(roots, libraryId, path);
    if (effect === 'allow' && !parent?.allow) (parent?.children ?? roots).push({ libraryId, path, allow: true, children: [] });
    if (effect === 'deny' && parent?.allow) parent.children.push({ libraryId, path, allow: false, children: [] });
  }
  return roots;
}

function deepestNode(forest: readonly AllowedFolder[], libraryId: string, path: string): ScopeNode | null {
  let deepest: ScopeNode | null = null;
  for (let level: readonly ScopeNode[] = forest; ; ) {
    const covering: ScopeNode | undefined = level.find((node) => node.libraryId === libraryId && isBelow(path, node.path));
    if (!covering) return deepest;
    deepest = covering;
    level = covering.children;
  }
}

/** Restricts a forest to the libraries and the folder of an API key. Null means no limit. */
export function limitForest(
  forest: readonly AllowedFolder[],
  limits: { libraries: readonly string[] | null; pathScope: string | null },
): AllowedFolder[] {
  const folder = (limits.pathScope ?? '').replace(/^\/+|\/+$/g, '');
  return forest.flatMap((node) => (limits.libraries && !limits.libraries.includes(node.libraryId) ? [] : narrow(node, folder)));
}

function narrow(node: AllowedFolder, folder: string): AllowedFolder[] {
  if (isBelow(node.path, folder)) return [node];
  if (!isBelow(folder, node.path)) return [];
  // The folder is inside this node: the deepest node that covers it decides for the folder itself.
  const covering = deepestNode([node], node.libraryId, folder) ?? node;
  if (!covering.allow) return covering.children.filter((child) => isBelow(child.path, folder));
  return [{ ...covering, path: folder, children: covering.children.filter((child) => isBelow(child.path, folder)) }];
}

export function allowedBy(forest: readonly AllowedFolder[], libraryId: string, path: string): boolean {
  return deepestNode(forest, libraryId, path)?.allow ?? false;
}

/** True when everything that the second forest allows is also allowed by the first. */
export function covers(forest: readonly AllowedFolder[], other: readonly AllowedFolder[]): boolean {
  // Decisions change only at the folders of the two forests.
  return [...foldersIn(forest), ...foldersIn(other)].every(
    ({ libraryId, path }) => !allowedBy(other, libraryId, path) || allowedBy(forest, libraryId, path),
  );
}

const foldersIn = (nodes: readonly ScopeNode[]): ScopeNode[] => nodes.flatMap((node) => [node, ...foldersIn(node.children)]);

/** True when the folder and everything below it is allowed. */
export function allowsAllBelow(forest: readonly AllowedFolder[], libraryId: string, folder: string): boolean {
  const changesBelow = (nodes: readonly ScopeNode[]): boolean =>
    nodes.some(
      (node) => node.libraryId === libraryId && ((node.path !== folder && isBelow(node.path, folder)) || changesBelow(node.children)),
    );
  return allowedBy(forest, libraryId, folder) && !changesBelow(forest);
}
