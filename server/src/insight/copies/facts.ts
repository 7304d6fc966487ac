import { type RawBuilder, sql } from 'kysely';

/** People entered something about the item `i`. */
export const annotated: RawBuilder<boolean> = sql<boolean>`(i.tags <> '{}' or i.user_metadata <> '{}' or i.user_title is not null or i.user_year is not null
  or i.user_external_ids <> '{}')`;

/** The number of pixels of the item `i`; 0 where it is not a picture. */
export const pixels: RawBuilder<number> = sql<number>`case when jsonb_typeof(i.metadata -> 'width') = 'number' and jsonb_typeof(i.metadata -> 'height') = 'number'
  then least((i.metadata ->> 'width')::float8 * (i.metadata ->> 'height')::float8, 1e15)::bigint else 0 end`;
