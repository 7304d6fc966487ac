import type { KeepRule, Library } from '../../api/types.ts';
import { t } from '../../language/text.ts';

/** A rule as people read it. */
export function ruleWords(rule: KeepRule, libraries: readonly Pick<Library, 'id' | 'name'>[]): string {
  switch (rule.kind) {
    case 'library': {
      const names = rule.library_ids.map((id) => libraries.find((library) => library.id === id)?.name ?? t('a removed library'));
      return t('Keep the copy in {places}', {
        places: names.reduce((list, name) => t('{first}, then {next}', { first: list, next: name })),
      });
    }
    case 'path':
      return rule.avoid
        ? t('Keep copies outside {pattern}', { pattern: rule.pattern })
        : t('Keep the copy in {places}', { places: rule.pattern });
    default:
      return SIMPLE_RULES[rule.kind];
  }
}

export const SIMPLE_RULES = {
  annotated: t('Keep files with tags or notes'),
  oldest: t('Keep the oldest file'),
  newest: t('Keep the newest file'),
  shortest_path: t('Keep the shortest path'),
  resolution: t('Keep the highest resolution'),
} as const;

/** Why a copy is kept. */
export function decisionWords(
  decidedBy: number | null,
  rules: readonly KeepRule[],
  libraries: readonly Pick<Library, 'id' | 'name'>[],
): string {
  if (decidedBy === 0) return t('Your choice');
  const rule = decidedBy === null ? undefined : rules[decidedBy - 1];
  return rule
    ? t('Rule {number}: {rule}', { number: decidedBy ?? 0, rule: ruleWords(rule, libraries).replace(/^Keep /, '') })
    : t('No rule decides: first path');
}
