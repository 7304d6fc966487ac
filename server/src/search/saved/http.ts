import { type TSchema, Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { Id, NoContent, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { SearchQuery } from '../query/index.ts';
import { createSavedSearch, deleteSavedSearch, findReadable, mayEdit, type SearchInUse, savedFor, updateSavedSearch } from './service.ts';
import type { SavedSearch } from './store.ts';

/** The parameters of GET /search without the cursor. Defaults are not filled in, so that parameters that were not chosen stay unset. */
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

const SavedSearchIn = Type.Object(
  {
    name: Name,
    params: Type.Optional(SavedParams),
    shared: Type.Optional(Type.Boolean()),
    owner_principal: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
  },
  noExtraFields,
);
const SavedSearchUpdate = Type.Object(
  { name: Type.Optional(Name), params: Type.Optional(SavedParams), shared: Type.Optional(Type.Boolean()) },
  noExtraFields,
);
const SavedSearchOut = Type.Object(
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

const tags = ['saved searches'];
const read = { scope: 'read' } as const;
const write = { scope: 'write' } as const;
const params = Type.Object({ search_id: Id });

export function savedSearchRoutes(app: App, { db, clock }: Dependencies, inUse: SearchInUse): void {
  app.get(
    '/saved-searches',
    {
      config: read,
      schema: {
        tags,
        summary: 'List your saved searches and those shared by others',
        querystring: Type.Object({ owner_principal: Type.Optional(Id) }),
        response: { 200: Type.Array(SavedSearchOut) },
      },
    },
    async ({ principal, query }) =>
      (await savedFor(db, callerOf({ principal })))
        .filter(({ owner_id }) => query.owner_principal === undefined || owner_id === query.owner_principal)
        .map((row) => present(row, callerOf({ principal }))),
  );
  app.post(
    '/saved-searches',
    { config: write, schema: { tags, summary: 'Save a search', body: SavedSearchIn, response: { 201: SavedSearchOut } } },
    async ({ principal, body }, reply) =>
      reply.code(201).send(present(await createSavedSearch(db, callerOf({ principal }), clock.now(), body), callerOf({ principal }))),
  );
  app.get(
    '/saved-searches/:search_id',
    { config: read, schema: { tags, summary: 'Get a saved search', params, response: { 200: SavedSearchOut } } },
    async (request) => present(await findReadable(db, callerOf(request), request.params.search_id), callerOf(request)),
  );
  app.patch(
    '/saved-searches/:search_id',
    {
      config: write,
      schema: { tags, summary: 'Update a saved search', params, body: SavedSearchUpdate, response: { 200: SavedSearchOut } },
    },
    async (request) =>
      present(await updateSavedSearch(db, callerOf(request), request.params.search_id, clock.now(), request.body), callerOf(request)),
  );
  app.delete(
    '/saved-searches/:search_id',
    { config: write, schema: { tags, summary: 'Delete a saved search that no alert rule uses', params, response: { 204: NoContent } } },
    async (request, reply) => {
      await deleteSavedSearch(db, callerOf(request), request.params.search_id, inUse);
      return reply.code(204).send(null);
    },
  );
}

function present(row: SavedSearch, principal: Principal) {
  const { id, name, owner_id, owner_name, shared, created_at, updated_at } = row;
  return {
    id,
    name,
    params: row.params,
    owner_principal: owner_id,
    owner_name,
    shared,
    may_edit: mayEdit(principal, row),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
