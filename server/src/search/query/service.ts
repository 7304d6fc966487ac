import type { Answer, Filter, Query, SortKey } from '@catalog/engine';
import { createHash } from 'node:crypto';
import { type Action, type Visibility, visibilityOf } from '../../people/access/index.ts';
import { decodeCursor, encodeCursor, type Principal, problem } from '../../platform/http/index.ts';
import type { Parts } from '../../platform/parts.ts';
import { contentFields, nameFields } from '../documents/index.ts';
import { type SearchReader, SearchUnavailable } from '../engines/index.ts';
import { speaksOf } from '../language/index.ts';
import { type NamedFilter, parameterFilters } from './filters.ts';
import { interestIn, lift } from './frecency.ts';
import { geoOf } from './geo.ts';
import { histogramBounds, presentHistograms } from './histograms.ts';
import { hydrate } from './hydrate.ts';
import { nearWords } from './near-words.ts';
import type { SearchParams } from './schemas.ts';
import { scopeFilter } from './scope-filter.ts';
import { type Understood, understand } from './understand.ts';

/** Facets of an answer and the fields of the index they are counted over. */
export const facetFields = {
  library_id: 'library_id',
  file_category: 'file_category',
  file_group: 'file_group',
  extension: 'extension',
  year: 'year_text',
  tags: 'tag',
  status: 'status',
  is_sidecar: 'is_sidecar',
  has: 'has',
} as const;

export async function search({ db, settings, clock }: Parts, reader: SearchReader, principal: Principal, params: SearchParams) {
  const visibility = await visibilityOf(db, principal);
  const geo = geoOf(params);
  const cursor = decodeCursor(params.cursor, isPlace);
  // Ages count from the moment of the first page, so that later pages ask the same question.
  const now = cursor ? new Date(cursor.n) : clock.now();
  const { parsed, words: text, filters } = await understand({ db, visibility, now }, params.q ?? '');
  const named: NamedFilter[] = [
    ...(await parameterFilters(db, withoutDefaults(params, parsed))),
    ...filters,
    ...geo.filters.map((filter) => ({ name: 'geo', value: '', filter })),
  ];
  const action: Action = params.search_in === 'content' ? 'search_content' : 'search_metadata';
  const scope = scopeFilter(visibility, settings.searchScopeFilterCeiling, action);
  const fields = fieldsFor(params, readsContentEverywhere(visibility));
  const histograms = params.facets === false ? [] : histogramBounds(now);
  const query: Query = {
    text,
    ...(fields ? { fields } : {}),
    filter: allOf([...named.map(({ filter }) => filter), ...(scope ? [scope] : [])]),
    sort: [...(geo.sort ? [geo.sort] : []), ...sortKeys(params.sort)],
    tieBreak: { field: 'mtime_sort', order: 'desc' },
    limit: params.limit ?? 50,
    deadlineMs: settings.searchCutoffMs,
    matches: ['title', 'filename', 'path', 'notes', ...contentFields],
    stats: ['size', 'mtime', 'year'],
    histograms,
    ...(params.facets === false ? {} : { facets: Object.values(facetFields) }),
  };
  const key = digestOf(params, scope);
  if (cursor && cursor.k !== key) throw problem('cursor_invalid');
  const answer = await ask(reader, cursor ? { ...query, after: cursor.a } : query);
  const empty = answer.total === 0 && !cursor;
  const byRelevance = settings.frecencyEnabled && !cursor && text.trim() !== '' && (query.sort ?? []).length === 0;
  const [hits, interest] = await Promise.all([
    hydrate(db, answer.hits, visibility),
    byRelevance
      ? interestIn(
          db,
          principal,
          answer.hits.map(({ id }) => id),
        )
      : new Map<string, number>(),
  ]);
  return {
    hits: lift(hits, interest),
    total: answer.total,
    total_bytes: Number.isFinite(answer.stats['size']?.sum) ? answer.stats['size']!.sum : null,
    facets: presentFacets(answer),
    facet_stats: Object.fromEntries(
      Object.entries(answer.stats)
        .filter(([, each]) => each.count > 0)
        .map(([name, { min, max }]) => [name, { min, max }]),
    ),
    histograms: presentHistograms(answer.histograms, histograms),
    next_cursor: answer.after ? encodeCursor({ k: key, a: answer.after, n: now.getTime() }) : null,
    degraded: answer.degraded,
    took_ms: Math.round(answer.tookMs * 100) / 100,
    did_you_mean: empty && text.trim() !== '' ? await suggestions(reader, query) : [],
    understood: parsed.chips,
    emptied_by: empty ? await whichEmptied(reader, query, named, scope) : [],
  };
}

