/**
 * The one place that decides who may do what where. Pure: rules in, answer out; SQL and index filters are built from the same tree.
 *
 * A rule covers a folder and everything below it. For a path the rules on its longest covered folder decide; if they disagree, deny wins;
 * if no rule covers it, the answer is no. A role's ceiling is checked first: an action above it is never allowed.
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
] as const;
export type Action = (typeof actions)[number];

export const actionHelp: Record<Action, string> = {
  search_metadata: 'Find items and see their facts.',
  search_content: 'Find items by what is inside them and read snippets.',
  download: 'Open and download the file itself.',
  upload: 'Reserved for file transfers from agents.',
  modify: 'Start scans and retries.',
  delete: 'Move items to the recycle bin. The file stays.',
  edit_metadata: 'Edit tags, notes and custom fields.',
  manage_alerts: 'Edit alert rules.',
};

export interface AccessRule {
  libraryId: string;
  /** '' is the whole library. */
  path: string;
  effect: 'allow' | 'deny';
}

/** A folder where the answer changes; below it the answer holds until a child says otherwise. */
export interface ScopeNode {
  libraryId: string;
  path: string;
  allow: boolean;
  children: ScopeNode[];
}

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

/** Rules as a forest of changes: roots allow, each level flips the answer of the one above. Redundant rules vanish. */
export function scopeForest(rules: readonly AccessRule[]): ScopeNode[] {
  const byPlace = new Map<string, AccessRule>();
  for (const rule of rules) {
    const key = `${rule.libraryId}\0${rule.path}`;
    if (!byPlace.has(key) || rule.effect === 'deny') byPlace.set(key, rule);
  }
  const sorted = [...byPlace.values()].sort((a, b) =>
    a.libraryId === b.libraryId ? a.path.length - b.path.length : a.libraryId < b.libraryId ? -1 : 1,
  );
  const roots: ScopeNode[] = [];
  for (const { libraryId, path, effect } of sorted) {
    let level = roots;
    let above = false;
    for (let inside: ScopeNode | undefined; ; ) {
      inside = level.find((node) => node.libraryId === libraryId && isBelow(path, node.path));
      if (!inside) break;
      above = inside.allow;
      level = inside.children;
    }
    const allow = effect === 'allow';
    if (allow !== above) level.push({ libraryId, path, allow, children: [] });
  }
  return roots;
}

/** Keeps only what a key's own limits leave: its libraries, its folder. Null means no limit. */
export function limitForest(
  forest: readonly ScopeNode[],
  limits: { libraries: readonly string[] | null; pathScope: string | null },
): ScopeNode[] {
  const folder = (limits.pathScope ?? '').replace(/^\/+|\/+$/g, '');
  return forest.flatMap((node) => (limits.libraries && !limits.libraries.includes(node.libraryId) ? [] : narrow(node, folder)));
}

function narrow(node: ScopeNode, folder: string): ScopeNode[] {
  if (isBelow(node.path, folder)) return [node];
  if (!isBelow(folder, node.path)) return [];
  // The limit lies inside this node: the deepest node around it decides at its border.
  let around = node;
  for (let next: ScopeNode | undefined = node; next; ) {
    around = next;
    next = next.children.find((child) => child.path !== folder && isBelow(folder, child.path));
  }
  const exact = around.children.find((child) => child.path === folder);
  const at = exact ?? { ...around, path: folder, children: around.children.filter((child) => isBelow(child.path, folder)) };
  return at.allow ? [at] : at.children;
}

export function allowedBy(forest: readonly ScopeNode[], libraryId: string, path: string): boolean {
  let level = forest;
  let answer = false;
  for (;;) {
    const inside = level.find((node) => node.libraryId === libraryId && isBelow(path, node.path));
    if (!inside) return answer;
    answer = inside.allow;
    level = inside.children;
  }
}

/** Is the folder allowed, and everything in it? */
export function allowsAllBelow(forest: readonly ScopeNode[], libraryId: string, folder: string): boolean {
  const flips = (nodes: readonly ScopeNode[]): boolean =>
    nodes.some((node) => node.libraryId === libraryId && ((node.path !== folder && isBelow(node.path, folder)) || flips(node.children)));
  return allowedBy(forest, libraryId, folder) && !flips(forest);
}
