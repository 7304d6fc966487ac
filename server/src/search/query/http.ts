import { federatedRoutes } from './http-federated.ts';
import { callerOf } from '../../platform/http/index.ts';
import { noExtraFields } from '../../platform/schemas.ts';
import type { Principal } from '../../platform/principal.ts';
import { type Static, Type } from 'typebox';
import { recordEvent } from '../../people/audit/index.ts';
import { visibilityOf } from '../../people/access/index.ts';
import { type App, serializeWithoutSchema } from '../../platform/http/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { SearchReader } from '../engines/index.ts';
import { parameterFilters } from './filters.ts';
import { excludeRemovedLibraries } from './removed-libraries.ts';
import { SearchQuery, SearchResponse } from './schemas.ts';
import { scopeFilter } from './scope-filter.ts';
import { search } from './service.ts';
import { searchIndex } from './shares.ts';

const tags = ['search'];
const PrefixQuery = Type.Object(
  {
    q: Type.Optional(Type.String({ maxLength: 200, default: '' })),
    file_category: Type.Optional(Type.Array(Type.String({ maxLength: 64 }))),
    library: Type.Optional(Type.Array(Type.String({ format: 'uuid' }))),
    status: Type.Optional(Type.Enum(['active', 'missing', 'trashed', 'any'])),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
  },
  noExtraFields,
);
type PrefixQuery = Static<typeof PrefixQuery>;
const CountedValue = Type.Object({ value: Type.String(), count: Type.Integer() });
type Counted = Static<typeof CountedValue>;
const config = { scope: 'read' } as const;

function itemSearchRoutes(app: App, deps: Dependencies, reader: SearchReader): void {
  const { db, settings } = deps;

  app.get(
    '/search',
    { config, schema: { tags, summary: 'Find items', querystring: SearchQuery, response: { 200: SearchResponse } } },
    async (request, reply) => {
      if (settings.auditReads)
        await recordEvent(db, {
          event_type: 'search',
          principal_id: request.principal?.id ?? null,
          ip: request.clientAddress,
          // A database text holds every character but one.
          details: JSON.parse(JSON.stringify(request.query).replaceAll('\\u0000', ' ')),
        });
      serializeWithoutSchema(reply);
      return (await search(deps, reader, callerOf(request), request.query)) as never;
    },
  );

  /** Values of a keyword field that begin so, among what the caller sees. */
  const valuesWithPrefix = async (
    field: string,
    principal: Principal,
    { q = '', limit = 20, ...params }: PrefixQuery,
  ): Promise<Counted[]> => {
    const scope = scopeFilter(await visibilityOf(db, principal), settings.searchScopeFilterCeiling);
    const filters = (await parameterFilters(db, { ...params, include_sidecars: true })).map(({ filter }) => filter);
    const answer = await searchIndex(reader, {
      filter: { and: [...filters, ...(await excludeRemovedLibraries(db, principal)), ...(scope ? [scope] : [])] },
      limit: 0,
      facets: [{ field, limit, ...(q ? { prefix: q } : {}) }],
    });
    return answer.facets[field] ?? [];
  };
  const typeAhead = (path: string, name: 'tags' | 'principals', field: string, summary: string): void => {
    app.get(
      path,
      {
        config,
        schema: { tags, summary, querystring: PrefixQuery, response: { 200: Type.Object({ [name]: Type.Array(CountedValue) }) } },
      },
      async ({ query, principal }) => ({ [name]: await valuesWithPrefix(field, callerOf({ principal }), query) }),
    );
  };
  typeAhead('/search/tags', 'tags', 'tag', 'Tags that begin so, with counts');
  typeAhead('/search/principals', 'principals', 'perm_principals', 'Names or SIDs that permissions were collected for, with counts');
}

export function searchRoutes(app: App, deps: Dependencies, reader: SearchReader): void {
  itemSearchRoutes(app, deps, reader);
  federatedRoutes(app, deps, reader);
}
