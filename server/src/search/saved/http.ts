import { callerOf } from '../../platform/http/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { Id, NoContent } from '../../platform/schemas.ts';
import { Type } from 'typebox';
import type { App } from '../../platform/http/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { SavedSearchIn, SavedSearchOut, SavedSearchUpdate } from './schemas.ts';
import { updateSavedSearch, createSavedSearch, mayEdit, findReadable, deleteSavedSearch, savedFor } from './service.ts';
import type { SavedSearch } from './store.ts';

const tags = ['saved searches'];
const read = { scope: 'read' } as const;
const write = { scope: 'write' } as const;
const params = Type.Object({ search_id: Id });

export function savedSearchRoutes(app: App, { db, clock }: Dependencies): void {
  app.get(
    '/saved-searches',
    {
      config: read,
      schema: {
        tags,
        summary: 'Your searches and those others share',
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
      reply
        .code(201)
        .send(present(await createSavedSearch(db, callerOf({ principal }), clock.now(), body as never), callerOf({ principal }))),
  );
  app.get(
    '/saved-searches/:search_id',
    { config: read, schema: { tags, summary: 'A saved search', params, response: { 200: SavedSearchOut } } },
    async (request) => present(await findReadable(db, callerOf(request), request.params.search_id), callerOf(request)),
  );
  app.patch(
    '/saved-searches/:search_id',
    {
      config: write,
      schema: { tags, summary: 'Change a saved search', params, body: SavedSearchUpdate, response: { 200: SavedSearchOut } },
    },
    async (request) =>
      present(
        await updateSavedSearch(db, callerOf(request), request.params.search_id, clock.now(), request.body as never),
        callerOf(request),
      ),
  );
  app.delete(
    '/saved-searches/:search_id',
    { config: write, schema: { tags, summary: 'Delete a saved search', params, response: { 204: NoContent } } },
    async (request, reply) => {
      await deleteSavedSearch(db, callerOf(request), request.params.search_id);
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
