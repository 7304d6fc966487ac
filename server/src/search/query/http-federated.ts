import { callerOf } from '../../platform/http/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { Id, noExtraFields, JsonObject } from '../../platform/schemas.ts';
import type { Query } from '@catalog/engine';
import { type Static, Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import type { App } from '../../platform/http/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { SearchReader } from '../engines/index.ts';
import { fieldsToCount, pinnedFields, presentFacets } from './facets.ts';
import { parameterFilters } from './filters.ts';
import { hydrate, type PresentedHit } from './hydrate.ts';
import { readPage } from './place.ts';
import { excludeRemovedLibraries } from './removed-libraries.ts';
import { applyDefaults } from './service.ts';
import { partitionsFor } from './shares.ts';
import { interpretQuery } from './understand.ts';

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

/** One question to every index there is, merged by score. While no passages exist, the items answer alone. */
export function federatedRoutes(app: App, deps: Dependencies, reader: SearchReader): void {
  app.get(
    '/search/federated',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['search'],
        summary: 'Find items and passages together',
        querystring: FederatedQuery,
        response: { 200: FederatedResponse },
      },
    },
    (request) => searchItems(deps, reader, callerOf(request), request.query) as never,
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
  const named = [...(await parameterFilters(db, params)), ...filters];
  const shares = partitionsFor(visibility, { hasWords: words.trim() !== '', ceiling: settings.searchScopeFilterCeiling });
  const pinned = pinnedFields(named);
  const query: Query = {
    text: words,
    filter: { and: [...named.map(({ filter }) => filter), ...(await excludeRemovedLibraries(db, principal))] },
    tieBreak: { field: 'mtime_sort', order: 'desc' },
    limit,
    deadlineMs: settings.searchCutoffMs,
    ...(facets ? { facets: fieldsToCount(pinned) } : {}),
  };
  const answer = await readPage({ db, reader, shares, now }, query, { place: null, offset, key: '' });
  const { hits } = await hydrate(deps, answer.hits, visibility);
  return {
    hits: hits.map((hit) => ({ source: 'items', item_id: hit.id, score: hit.score, fields: itemFields(hit) })),
    total: answer.counts.total,
    limit,
    offset,
    indexes: ['items'],
    facets_by_index: facets ? { items: presentFacets(answer.counts, pinned) } : {},
  };
}

function itemFields(hit: PresentedHit) {
  const { id, library_id, title, filename, rel_path, extension, size, mtime, file_category, file_group, tags } = hit;
  return { id, library_id, title, filename, rel_path, extension, size, mtime, file_category, file_group, tags };
}
