import type { Filter } from '@catalog/engine';
import { hasPassageLibrary } from '../../content/passages/index.ts';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Settings } from '../../settings/index.ts';
import { type SearchReader, SearchUnavailable } from '../engines/index.ts';
import { scopeFilter } from '../query/index.ts';
import { parsePassageId } from './documents.ts';

/** A file with matching passages, best first. */
export interface PassageGroup {
  itemId: string;
  score: number;
  passages: { chunkNo: number; score: number; terms: string[] }[];
}

/** The best matches are grouped by file; this many are considered, so that a common word costs no more than a rare one. */
const consideredPassages = 1000;

interface PassageSearch {
  words: string;
  /** Filters of the item query, without those on status and sidecars. */
  filters: readonly Filter[];
}

/**
 * Files with passages that contain the words, best first. Only active files, and only where the caller may read content: both are decided
 * inside the index. Null when there is no passage index.
 */
export async function findPassageGroups(
  { db, settings, reader, visibility }: { db: Db; settings: Settings; reader: SearchReader; visibility: Visibility },
  { words, filters }: PassageSearch,
): Promise<{ groups: PassageGroup[]; degraded: boolean } | null> {
  if (words.trim() === '' || !(await hasPassageLibrary(db))) return null;
  const ceiling = settings.searchScopeFilterCeiling;
  const rights = [scopeFilter(visibility, ceiling), scopeFilter(visibility, ceiling, 'search_content')].filter((filter) => filter !== null);
  const shown: Filter[] = [{ eq: ['status', 'active'] }, { eq: ['is_sidecar', 'false'] }];
  try {
    const { hits, degraded } = await reader.search({
      text: words,
      filter: { and: [...shown, ...rights, ...filters.map(toPassageFilter)] },
      tieBreak: { field: 'mtime_sort', order: 'desc' },
      limit: consideredPassages,
      deadlineMs: settings.searchCutoffMs,
      matches: ['text'],
    });
    const groups = new Map<string, PassageGroup>();
    for (const { id, score, matchedTerms } of hits) {
      const terms = matchedTerms?.['text'] ?? [];
      // The words are in the name of the file only, which the item itself is found by.
      if (terms.length === 0) continue;
      const { itemId, chunkNo } = parsePassageId(id);
      const group = groups.get(itemId) ?? { itemId, score, passages: [] };
      groups.set(itemId, group);
      group.passages.push({ chunkNo, score, terms });
    }
    return { groups: [...groups.values()], degraded };
  } catch (error) {
    // The first passages are still being indexed, or the index is being rebuilt after damage. Items are searched as usual.
    if (error instanceof SearchUnavailable) return null;
    throw error;
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
