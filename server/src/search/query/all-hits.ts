import type { Query } from '@catalog/engine';
import { visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Principal } from '../../platform/principal.ts';
import type { SearchReader } from '../engines/index.ts';
import { excludeRemovedLibraries, parameterFilters, readGeo } from './filters.ts';
import { readPage } from './pages.ts';
import { partitionsFor } from './partitions.ts';
import type { SearchParams } from './schemas.ts';
import { applyDefaults, interpretQuery, sortKeys } from './service.ts';

interface HitIds {
  total: number;
  /** The ids of all hits in the order of the search, in pages of this size. */
  pages(size: number): AsyncGenerator<string[]>;
}

/** Every hit of a search, for an export. Its pages continue where the last one ended, so the index may change on the way. */
export async function findAllHits(deps: Dependencies, reader: SearchReader, principal: Principal, params: SearchParams): Promise<HitIds> {
  const { db, settings, clock } = deps;
  const visibility = await visibilityOf(db, principal);
  const geo = readGeo(params);
  const now = clock.now();
  const { parsed, words, filters } = await interpretQuery({ db, visibility, now, reader }, params.q ?? '');
  const named = [...(await parameterFilters(db, visibility, applyDefaults(params, parsed))), ...filters].map(({ filter }) => filter);
  const hasWords = words.trim() !== '';
  const partitions = partitionsFor(visibility, { searchIn: params.search_in, hasWords, ceiling: settings.searchScopeFilterCeiling });
  const query: Query = {
    text: words,
    filter: { and: [...named, ...geo.filters, ...(await excludeRemovedLibraries(db, principal))] },
    sort: [...(geo.sort ? [geo.sort] : []), ...sortKeys(params.sort)],
    tieBreak: { field: 'mtime_sort', order: 'desc' },
  };
  const read = (limit: number, after: string | null) =>
    readPage(
      { db, reader, partitions, now },
      { ...query, limit },
      { position: after === null ? null : { k: '', a: after, n: now.getTime() }, key: '' },
    );
  const { counts } = await read(1, null);
  return {
    total: counts.total,
    async *pages(size) {
      for (let after: string | null = null; ; ) {
        const page = await read(size, after);
        if (page.hits.length > 0) yield page.hits.map(({ id }) => id);
        const next = readNext(page.next_cursor);
        if (next === null) return;
        after = next;
      }
    },
  };
}

function readNext(cursor: string | null): string | null {
  return cursor === null ? null : (JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as { a: string }).a;
}
