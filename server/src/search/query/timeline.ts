import { type Static, Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Principal } from '../../platform/principal.ts';
import type { SearchReader } from '../engines/index.ts';
import { excludeRemovedLibraries, parameterFilters, readGeo } from './filters.ts';
import { partitionsFor, searchPartition } from './partitions.ts';
import { SearchQuery } from './schemas.ts';
import { applyDefaults, interpretQuery } from './service.ts';

const filters = Type.Omit(SearchQuery, ['sort', 'geo_sort', 'semantic', 'facets', 'histograms', 'limit', 'cursor', 'offset']).properties;

export const TimelineQuery = Type.Object(
  {
    ...filters,
    date: Type.Optional(
      Type.Enum(['taken', 'modified'], {
        default: 'taken',
        description: 'Which date counts: when a photo was taken, or when a file was modified.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const TimelineResponse = Type.Object(
  {
    date: Type.Enum(['taken', 'modified']),
    months: Type.Array(
      Type.Object({
        from: Type.Integer({ description: 'Start of the month in seconds since 1970.' }),
        to: Type.Integer({ description: 'Start of the next month.' }),
        count: Type.Integer(),
      }),
      { description: 'Newest first, without empty months.' },
    ),
    undated: Type.Integer({ description: 'Hits without a valid date. They come last when sorted by this date.' }),
    total: Type.Integer(),
  },
  { title: 'SearchTimeline' },
);

const fields = { taken: 'taken', modified: 'mtime_sort' } as const;
const startOf = (year: number, month = 0): number => Date.UTC(year, month, 1) / 1000;
/** Photographs are not older than this; `mtime_sort` is 0 for a date that cannot be right. */
const earliest = { taken: startOf(1826), modified: 1 };

/**
 * Counts the hits of a search by month. A client that also sorts by `taken` or `newest` knows from it where each month begins, so it can lay
 * out the whole timeline before it has loaded any file.
 */
export async function countByMonth(
  { db, settings, clock }: Dependencies,
  reader: SearchReader,
  principal: Principal,
  { date = 'taken', ...params }: Static<typeof TimelineQuery>,
): Promise<Static<typeof TimelineResponse>> {
  const visibility = await visibilityOf(db, principal);
  const now = clock.now();
  const { parsed, words: text, filters: fromQuery } = await interpretQuery({ db, visibility, now, reader }, params.q ?? '');
  const named = [...(await parameterFilters(db, visibility, applyDefaults(params, parsed))), ...fromQuery].map(({ filter }) => filter);
  const filter = { and: [...named, ...readGeo(params).filters, ...(await excludeRemovedLibraries(db, principal))] };
  const partitions = partitionsFor(visibility, {
    searchIn: params.search_in,
    hasWords: text.trim() !== '',
    ceiling: settings.searchScopeFilterCeiling,
  });
  const field = fields[date];
  const ends = await Promise.all(partitions.map((each) => searchPartition(reader, each, { text, filter, limit: 0, stats: [field] })));
  const total = ends.reduce((sum, each) => sum + each.total, 0);
  const dated = ends.map(({ stats }) => stats[field]).filter((each) => each !== undefined && each.count > 0 && each.max >= earliest[date]);
  if (dated.length === 0) return { date, months: [], undated: total, total };
  const first = new Date(Math.max(earliest[date], Math.min(...dated.map((each) => each?.min ?? 0))) * 1000);
  const last = new Date(Math.max(...dated.map((each) => each?.max ?? 0)) * 1000);
  const bounds = [Math.max(earliest[date], startOf(first.getUTCFullYear(), first.getUTCMonth()))];
  for (let at = first.getUTCFullYear() * 12 + first.getUTCMonth() + 1; at <= last.getUTCFullYear() * 12 + last.getUTCMonth() + 1; at += 1)
    bounds.push(startOf(Math.floor(at / 12), at % 12));
  const counted = await Promise.all(
    partitions.map((each) => searchPartition(reader, each, { text, filter, limit: 0, histograms: [{ field, bounds }] })),
  );
  const months = bounds
    .slice(1)
    .map((to, at) => ({ from: bounds[at] ?? 0, to, count: counted.reduce((sum, each) => sum + (each.histograms[field]?.[at] ?? 0), 0) }))
    .filter(({ count }) => count > 0)
    .reverse();
  return { date, months, undated: total - months.reduce((sum, { count }) => sum + count, 0), total };
}
