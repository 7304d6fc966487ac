import { Type } from 'typebox';
import { recordEvent } from '../../people/audit/index.ts';
import { visibilityOf } from '../../people/access/index.ts';
import type { App } from '../../platform/http/index.ts';
import type { Parts } from '../../platform/parts.ts';
import type { SearchReader } from '../engines/index.ts';
import { parameterFilters } from './filters.ts';
import { SearchQuery, SearchResponse } from './schemas.ts';
import { scopeFilter } from './scope-filter.ts';
import { allOf, ask, search } from './service.ts';

const tags = ['search'];
const config = { scope: 'read' } as const;

export function searchRoutes(app: App, parts: Parts, reader: SearchReader): void {
  const { db, settings } = parts;

  app.get(
    '/search',
    { config, schema: { tags, summary: 'Find items', querystring: SearchQuery, response: { 200: SearchResponse } } },
    async (request) => {
      if (settings.auditReads)
        await recordEvent(db, {
          event_type: 'search',
          principal_id: request.principal?.id ?? null,
          ip: request.clientAddress,
          details: { ...request.query },
        });
      return (await search(parts, reader, request.principal!, request.query)) as never;
    },
  );

  app.get(
    '/search/tags',
    {
      config,
      schema: {
        tags,
        summary: 'Tags that begin so, with counts',
        querystring: Type.Object({
          q: Type.Optional(Type.String({ maxLength: 200, default: '' })),
          file_category: Type.Optional(Type.Array(Type.String({ maxLength: 64 }))),
          library: Type.Optional(Type.Array(Type.String({ format: 'uuid' }))),
          status: Type.Optional(Type.Enum(['active', 'missing', 'trashed', 'any'])),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
        }),
        response: { 200: Type.Object({ tags: Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() })) }) },
      },
    },
    async ({ query, principal }) => {
      const { q = '', limit = 20, ...params } = query;
      const scope = scopeFilter(await visibilityOf(db, principal!), settings.searchScopeFilterCeiling);
      const filters = (await parameterFilters(db, { ...params, include_sidecars: true } as never)).map(({ filter }) => filter);
      const answer = await ask(reader, {
        filter: allOf([...filters, ...(scope ? [scope] : [])]),
        limit: 0,
        facets: [{ field: 'tag', limit, ...(q ? { prefix: q } : {}) }],
      });
      return { tags: answer.facets['tag'] ?? [] };
    },
  );
}
