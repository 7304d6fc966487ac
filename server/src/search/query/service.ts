import type { Filter, Query, SortKey } from '@catalog/engine';
import { type RawBuilder, sql } from 'kysely';
import { type Visibility, visibilityOf } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Principal } from '../../platform/principal.ts';
import { contentFields, sortedFacts } from '../documents/index.ts';
import type { SearchReader } from '../engines/index.ts';
import {
  checkKinds,
  type Expression,
  fieldName,
  filtersBy,
  indexFilter,
  indexText,
  isNative,
  type ParsedQuery,
  parseQuery,
  resolveAccess,
  sqlCondition,
  unsearchableWords,
} from '../language/index.ts';
import { countWithoutEachFilter, suggestQueries } from './explain-empty.ts';
import { fieldsToCount, histogramBounds, pinnedFields, presentFacets, presentHistograms } from './facets.ts';
import { excludeRemovedLibraries, type NamedFilter, parameterFilters, permissionScope, readGeo } from './filters.ts';
import { boostOpened } from './frecency.ts';
import { hydrate } from './hits.ts';
import type { Meaning } from './meaning.ts';
import { ownerFacet } from './owner-facet.ts';
import { continueBy, cursorKey, readPage, readPosition } from './pages.ts';
import { partitionsFor, searchIndex } from './partitions.ts';
import type { SearchParams } from './schemas.ts';

/** Fields whose matched words are highlighted or used for the snippet. */
const matchedFields = ['title', 'filename', 'path', 'notes', ...contentFields];

export async function search(deps: Dependencies, reader: SearchReader, principal: Principal, params: SearchParams, meaning?: Meaning) {
  const { db, settings, clock } = deps;
  const visibility = await visibilityOf(db, principal);
  const geo = readGeo(params);
  const position = readPosition(params);
  // Ages are relative to the first page, so that later pages run the same query.
  const now = position ? new Date(position.n) : clock.now();
  const { parsed, words: text, filters } = await interpretQuery({ db, visibility, now, reader }, params.q ?? '');
  const named: NamedFilter[] = [
    ...(await parameterFilters(db, visibility, applyDefaults(params, parsed))),
    ...filters,
    ...geo.filters.map((filter) => ({ name: 'geo', value: '', filter })),
  ];
  const present = await excludeRemovedLibraries(db, principal);
  const hasWords = text.trim() !== '';
  const partitions = partitionsFor(visibility, { searchIn: params.search_in, hasWords, ceiling: settings.searchScopeFilterCeiling });
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
    stats: counted ? ['size', 'mtime', 'taken', 'year'] : ['size'],
    sums: ['size'],
    histograms,
    ...(counted ? { facets: fieldsToCount(pinned, { ranged }) } : {}),
  };
  const key = cursorKey(params, partitions);
  const mixed = continueBy(position, query, (await meaning?.mix(query, params, partitions)) ?? { query, report: null });
  const { counts, ...page } = await readPage({ db, reader, partitions, now }, mixed.query, { position, offset: params.offset, key });
  const isFirst = !position && !params.offset;
  const empty = counts.total === 0 && isFirst;
  const byRelevance = settings.frecencyEnabled && isFirst && hasWords && (query.sort ?? []).length === 0;
  const { hits, interest } = await hydrate(deps, page.hits, visibility, principal, { interest: byRelevance });
  return {
    hits: [...boostOpened(hits, interest)],
    total: counts.total,
    total_bytes: finiteOrNull(counts.stats['size']?.sum),
    facets: {
      ...presentFacets(counts, counted ? pinned : new Map()),
      ...(ranged ? { owner: await ownerFacet(deps.db, reader, visibility, partitions, query) } : {}),
    },
    facet_stats: Object.fromEntries(
      Object.entries(counts.stats)
        .filter(([, each]) => each.count > 0)
        .map(([name, { min, max }]) => [name, { min, max }]),
    ),
    histograms: presentHistograms(counts.histograms, histograms),
    next_cursor: page.next_cursor,
    degraded: counts.degraded || mixed.report?.applied === false,
    semantic: mixed.report,
    took_ms: Math.round(counts.tookMs * 100) / 100,
    did_you_mean: empty && hasWords ? await suggestQueries(reader, partitions, query, parsed) : [],
    understood: parsed.chips,
    emptied_by: empty ? await countWithoutEachFilter(reader, partitions, query, named, present) : [],
  };
}

