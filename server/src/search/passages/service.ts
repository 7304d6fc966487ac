import { findItem } from '../../catalog/items/index.ts';
import { visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Principal } from '../../platform/principal.ts';
import { problem } from '../../platform/problem.ts';
import { excludeRemovedLibraries, interpretQuery, type Meaning } from '../query/index.ts';
import type { SearchReaders } from './federated.ts';
import { presentGroup, readFilePassages } from './present.ts';
import { findPassageGroups } from './query.ts';

/** Passages that contain the words or mean the same, grouped by file. */
export async function searchPassages(
  deps: Dependencies,
  readers: SearchReaders,
  principal: Principal,
  {
    q,
    library,
    semantic = 0,
    limit = 20,
    offset = 0,
  }: { q: string; library?: string[]; semantic?: number; limit?: number; offset?: number },
  meaning: Meaning,
) {
  const { db, settings, clock } = deps;
  const visibility = await visibilityOf(db, principal);
  const { words, filters } = await interpretQuery({ db, visibility, now: clock.now(), reader: readers.items }, q);
  const found = await findPassageGroups(
    { db, settings, reader: readers.passages, visibility },
    {
      words,
      filters: [
        ...(library ? [{ in: ['library_id', library] as [string, string[]] }] : []),
        ...filters.map(({ filter }) => filter),
        ...(await excludeRemovedLibraries(db, principal)),
      ],
      meaning: { source: meaning, ratio: semantic },
    },
  );
  const files = [];
  for (const group of (found?.groups ?? []).slice(offset, offset + limit)) {
    const shown = await presentGroup({ db, settings, visibility }, group);
    if (shown) files.push({ ...shown, score: group.score });
  }
  return {
    available: found !== null || words.trim() === '',
    files,
    total: found?.groups.length ?? 0,
    limit,
    offset,
    degraded: found?.degraded ?? false,
    semantic: found?.semantic ?? null,
  };
}

/** The passages of one file in order. */
export async function listPassages(
  { db, settings }: Pick<Dependencies, 'db' | 'settings'>,
  principal: Principal,
  itemId: string,
  { from = 0, limit = 20 }: { from?: number; limit?: number },
) {
  const visibility = await visibilityOf(db, principal);
  await findItem(db, visibility, itemId, 'search_content');
  const file = await readFilePassages({ db, settings, visibility }, itemId);
  if (!file) throw problem('no_text');
  return { passages: file.passages.slice(from, from + limit), total: file.passages.length };
}
