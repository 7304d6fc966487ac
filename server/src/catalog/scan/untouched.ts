import { type RawBuilder, sql } from 'kysely';

/** Nobody has said anything about the item: no tag, no note, no field of their own. */
export const hasNoOverlay = (alias: string): RawBuilder<boolean> => {
  const of = (column: string) => sql.ref(`${alias}.${column}`);
  return sql`${of('tags')} = '{}' and ${of('user_metadata')} = '{}' and ${of('user_title')} is null and ${of('user_year')} is null
    and ${of('user_external_ids')} = '{}'`;
};
