import { principalOfOwner } from '../../people/identity/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Principal } from '../../platform/principal.ts';
import { openSearchReader, type SearchReader } from '../../search/engines/index.ts';
import { matchingIds, type SearchParams } from '../../search/query/index.ts';
import { findSaved } from '../../search/saved/index.ts';
import { rememberHits, type SearchMatcher } from './search-rules.ts';
import type { RuleRow } from './tables.ts';

/** Hits beyond this are not remembered when a rule is made; they are reported once if they change later. */
const maxRemembered = 10_000;

type SearchDependencies = Pick<Dependencies, 'db' | 'settings' | 'clock'>;

/** The owner as a caller, with the rights of this moment. A rule made while sign-in was off has no owner. Only unlimited accounts make rules. */
const callerFor = ({ db, settings }: SearchDependencies, ownerId: string | null): Promise<Principal | null> =>
  principalOfOwner(db, settings, { kind: ownerId === null ? 'open' : 'user', id: ownerId, keyId: null });

/** What the search finds when the rule is made is not new. */
export async function rememberExistingHits(deps: SearchDependencies, reader: SearchReader, rule: RuleRow): Promise<void> {
  const saved = rule.saved_search_id === null ? null : await findSaved(deps.db, rule.saved_search_id);
  const caller = await callerFor(deps, rule.owner_id);
  if (!saved || !caller) return;
  await rememberHits(deps.db, rule.id, await matchingIds(deps, reader, caller, saved.params as SearchParams, { limit: maxRemembered }));
}

/** Tests files against a saved search. The index is opened for the test only, because a worker rarely needs it. */
export function createSearchMatcher(deps: SearchDependencies): SearchMatcher {
  return async (savedSearchId, ownerId, itemIds) => {
    const saved = await findSaved(deps.db, savedSearchId);
    const caller = await callerFor(deps, ownerId);
    if (!saved || !caller) return null;
    const reader = openSearchReader(deps.settings);
    try {
      // A file that is not found is not tested again, so its document must be visible now.
      await reader.refresh();
      return await matchingIds(deps, reader, caller, saved.params as SearchParams, { among: itemIds, limit: itemIds.length });
    } finally {
      await reader.close();
    }
  };
}
