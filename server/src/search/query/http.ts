import type { Filter } from '@catalog/engine';
import { type Static, Type } from 'typebox';
import { countByPrincipal } from '../../catalog/permissions/index.ts';
import type { Embedder } from '../../content/embeddings/index.ts';
import { visibilityOf } from '../../people/access/index.ts';
import { searchAudit } from '../../people/audit/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf, serializeWithoutSchema } from '../../platform/http/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { noExtraFields } from '../../platform/schemas.ts';
import type { SearchReader } from '../engines/index.ts';
import { everyClass } from './facets.ts';
import { excludeRemovedLibraries, parameterFilters, permissionScope } from './filters.ts';
import { createMeaning } from './meaning.ts';
import { scopeFilter, searchIndex } from './partitions.ts';
import { SearchQuery, SearchResponse } from './schemas.ts';
import { search } from './service.ts';
import { countByMonth, TimelineQuery, TimelineResponse } from './timeline.ts';

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

/** The index compares values exactly, so what is typed stands for the usual ways to write it. */
const spellings = (text: string): string[] => {
  const lower = text.toLowerCase();
  return [...new Set([text, lower, text.toUpperCase(), lower.charAt(0).toUpperCase() + lower.slice(1)])];
};

export function searchRoutes(app: App, deps: Dependencies, reader: SearchReader, embedder: Embedder): void {
  const meaning = createMeaning(deps, embedder);
  const { db, settings } = deps;
  const audit = searchAudit(deps);

  app.get(
    '/search',
    { config, preHandler: audit, schema: { tags, summary: 'Search items', querystring: SearchQuery, response: { 200: SearchResponse } } },
    async (request, reply) => {
      serializeWithoutSchema(reply);
      return await search(deps, reader, callerOf(request), request.query, meaning);
    },
  );

  app.get(
    '/search/timeline',
    {
      config,
      preHandler: audit,
      schema: { tags, summary: 'Count the hits of a search by month', querystring: TimelineQuery, response: { 200: TimelineResponse } },
    },
    (request) => countByMonth(deps, reader, callerOf(request), request.query),
  );

  /** Values of a keyword field with this prefix, counted over what the caller may see. Principals are counted by access class. */
  const valuesWithPrefix = async (
    field: string,
    principal: Principal,
    { q = '', limit = 20, ...params }: PrefixQuery,
  ): Promise<Counted[]> => {
    const visibility = await visibilityOf(db, principal);
    const scope = scopeFilter(visibility, settings.searchScopeFilterCeiling);
    const guarded = field === 'perm_class' ? permissionScope(visibility) : null;
    const filters = (await parameterFilters(db, visibility, { ...params, include_sidecars: true })).map(({ filter }) => filter);
    const filter: Filter = {
      and: [...filters, ...(await excludeRemovedLibraries(db, principal)), ...(scope ? [scope] : []), ...(guarded ? [guarded] : [])],
    };
    if (field === 'perm_class') {
      const { facets } = await searchIndex(reader, { filter, limit: 0, facets: [everyClass] });
      return countByPrincipal(db, facets[field] ?? [], 'readers', { prefix: q, limit });
    }
    const results = await Promise.all(
      spellings(q).map((prefix) => searchIndex(reader, { filter, limit: 0, facets: [{ field, limit, ...(prefix ? { prefix } : {}) }] })),
    );
    const counts = new Map(results.flatMap(({ facets }) => facets[field] ?? []).map(({ value, count }) => [value, count]));
    const found = [...counts].map(([value, count]) => ({ value, count }));
    return found.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, limit);
  };
  const typeAhead = (path: string, name: 'tags' | 'principals', field: string, summary: string): void => {
    app.get(
      path,
      {
        config,
        preHandler: audit,
        schema: { tags, summary, querystring: PrefixQuery, response: { 200: Type.Object({ [name]: Type.Array(CountedValue) }) } },
      },
      async ({ query, principal }) => ({ [name]: await valuesWithPrefix(field, callerOf({ principal }), query) }),
    );
  };
  typeAhead('/search/tags', 'tags', 'tag', 'List tags by prefix with counts');
  typeAhead('/search/principals', 'principals', 'perm_class', 'List permission principals by prefix with counts');
}
