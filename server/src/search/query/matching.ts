import type { Query } from '@catalog/engine';
import { visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Principal } from '../../platform/principal.ts';
import type { SearchReader } from '../engines/index.ts';
import { excludeRemovedLibraries, parameterFilters, readGeo } from './filters.ts';
import { readPage } from './pages.ts';
import { partitionsFor } from './partitions.ts';
import type { SearchParams } from './schemas.ts';
import { applyDefaults, interpretQuery } from './service.ts';

/**
 * The ids that a search finds for a caller, in no particular order: among `among`, or the first `limit` of all. It is the same query that
 * GET /search runs, without facets, snippets and ranking.
 */
export async function matchingIds(
  { db, settings, clock }: Pick<Dependencies, 'db' | 'settings' | 'clock'>,
  reader: SearchReader,
  principal: Principal,
  params: SearchParams,
  { among, limit }: { among?: readonly string[]; limit: number },
): Promise<string[]> {
  const visibility = await visibilityOf(db, principal);
  const now = clock.now();
  const {
    parsed,
    words: text,
    filters,
  } = await interpretQuery({ db, visibility, now, reader }, params.q ?? '', {
    typing: false,
    ...(among ? { among } : {}),
  });
  const named = [...(await parameterFilters(db, visibility, applyDefaults(params, parsed))), ...filters].map(({ filter }) => filter);
  const partitions = partitionsFor(visibility, {
    searchIn: params.search_in,
    hasWords: text.trim() !== '',
    ceiling: settings.searchScopeFilterCeiling,
  });
  const query: Query = {
    text,
    filter: {
      and: [
        ...named,
        ...readGeo(params).filters,
        ...(await excludeRemovedLibraries(db, principal)),
        ...(among ? [{ in: ['id', among] as [string, readonly string[]] }] : []),
      ],
    },
    sort: [],
    tieBreak: { field: 'mtime_sort', order: 'desc' },
    limit,
  };
  const { hits } = await readPage({ db, reader, partitions, now }, query, { position: null, key: '' });
  return hits.map(({ id }) => id);
}
