import type { Query } from '@catalog/engine';
import { visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Principal } from '../../platform/principal.ts';
import { Problem } from '../../platform/problem.ts';
import { contentFields } from '../documents/index.ts';
import type { SearchReader } from '../engines/index.ts';
import {
  applyDefaults,
  excludeRemovedLibraries,
  fieldsToCount,
  hydrate,
  interpretQuery,
  type Meaning,
  type MeaningReport,
  type PresentedHit,
  parameterFilters,
  partitionsFor,
  pinnedFields,
  presentFacets,
  readPage,
  type SearchParams,
} from '../query/index.ts';
import { presentGroup } from './present.ts';
import { findPassageGroups, type PassageGroup } from './query.ts';

export interface SearchReaders {
  items: SearchReader;
  passages: SearchReader;
}

interface FederatedParams extends Pick<SearchParams, 'status' | 'include_sidecars' | 'semantic'> {
  q?: string;
  library?: string;
  limit?: number;
  offset?: number;
  facets?: boolean;
}

/**
 * Searches both indexes and merges the hits by score; of files with equal score, items come before passages. The passages of a file are one
 * hit: its best passage, with the others listed in it. With `semantic`, both scores are the same mix of words and meaning by the same model,
 * so they remain comparable.
 */
export async function searchFederated(
  deps: Dependencies,
  readers: SearchReaders,
  principal: Principal,
  { q = '', library, limit = 20, offset = 0, facets = false, ...rest }: FederatedParams,
  meaning: Meaning,
) {
  const { db, settings, clock } = deps;
  const visibility = await visibilityOf(db, principal);
  const now = clock.now();
  const { parsed, words, filters } = await interpretQuery({ db, visibility, now, reader: readers.items }, q);
  const params = applyDefaults({ ...rest, ...(library ? { library: [library] } : {}) }, parsed);
  const named = [...(await parameterFilters(db, visibility, params)), ...filters];
  const present = await excludeRemovedLibraries(db, principal);
  const found = await findPassageGroups(
    { db, settings, reader: readers.passages, visibility },
    {
      words,
      filters: [
        ...(library ? [{ eq: ['library_id', library] as [string, string] }] : []),
        ...filters.map(({ filter }) => filter),
        ...present,
      ],
      meaning: { source: meaning, ratio: rest.semantic ?? 0 },
    },
  ).catch((error: unknown) => {
    // Items are searched as usual, and the response says that only they were.
    if (error instanceof Problem && error.code === 'search_unavailable') return null;
    throw error;
  });
  const groups = found?.groups ?? [];
  const pinned = pinnedFields(named);
  // At most this many passages precede an item, so its place in the merged list is known from here on.
  const from = Math.max(0, offset - groups.length);
  const query: Query = {
    text: words,
    filter: { and: [...named.map(({ filter }) => filter), ...present] },
    tieBreak: { field: 'mtime_sort', order: 'desc' },
    limit: limit + offset - from,
    deadlineMs: settings.searchCutoffMs,
    matches: words.trim() === '' ? [] : contentFields,
    ...(facets ? { facets: fieldsToCount(pinned) } : {}),
  };
  const partitions = partitionsFor(visibility, { hasWords: words.trim() !== '', ceiling: settings.searchScopeFilterCeiling });
  const mixed = await meaning.mix(query, rest, partitions);
  const read = (part: Query, start: number) =>
    readPage({ db, reader: readers.items, partitions, now }, part, { position: null, offset: start, key: '' });
  const result = await read(mixed.query, from);
  const before = from > 0 && groups.length > 0 ? await read({ ...mixed.query, limit: from, matches: [], facets: [] }, 0) : null;
  const page = mergePage(result.hits, groups, { before: before?.hits ?? [], from, offset, limit });
  const shownItems = page.filter((each) => 'hit' in each).map(({ hit }) => hit);
  const items = new Map((await hydrate(deps, shownItems, visibility, principal)).hits.map((hit) => [hit.id, hit]));
  const hits = [];
  for (const each of page) {
    if ('hit' in each) {
      const hit = items.get(each.hit.id);
      if (hit) hits.push({ source: 'items' as const, item_id: hit.id, score: hit.score, fields: itemFields(hit) });
      continue;
    }
    const shown = await presentGroup({ db, settings, visibility }, each.group);
    if (shown) hits.push({ source: 'passages' as const, item_id: shown.item_id, score: each.group.score, fields: passageFields(shown) });
  }
  const facets_by_index: Record<string, ReturnType<typeof presentFacets>> = facets ? { items: presentFacets(result.counts, pinned) } : {};
  return {
    hits,
    total: result.counts.total + groups.length,
    limit,
    offset,
    indexes: found ? ['items' as const, 'passages' as const] : ['items' as const],
    facets_by_index,
    degraded: result.counts.degraded || mixed.report?.applied === false || (found?.degraded ?? false),
    semantic: combinedReport(mixed.report, found ? found.semantic : mixed.report),
  };
}

/** Meaning counts as applied only when it was in both indexes. */
function combinedReport(items: MeaningReport | null, passages: MeaningReport | null): MeaningReport | null {
  return items?.applied ? passages : items;
}

type Merged<Hit> = { hit: Hit } | { group: PassageGroup };

/**
 * The page of the merged list. `hits` are those of the item index from position `from` on, `before` those in front of them. Neither list is
 * sorted by score, as their order follows the ranking rules, so how many groups precede the page is known only by merging from the start.
 */
function mergePage<Hit extends { score: number }>(
  hits: readonly Hit[],
  groups: readonly PassageGroup[],
  { before, from, offset, limit }: { before: readonly Hit[]; from: number; offset: number; limit: number },
): Merged<Hit>[] {
  let groupAt = 0;
  for (const { score } of before) while ((groups[groupAt]?.score ?? Number.NEGATIVE_INFINITY) > score) groupAt += 1;
  const merged: Merged<Hit>[] = [];
  let hitAt = 0;
  for (let at = from + groupAt; at < offset + limit; at += 1) {
    const [hit, group] = [hits[hitAt], groups[groupAt]];
    if (!hit && !group) break;
    const isItem = hit !== undefined && (group === undefined || hit.score >= group.score);
    if (isItem) hitAt += 1;
    else groupAt += 1;
    if (at >= offset) merged.push(isItem ? { hit } : { group: group as PassageGroup });
  }
  return merged;
}

function itemFields(hit: PresentedHit) {
  const { id, library_id, title, filename, rel_path, extension, size, mtime, file_category, file_group, tags, matched_by, snippet } = hit;
  return { id, library_id, title, filename, rel_path, extension, size, mtime, file_category, file_group, tags, matched_by, snippet };
}

/** The best passage, and the other matching ones of the same file. */
function passageFields({ filename, library_id, rel_path, matches, passages }: NonNullable<Awaited<ReturnType<typeof presentGroup>>>) {
  const [best, ...others] = passages;
  return { ...best, filename, library_id, rel_path, matches, others };
}
