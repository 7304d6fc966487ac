import { problem } from '../../platform/problem.ts';
import type { Filter } from '@catalog/engine';
import type { Action, ScopeNode, Visibility } from '../../people/access/index.ts';

/** A caller's rights as an index filter; null when nothing restricts. A filter above the ceiling is refused, never cut. */
export function scopeFilter(visibility: Visibility, ceiling: number, action: Action = 'search_metadata'): Filter | null {
  const forest = visibility.scope(action);
  if (forest === null) return null;
  if (lengthOf(forest) > ceiling) throw problem('scope_filter_too_long');
  return forestFilter(forest);
}

function forestFilter(forest: readonly ScopeNode[]): Filter {
  const plain = forest.filter((node) => node.children.length === 0).map(scopePath);
  const nested = forest
    .filter((node) => node.children.length > 0)
    .map((node): Filter => ({ and: [{ scope: [scopePath(node)] }, { not: forestFilter(node.children) }] }));
  if (nested.length === 0) return { scope: plain };
  return { or: [...(plain.length > 0 ? [{ scope: plain } as Filter] : []), ...nested] };
}

function scopePath({ libraryId, path }: ScopeNode): string {
  return path === '' ? libraryId : `${libraryId}/${path}`;
}

/** Counted as eight characters a library and the paths themselves. */
function lengthOf(forest: readonly ScopeNode[]): number {
  return forest.reduce((sum, node) => sum + 8 + node.path.length + lengthOf(node.children), 0);
}
