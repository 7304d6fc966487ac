import type { KeepRule, Library } from '../../api/types.ts';

/** A rule as people read it. */
export function ruleWords(rule: KeepRule, libraries: readonly Pick<Library, 'id' | 'name'>[]): string {
  switch (rule.kind) {
    case 'library': {
      const names = rule.library_ids.map((id) => libraries.find((library) => library.id === id)?.name ?? 'a removed library');
      return `Keep the copy in ${names.join(', then ')}`;
    }
    case 'path':
      return rule.avoid ? `Keep copies outside ${rule.pattern}` : `Keep the copy in ${rule.pattern}`;
    default:
      return SIMPLE_RULES[rule.kind];
  }
}

export const SIMPLE_RULES = {
  annotated: 'Keep files with tags or notes',
  oldest: 'Keep the oldest file',
  newest: 'Keep the newest file',
  shortest_path: 'Keep the shortest path',
  resolution: 'Keep the highest resolution',
} as const;

/** Why a copy is kept. */
export function decisionWords(
  decidedBy: number | null,
  rules: readonly KeepRule[],
  libraries: readonly Pick<Library, 'id' | 'name'>[],
): string {
  if (decidedBy === 0) return 'Your choice';
  const rule = decidedBy === null ? undefined : rules[decidedBy - 1];
  return rule ? `Rule ${decidedBy}: ${ruleWords(rule, libraries).replace(/^Keep /, '')}` : 'No rule decides: first path';
}
