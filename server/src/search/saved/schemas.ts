import { Id, nullable, noExtraFields, Time } from '../../platform/schemas.ts';
import { type Static, type TSchema, Type } from 'typebox';

import { SearchQuery } from '../query/index.ts';

/** The parameters of GET /search, except the page. Nothing is filled in: what was not chosen stays open. */
const SavedParams = Type.Object(
  Object.fromEntries(
    Object.entries(SearchQuery.properties)
      .filter(([name]) => name !== 'cursor')
      .map(([name, schema]) => {
        const { default: _, ...rest } = schema as TSchema & { default?: unknown };
        return [name, Type.Optional(rest as TSchema)];
      }),
  ),
  noExtraFields,
);

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000]*\\S[^\\u0000]*$' });

export const SavedSearchIn = Type.Object(
  {
    name: Name,
    params: Type.Optional(SavedParams),
    shared: Type.Optional(Type.Boolean()),
    owner_principal: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
  },
  noExtraFields,
);
export const SavedSearchUpdate = Type.Object(
  { name: Type.Optional(Name), params: Type.Optional(SavedParams), shared: Type.Optional(Type.Boolean()) },
  noExtraFields,
);
export const SavedSearchOut = Type.Object(
  {
    id: Id,
    name: Type.String(),
    params: Type.Record(Type.String(), Type.Unknown()),
    owner_principal: nullable(Id),
    owner_name: Type.String(),
    shared: Type.Boolean(),
    may_edit: Type.Boolean(),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'SavedSearchOut' },
);
export type SavedSearchUpdate = Static<typeof SavedSearchUpdate> & { params?: Record<string, unknown> };
