import type { Query } from '@catalog/engine';
import { visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Principal } from '../../platform/principal.ts';
import { problem } from '../../platform/problem.ts';
import type { SearchReader } from '../engines/index.ts';
import { excludeRemovedLibraries, parameterFilters, readGeo } from './filters.ts';
import type { Meaning } from './meaning.ts';
import { maxMixedHits, readPage } from './pages.ts';
import { partitionsFor } from './partitions.ts';
import type { SearchParams } from './schemas.ts';
import { applyDefaults, interpretQuery, sortKeys } from './service.ts';

interface HitIds {
  total: number;
  /** The ids of all hits in the order of the search, in pages of this size. */
  pages(size: number): AsyncGenerator<string[]>;
}

/**
 * Every hit that GET /search lists, or the first `limit` of them, for an export. Its pages continue where the last one ended, so the index may
 * change on the way. It never goes by words where the list would go by meaning: nobody would see that the file holds other hits.
 */
export async function findAllHits(
  deps: Dependencies,
  { reader, meaning }: { reader: SearchReader; meaning: Meaning },
  principal: Principal,
  { limit: most = Number.POSITIVE_INFINITY, ...params }: SearchParams,
): Promise<HitIds> {
  const { db, settings, clock } = deps;
  const visibility = await visibilityOf(db, principal);
  const geo = readGeo(params);
  const now = clock.now();
  const { parsed, words, filters } = await interpretQuery({ db, visibility, now, reader }, params.q ?? '');
  const named = [...(await parameterFilters(db, visibility, applyDefaults(params, parsed))), ...filters].map(({ filter }) => filter);
  const hasWords = words.trim() !== '';
  const partitions = partitionsFor(visibility, { searchIn: params.search_in, hasWords, ceiling: settings.searchScopeFilterCeiling });
  const byWords: Query = {
    text: words,
    filter: { and: [...named, ...geo.filters, ...(await excludeRemovedLibraries(db, principal))] },
    sort: [...(geo.sort ? [geo.sort] : []), ...sortKeys(params.sort)],
    tieBreak: { field: 'mtime_sort', order: 'desc' },
  };
  const { query, passing } = await meaning.mix(byWords, params, partitions);
  if (passing)
    throw problem(
      'unavailable',
      'Search by meaning is not available, so the export would have other files than the list. Try again shortly, or search by words only.',
    );
  const read = (limit: number, after: string | null) =>
    readPage(
      { db, reader, partitions, now },
      { ...query, limit },
      { position: after === null ? null : { k: '', a: after, n: now.getTime() }, key: '' },
    );
  // How many hits a search by meaning has depends on how many are read.
  const { counts } = await read(query.vector ? Math.min(most, maxMixedHits) : 1, null);
  return {
    total: Math.min(counts.total, most),
    async *pages(size) {
      let after: string | null = null;
      for (let left = most; left > 0; ) {
        const page = await read(Math.min(size, left), after);
        if (page.hits.length > 0) yield page.hits.map(({ id }) => id);
        left -= page.hits.length;
        after = readNext(page.next_cursor);
        if (after === null) return;
      }
    },
  };
}

function readNext(cursor: string | null): string | null {
  return cursor === null ? null : (JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as { a: string }).a;
}
