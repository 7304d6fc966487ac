import type { Principal } from '../../platform/principal.ts';
import type { Query, SortKey } from '@catalog/engine';
import { visibilityOf } from '../../people/access/index.ts';

import type { Dependencies } from '../../platform/dependencies.ts';
import { contentFields } from '../documents/index.ts';
import type { SearchReader } from '../engines/index.ts';
import { speaksOf } from '../language/index.ts';
import { suggestQueries, countWithoutEachFilter } from './explain-empty.ts';
import { fieldsToCount, pinnedFields, presentFacets } from './facets.ts';
import { type NamedFilter, parameterFilters } from './filters.ts';
import { boostOpened } from './frecency.ts';
import { readGeo } from './geo.ts';
import { histogramBounds, presentHistograms } from './histograms.ts';
import { hydrate } from './hydrate.ts';
import { cursorKey, readPage, readPosition } from './place.ts';
import { excludeRemovedLibraries } from './removed-libraries.ts';
import type { SearchParams } from './schemas.ts';
import { partitionsFor } from './shares.ts';
import { type InterpretedQuery, interpretQuery } from './understand.ts';

/** Fields whose matched words are marked or cut into a snippet. */
const matchedFields = ['title', 'filename', 'path', 'notes', ...contentFields];

export async function search(deps: Dependencies, reader: SearchReader, principal: Principal, params: SearchParams) {
  const { db, settings, clock } = deps;
  const visibility = await visibilityOf(db, principal);
  const geo = readGeo(params);
  const place = readPosition(params);
  // Ages count from the moment of the first page, so that later pages ask the same question.
  const now = place ? new Date(place.n) : clock.now();
  const { parsed, words: text, filters } = await interpretQuery({ db, visibility, now, reader }, params.q ?? '');
  const named: NamedFilter[] = [
    ...(await parameterFilters(db, applyDefaults(params, parsed))),
    ...filters,
    ...geo.filters.map((filter) => ({ name: 'geo', value: '', filter })),
  ];
  const present = await excludeRemovedLibraries(db, principal);
  const hasWords = text.trim() !== '';
  const shares = partitionsFor(visibility, { searchIn: params.search_in, hasWords, ceiling: settings.searchScopeFilterCeiling });
  const counted = params.facets !== false;
  const pinned = pinnedFields(named);
  const ranged = counted && params.histograms === true;
  const histograms = ranged ? histogramBounds(now) : [];
  const query: Query = {
    text,
    filter: { and: [...named.map(({ filter }) => filter), ...present] },
    sort: [...(geo.sort ? [geo.sort] : []), ...sortKeys(params.sort)],
    tieBreak: { field: 'mtime_sort', order: 'desc' },
    limit: params.limit ?? 50,
    deadlineMs: settings.searchCutoffMs,
    matches: hasWords ? matchedFields : [],
    stats: counted ? ['size', 'mtime', 'year'] : ['size'],
    sums: ['size'],
    histograms,
    ...(counted ? { facets: fieldsToCount(pinned, { has: ranged }) } : {}),
  };
  const key = cursorKey(params, shares);
  const { counts, ...page } = await readPage({ db, reader, shares, now }, query, { place, offset: params.offset, key });
  const isFirst = !place && !params.offset;
  const empty = counts.total === 0 && isFirst;
  const byRelevance = settings.frecencyEnabled && isFirst && hasWords && (query.sort ?? []).length === 0;
  const { hits, interest } = await hydrate(deps, page.hits, visibility, byRelevance ? principal : undefined);
  return {
    hits: boostOpened(hits, interest),
    total: counts.total,
    total_bytes: Number.isFinite(counts.stats['size']?.sum) ? counts.stats['size']!.sum : null,
    facets: presentFacets(counts, counted ? pinned : new Map()),
    facet_stats: Object.fromEntries(
      Object.entries(counts.stats)
        .filter(([, each]) => each.count > 0)
        .map(([name, { min, max }]) => [name, { min, max }]),
    ),
    histograms: presentHistograms(counts.histograms, histograms),
    next_cursor: page.next_cursor,
    degraded: counts.degraded,
    took_ms: Math.round(counts.tookMs * 100) / 100,
    did_you_mean: empty && hasWords ? await suggestQueries(reader, shares, query) : [],
    understood: parsed.chips,
    emptied_by: empty ? await countWithoutEachFilter(reader, shares, query, named, present) : [],
  };
}

/** A line that speaks of statuses or sidecars itself is not cut down to active items without sidecars. */
export function applyDefaults(params: SearchParams, parsed: InterpretedQuery['parsed']): SearchParams {
  const status = params.status ?? (speaksOf('status', parsed) ? 'any' : 'active');
  return { ...params, status, include_sidecars: params.include_sidecars || speaksOf('sidecar', parsed) };
}

function sortKeys(sort: string | undefined): SortKey[] {
  if (!sort || sort === 'relevance') return [];
  if (sort === 'newest') return [{ field: 'mtime_sort', order: 'desc' }];
  const [name = '', order] = sort.split(':');
  const field = { title: 'title_sort', name: 'filename_sort', path: 'path_sort' }[name] ?? name;
  const natural = ['title', 'name', 'path'].includes(name) ? 'asc' : 'desc';
  return [{ field, order: (order as 'asc' | 'desc' | undefined) ?? natural }];
}
