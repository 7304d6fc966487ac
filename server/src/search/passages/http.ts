import { Type } from 'typebox';
import type { Embedder } from '../../content/embeddings/index.ts';
import { searchAudit } from '../../people/audit/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import { Id, JsonObject, noExtraFields, nullable } from '../../platform/schemas.ts';
import { createMeaning, SemanticReport } from '../query/index.ts';
import { type SearchReaders, searchFederated } from './federated.ts';
import { PassageOut } from './present.ts';
import { listPassages, searchPassages } from './service.ts';

const tags = ['search'];
const config = { scope: 'read' } as const;
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 }));
const offset = Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, default: 0 }));

const semantic = Type.Optional(
  Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0,
    description: 'How much meaning counts beside words: 0 is words only, 1 is meaning only. Ignored while search by meaning is off.',
  }),
);

const FederatedQuery = Type.Object(
  {
    q: Type.Optional(Type.String({ maxLength: 10_000, default: '' })),
    library: Type.Optional(Id),
    status: Type.Optional(Type.Enum(['active', 'missing', 'trashed', 'any'])),
    include_sidecars: Type.Optional(Type.Boolean({ default: false })),
    facets: Type.Optional(Type.Boolean({ default: false })),
    semantic,
    limit,
    offset,
  },
  noExtraFields,
);

const FederatedHit = Type.Object(
  { source: Type.Enum(['items', 'passages']), item_id: Id, score: Type.Number({ minimum: 0, maximum: 1 }), fields: JsonObject },
  { title: 'FederatedHit' },
);

const FederatedResponse = Type.Object(
  {
    hits: Type.Array(FederatedHit),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
    indexes: Type.Array(Type.Enum(['items', 'passages'])),
    facets_by_index: Type.Record(Type.String(), Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer()))),
    degraded: Type.Boolean({ description: 'The search stopped early or without meaning, so hits may be missing.' }),
    semantic: nullable(SemanticReport),
  },
  { title: 'FederatedSearchResponse' },
);

const PassageFile = Type.Object(
  {
    item_id: Id,
    filename: Type.String(),
    library_id: Id,
    rel_path: Type.String(),
    score: Type.Number({ minimum: 0, maximum: 1 }),
    matches: Type.Integer({ description: 'How many passages of the file match.' }),
    passages: Type.Array(
      Type.Object({
        ...PassageOut.properties,
        score: Type.Number({ minimum: 0, maximum: 1 }),
        matched_by: nullable(Type.Enum(['words', 'meaning', 'both'])),
        snippet: nullable(
          Type.String({ description: 'The text around the matching words, or the beginning of the passage, as HTML with <em>.' }),
        ),
      }),
    ),
  },
  { title: 'PassageFile' },
);

export function passageRoutes(app: App, deps: Dependencies, readers: SearchReaders, embedder: Embedder): void {
  const meaning = createMeaning(deps, embedder);
  const preHandler = searchAudit(deps);
  app.get(
    '/search/federated',
    {
      config,
      preHandler,
      schema: { tags, summary: 'Search items and passages together', querystring: FederatedQuery, response: { 200: FederatedResponse } },
    },
    (request) => searchFederated(deps, readers, callerOf(request), request.query, meaning),
  );

  app.get(
    '/search/passages',
    {
      config,
      preHandler,
      schema: {
        tags,
        summary: 'Search passages, grouped by file',
        description: 'Finds passages of active files in libraries with passage search, where the caller may read content.',
        querystring: Type.Object(
          {
            q: Type.Optional(Type.String({ maxLength: 10_000, default: '' })),
            library: Type.Optional(Type.Array(Type.String({ format: 'uuid' }))),
            semantic,
            limit,
            offset,
          },
          noExtraFields,
        ),
        response: {
          200: Type.Object(
            {
              available: Type.Boolean({ description: 'False when no library has passage search, or its index is not built yet.' }),
              files: Type.Array(PassageFile),
              total: Type.Integer({ description: 'Files among the best 1,000 matching passages.' }),
              limit: Type.Integer(),
              offset: Type.Integer(),
              degraded: Type.Boolean(),
              semantic: nullable(SemanticReport),
            },
            { title: 'PassageSearchResponse' },
          ),
        },
      },
    },
    (request) => searchPassages(deps, readers, callerOf(request), { ...request.query, q: request.query.q ?? '' }, meaning),
  );

  app.get(
    '/items/:item_id/passages',
    {
      config,
      schema: {
        tags: ['content'],
        summary: 'List the passages of a file',
        description: 'Needs the right `search_content`.',
        params: Type.Object({ item_id: Id }),
        querystring: Type.Object(
          { from: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })), limit },
          noExtraFields,
        ),
        response: { 200: Type.Object({ passages: Type.Array(PassageOut), total: Type.Integer() }, { title: 'PassagesOfItem' }) },
      },
    },
    ({ principal, params, query }) => listPassages(deps, callerOf({ principal }), params.item_id, query),
  );
}
