import type { Filter, Query } from '@catalog/engine';
import { hasPassageLibrary } from '../../content/passages/index.ts';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { problem } from '../../platform/problem.ts';
import type { Settings } from '../../settings/index.ts';
import { type SearchReader, SearchUnavailable } from '../engines/index.ts';
import { isOfOtherModel, type Meaning, type MeaningReport, matchedBy, scopeFilter } from '../query/index.ts';
import { parsePassageId } from './documents.ts';

/** A file with matching passages, best first. */
export interface PassageGroup {
  itemId: string;
  score: number;
  passages: { chunkNo: number; score: number; terms: string[]; matchedBy: 'words' | 'meaning' | 'both' | null }[];
}

/** The best matches are grouped by file; this many are considered, so that a common word costs no more than a rare one. */
const consideredPassages = 1000;
/** Every passage is more or less near, so fewer are considered by meaning. */
const consideredByMeaning = 100;

interface PassageSearch {
  words: string;
  /** Filters of the item query, without those on status and sidecars. */
  filters: readonly Filter[];
  /** Adds the meaning of the words to the query. */
  meaning?: { source: Meaning; ratio: number };
}

/**
 * Files with passages that contain the words or, with `meaning`, are near them, best first. Only active files, and only where the caller may read content: both are decided
 * inside the index. Null when there is no passage index. One that does not answer at the moment is 503.
 */
export async function findPassageGroups(
  { db, settings, reader, visibility }: { db: Db; settings: Settings; reader: SearchReader; visibility: Visibility },
  { words, filters, meaning }: PassageSearch,
): Promise<{ groups: PassageGroup[]; degraded: boolean; semantic: MeaningReport | null } | null> {
  if (words.trim() === '' || !(await hasPassageLibrary(db))) return null;
  const ceiling = settings.searchScopeFilterCeiling;
  const rights = [scopeFilter(visibility, ceiling), scopeFilter(visibility, ceiling, 'search_content')].filter((filter) => filter !== null);
  const shown: Filter[] = [{ eq: ['status', 'active'] }, { eq: ['is_sidecar', 'false'] }];
  const asked: Query = {
    text: words,
    filter: { and: [...shown, ...rights, ...filters.map(toPassageFilter)] },
    tieBreak: { field: 'mtime_sort', order: 'desc' },
    limit: consideredPassages,
    deadlineMs: settings.searchCutoffMs,
    matches: ['text'],
  };
  const { query, report } = (await meaning?.source.mixPassages(asked, meaning.ratio)) ?? { query: asked, report: null };
  try {
    const { hits, degraded } = await reader.search(query.vector ? { ...query, limit: consideredByMeaning } : query);
    const groups = new Map<string, PassageGroup>();
    for (const hit of hits) {
      const { id, score, matchedTerms } = hit;
      const terms = matchedTerms?.['text'] ?? [];
      // The words are in the name of the file only, which the item itself is found by.
      if (terms.length === 0 && !hit.parts?.vector) continue;
      const { itemId, chunkNo } = parsePassageId(id);
      const group = groups.get(itemId) ?? { itemId, score, passages: [] };
      groups.set(itemId, group);
      group.passages.push({ chunkNo, score, terms, matchedBy: matchedBy(hit) });
    }
    return { groups: [...groups.values()], degraded: degraded || report?.applied === false, semantic: report };
  } catch (error) {
    // The first passages are still being indexed, or the index is being rebuilt after damage.
    if (error instanceof SearchUnavailable && error.rebuild) return null;
    throw error instanceof SearchUnavailable || isOfOtherModel(error, query) ? problem('search_unavailable') : error;
  }
}

/** Ids in filters of the item query are those of items. */
function toPassageFilter(filter: Filter): Filter {
  if ('and' in filter) return { and: filter.and.map(toPassageFilter) };
  if ('or' in filter) return { or: filter.or.map(toPassageFilter) };
  if ('not' in filter) return { not: toPassageFilter(filter.not) };
  if ('in' in filter && filter.in[0] === 'id') return { in: ['item_id', filter.in[1]] };
  if ('eq' in filter && filter.eq[0] === 'id') return { eq: ['item_id', filter.eq[1]] };
  return filter;
}
