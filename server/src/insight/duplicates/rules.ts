import { type RawBuilder, sql } from 'kysely';
import { type Static, Type } from 'typebox';
import { Id, noExtraFields } from '../../platform/schemas.ts';

/**
 * Rules that choose which copy of a group is kept. Each gives every copy a number, and the highest is kept; where the highest is shared, the
 * next rule decides among those copies. When no rule decides, the first path is kept.
 */
export const KeepRule = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal('library'),
        library_ids: Type.Array(Id, { minItems: 1, maxItems: 50, uniqueItems: true, description: 'Most wanted first.' }),
      },
      noExtraFields,
    ),
    Type.Object(
      {
        kind: Type.Literal('path'),
        pattern: Type.String({
          minLength: 1,
          maxLength: 500,
          pattern: '^[^\\u0000]*$',
          description: 'Matches library/path. * stands for any characters, ? for one.',
        }),
        avoid: Type.Optional(Type.Boolean({ default: false, description: 'Keeps copies that do not match.' })),
      },
      noExtraFields,
    ),
    Type.Object({ kind: Type.Enum(['oldest', 'newest', 'shortest_path', 'annotated', 'resolution']) }, noExtraFields),
  ],
  { title: 'KeepRule' },
);
export type KeepRule = Static<typeof KeepRule>;

export const defaultRules: readonly KeepRule[] = [{ kind: 'annotated' }, { kind: 'oldest' }, { kind: 'shortest_path' }];

/** The number of a copy. `i` is an item, or what is kept of one, with `annotated` and `pixels`. */
function score(rule: KeepRule): RawBuilder<unknown> {
  switch (rule.kind) {
    case 'library':
      return sql`-coalesce(array_position(${rule.library_ids}::uuid[], i.library_id), 1000)`;
    case 'path': {
      const matches = sql`(l.name || '/' || i.rel_path like ${likePattern(rule.pattern)})`;
      return rule.avoid ? sql`(not ${matches})::int` : sql`${matches}::int`;
    }
    case 'oldest':
      return sql`-i.mtime_ns`;
    case 'newest':
      return sql`i.mtime_ns`;
    case 'shortest_path':
      return sql`-length(i.rel_path)`;
    case 'annotated':
      return sql`i.annotated::int`;
    case 'resolution':
      return sql`i.pixels`;
  }
}

const likePattern = (glob: string): string =>
  glob
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_');

/** The numbers of a copy in order of precedence, as an array. The first is the choice of a person; arrays compare element by element. */
export function scores(rules: readonly KeepRule[], chosen: RawBuilder<boolean>): RawBuilder<number[]> {
  return sql<number[]>`array[${sql.join([sql`${chosen}::int`, ...rules.map(score)])}]::bigint[]`;
}
