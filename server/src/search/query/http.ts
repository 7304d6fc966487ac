import type { Query } from '@catalog/engine';
import { type Static, Type } from 'typebox';
import { countByPrincipal } from '../../catalog/permissions/index.ts';
import type { Embedder } from '../../content/embeddings/index.ts';
import { visibilityOf } from '../../people/access/index.ts';
import { searchAudit } from '../../people/audit/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf, serializeWithoutSchema } from '../../platform/http/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { fieldProblem } from '../../platform/problem.ts';
import { Id, JsonObject, noExtraFields } from '../../platform/schemas.ts';
import { isEnabled } from '../../settings/index.ts';
import type { SearchReader } from '../engines/index.ts';
import { everyClass, fieldsToCount, pinnedFields, presentFacets } from './facets.ts';
import { excludeRemovedLibraries, parameterFilters, permissionScope } from './filters.ts';
import { hydrate, type PresentedHit } from './hits.ts';
import { createMeaning } from './meaning.ts';
import { readPage } from './pages.ts';
import { partitionsFor, scopeFilter, searchIndex } from './partitions.ts';
import { SearchQuery, SearchResponse } from './schemas.ts';
import { applyDefaults, interpretQuery, search } from './service.ts';

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

function itemSearchRoutes(app: App, deps: Dependencies, reader: SearchReader, embedder: Embedder): void {
  const meaning = createMeaning(deps, embedder);
  const { db, settings } = deps;
  const audit = searchAudit(deps);

  app.get(
    '/search',
    { config, preHandler: audit, schema: { tags, summary: 'Search items', querystring: SearchQuery, response: { 200: SearchResponse } } },
    async (request, reply) => {
      if ((request.query.semantic ?? 0) > 0 && !isEnabled(settings, 'SVC_SEMANTIC_ENABLED'))
        throw fieldProblem(['query', 'semantic'], 'Search by meaning is not available. Leave out semantic, or send 0.');
      serializeWithoutSchema(reply);
      return await search(deps, reader, callerOf(request), request.query, meaning);
    },
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
    const result = await searchIndex(reader, {
      filter: {
        and: [...filters, ...(await excludeRemovedLibraries(db, principal)), ...(scope ? [scope] : []), ...(guarded ? [guarded] : [])],
      },
      limit: 0,
      facets: [field === 'perm_class' ? everyClass : { field, limit, ...(q ? { prefix: q } : {}) }],
    });
    const counted = result.facets[field] ?? [];
    return field === 'perm_class' ? countByPrincipal(db, counted, 'readers', { prefix: q, limit }) : counted;
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

export function searchRoutes(app: App, deps: Dependencies, reader: SearchReader, embedder: Embedder): void {
  itemSearchRoutes(app, deps, reader, embedder);
  federatedRoutes(app, deps, reader);
}

const FederatedQuery = Type.Object(
  {
    q: Type.Optional(Type.String({ maxLength: 10_000, default: '' })),
    library: Type.Optional(Id),
    status: Type.Optional(Type.Enum(['active', 'missing', 'trashed', 'any'])),
    include_sidecars: Type.Optional(Type.Boolean({ default: false })),
    facets: Type.Optional(Type.Boolean({ default: false })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, default: 0 })),
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
  },
  { title: 'FederatedSearchResponse' },
);

/** Searches every index and merges the hits by score. Only items are indexed so far. */
function federatedRoutes(app: App, deps: Dependencies, reader: SearchReader): void {
  app.get(
    '/search/federated',
    {
      config: { scope: 'read' },
      preHandler: searchAudit(deps),
      schema: {
        tags: ['search'],
        summary: 'Search items and passages together',
        querystring: FederatedQuery,
        response: { 200: FederatedResponse },
      },
    },
    (request) => searchItems(deps, reader, callerOf(request), request.query),
  );
}

async function searchItems(
  deps: Dependencies,
  reader: SearchReader,
  principal: Principal,
  { q = '', library, limit = 20, offset = 0, facets = false, ...rest }: Static<typeof FederatedQuery>,
) {
  const { db, settings, clock } = deps;
  const visibility = await visibilityOf(db, principal);
  const now = clock.now();
  const { parsed, words, filters } = await interpretQuery({ db, visibility, now, reader }, q);
  const params = applyDefaults({ ...rest, ...(library ? { library: [library] } : {}) }, parsed);
  const named = [...(await parameterFilters(db, visibility, params)), ...filters];
  const partitions = partitionsFor(visibility, { hasWords: words.trim() !== '', ceiling: settings.searchScopeFilterCeiling });
  const pinned = pinnedFields(named);
  const query: Query = {
    text: words,
    filter: { and: [...named.map(({ filter }) => filter), ...(await excludeRemovedLibraries(db, principal))] },
    tieBreak: { field: 'mtime_sort', order: 'desc' },
    limit,
    deadlineMs: settings.searchCutoffMs,
    ...(facets ? { facets: fieldsToCount(pinned) } : {}),
  };
  const result = await readPage({ db, reader, partitions, now }, query, { position: null, offset, key: '' });
  const { hits } = await hydrate(deps, result.hits, visibility);
  const facets_by_index: Record<string, ReturnType<typeof presentFacets>> = facets ? { items: presentFacets(result.counts, pinned) } : {};
  return {
    hits: hits.map((hit) => ({ source: 'items' as const, item_id: hit.id, score: hit.score, fields: itemFields(hit) })),
    total: result.counts.total,
    limit,
    offset,
    indexes: ['items' as const],
    facets_by_index,
  };
}

function itemFields(hit: PresentedHit) {
  const { id, library_id, title, filename, rel_path, extension, size, mtime, file_category, file_group, tags } = hit;
  return { id, library_id, title, filename, rel_path, extension, size, mtime, file_category, file_group, tags };
}