/** Limits a search to active items without sidecars, unless the query filters by status or sidecar itself. */
export function applyDefaults(params: SearchParams, parsed: InterpretedQuery['parsed']): SearchParams {
  const status = params.status ?? (filtersBy('status', parsed) ? 'any' : 'active');
  return { ...params, status, include_sidecars: params.include_sidecars || filtersBy('sidecar', parsed) };
}

function finiteOrNull(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}

export function sortKeys(sort: string | undefined): SortKey[] {
  if (!sort || sort === 'relevance') return [];
  if (sort === 'newest') return [{ field: 'mtime_sort', order: 'desc' }];
  const [name = '', order] = sort.split(':');
  const fact = sortedFacts.some((each) => each === name);
  const field = fact
    ? `${name}_sort`
    : ({ title: 'title_sort', name: 'filename_sort', path: 'path_sort', added: 'first_seen' }[name] ?? name);
  const natural = fact || ['title', 'name', 'path'].includes(name) ? 'asc' : 'desc';
  return [{ field, order: (order as 'asc' | 'desc' | undefined) ?? natural }];
}

/** A query as the index needs it: words, and filters with their original text. */
interface InterpretedQuery {
  parsed: ParsedQuery;
  words: string;
  filters: NamedFilter[];
}

export async function interpretQuery(
  { db, visibility, now, reader }: { db: Db; visibility: Visibility; now: Date; reader: SearchReader },
  line: string,
  { typing = true, among }: { typing?: boolean; among?: readonly string[] } = {},
): Promise<InterpretedQuery> {
  const parsed = parseQuery(line, { now, typing });
  await checkKinds(db, parsed);
  await resolveAccess(db, visibility, parsed);
  const filters = await namedFilters({ db, visibility, reader }, parsed, among);
  const unsearchable = unsearchableWords(parsed);
  if (unsearchable !== null) filters.push({ name: 'words', value: unsearchable, filter: { in: ['id', []] } });
  return { parsed, words: indexText(parsed), filters };
}

/** Filters that the index can evaluate also narrow those that must be looked up in the database, and so do the ids that alone may be hits. */
async function namedFilters(
  { db, visibility, reader }: { db: Db; visibility: Visibility; reader: SearchReader },
  { filters, text }: ParsedQuery,
  among: readonly string[] | undefined,
): Promise<NamedFilter[]> {
  const native = filters.filter(isNative).map((filter) => sqlCondition(filter, 'i'));
  const chosen = among ? [sql<boolean>`i.id = any(${[...among]}::uuid[])`] : [];
  const within = sql<boolean>`(${sql.join([visibility.whereItem('i'), ...chosen, ...native] as RawBuilder<boolean>[], sql` and `)})`;
  const named: NamedFilter[] = [];
  for (const expression of filters) {
    const filter: Filter = await indexFilter(expression, {
      db,
      within,
      permissionScope: permissionScope(visibility),
      values: (field) => indexedValues(reader, field),
    });
    named.push({ ...labelOf(expression, text), filter });
  }
  return named;
}

/** Every engine returns at least this many values of a field, so a shorter list is complete. */
const maxListedValues = 1000;

/** The values only expand a filter and are not shown, so rights do not apply here. */
async function indexedValues(reader: SearchReader, field: string): Promise<string[] | null> {
  const { facets } = await searchIndex(reader, { limit: 0, facets: [{ field, limit: maxListedValues }] });
  const values = (facets[field] ?? []).map(({ value }) => value);
  return values.length < maxListedValues ? values : null;
}

function labelOf(node: Expression, text: string): { name: string; value: string } {
  if (node.kind === 'filter') return { name: fieldName(node), value: node.value };
  if (node.kind === 'not' && node.part.kind === 'filter') return { name: `-${fieldName(node.part)}`, value: node.part.value };
  const [start, end] = spanOf(node);
  return { name: 'query', value: text.slice(start, end) };
}

function spanOf(node: Expression): [number, number] {
  if (node.kind === 'not') return spanOf(node.part);
  if (node.kind === 'filter' || node.kind === 'word') return [node.start, node.end];
  const spans = node.parts.map(spanOf);
  return [Math.min(...spans.map(([start]) => start)), Math.max(...spans.map(([, end]) => end))];
}