export function presentFacets(answer: Answer): Record<string, Record<string, number>> {
  return Object.fromEntries(
    Object.entries(facetFields).map(([name, field]) => [
      name,
      Object.fromEntries((answer.facets[field] ?? []).map(({ value, count }) => [value, count])),
    ]),
  );
}

/** A line that speaks of statuses or sidecars itself is not cut down to active items without sidecars. */
export function withoutDefaults(params: SearchParams, parsed: Understood['parsed']): SearchParams {
  const status = params.status ?? (speaksOf('status', parsed) ? 'any' : 'active');
  return { ...params, status, include_sidecars: params.include_sidecars || speaksOf('sidecar', parsed) };
}

/** The one way to the index: its troubles become a 503 in words, a mistake in the query a 422. */
export async function ask(reader: SearchReader, query: Query): Promise<Answer> {
  try {
    return await reader.search(query);
  } catch (error) {
    if (error instanceof SearchUnavailable) throw problem('search_unavailable');
    if ((error as { code?: string }).code === 'bad_query')
      throw query.after ? problem('cursor_invalid') : problem('query_invalid', (error as Error).message);
    throw error;
  }
}

/** Someone who may find but not read content in some places must not find by content there: then names alone are searched. */
export function fieldsFor({ search_in }: Pick<SearchParams, 'search_in'>, contentEverywhere: boolean): readonly string[] | null {
  if (search_in === 'content') return contentFields;
  return search_in === 'names' || !contentEverywhere ? nameFields : null;
}

export function readsContentEverywhere(visibility: Visibility): boolean {
  return (
    visibility.everything || JSON.stringify(visibility.scope('search_metadata')) === JSON.stringify(visibility.scope('search_content'))
  );
}

function sortKeys(sort: string | undefined): SortKey[] {
  if (!sort || sort === 'relevance') return [];
  if (sort === 'newest') return [{ field: 'mtime_sort', order: 'desc' }];
  const [name = '', order] = sort.split(':');
  const field = { title: 'title_sort', name: 'filename_sort', path: 'path_sort' }[name] ?? name;
  const natural = ['title', 'name', 'path'].includes(name) ? 'asc' : 'desc';
  return [{ field, order: (order as 'asc' | 'desc' | undefined) ?? natural }];
}

export function allOf(filters: readonly Filter[]): Filter {
  return { and: [...filters] };
}

interface Place {
  k: string;
  a: string;
  n: number;
}

function isPlace(value: unknown): value is Place {
  const { k, a, n } = (value ?? {}) as Partial<Place>;
  return typeof k === 'string' && typeof a === 'string' && typeof n === 'number' && Math.abs(n) <= 8.64e15;
}

/** A cursor belongs to one query of one caller: parameters and rights are part of it; how much is shown is not. */
function digestOf({ cursor: _, limit: __, facets: ___, ...params }: SearchParams, scope: Filter | null): string {
  return createHash('sha256')
    .update(JSON.stringify([params, scope]))
    .digest('base64url')
    .slice(0, 16);
}

/** Near words of the index, as whole lines; only those that find something the caller may see: the words of hidden files stay hidden. */
async function suggestions(reader: SearchReader, { text = '', fields, filter }: Query): Promise<string[]> {
  const words = text
    .split(/\s+/)
    .filter((word) => /^[\p{L}\p{N}]{3,}$/u.test(word))
    .slice(-3);
  const near = await Promise.all(
    words.map(async (word) => (await nearWords(reader, word, 3)).map((each) => text.replace(word, each).trim())),
  );
  const lines = await Promise.all(
    [...new Set(near.flat())].map(async (line) => {
      const { total } = await ask(reader, { text: line, ...(fields ? { fields } : {}), ...(filter ? { filter } : {}), limit: 0 });
      return total > 0 ? [line] : [];
    }),
  );
  return lines.flat().slice(0, 5);
}

/** For each filter: how many would be there without it. */
async function whichEmptied(reader: SearchReader, query: Query, named: readonly NamedFilter[], scope: Filter | null) {
  const removable = named.filter(({ name }) => !['include_sidecars'].includes(name)).slice(0, 12);
  const rows = await Promise.all(
    removable.map(async (left) => {
      const rest = named.filter((each) => each !== left).map(({ filter }) => filter);
      const answer = await ask(reader, {
        text: query.text ?? '',
        ...(query.fields ? { fields: query.fields } : {}),
        filter: allOf([...rest, ...(scope ? [scope] : [])]),
        limit: 0,
      });
      return { filter: left.name, value: left.value, without: answer.total };
    }),
  );
  return rows.filter(({ without }) => without > 0).sort((a, b) => b.without - a.without);
}
