/**
 * Saved-search rules: "tell me when this search gets a new hit". Files from the change log become candidates. A candidate is tested when its
 * content has been read and indexed, with the rights of the person who made the rule. A file is reported once: what a rule has reported,
 * and what the search found when the rule was made, is remembered.
 */
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { addEvents } from './groups.ts';
import type { ChangeRow } from './match.ts';
import type { PumpContext } from './pump-context.ts';
import { rulesFor } from './rules-store.ts';
import type { RuleRow } from './tables.ts';

export const searchMatch = 'search_match';
const batchSize = 500;

/** Returns which of these items a saved search finds for a person; null when the search or the person is gone. */
export type SearchMatcher = (savedSearchId: string, ownerId: string | null, itemIds: readonly string[]) => Promise<string[] | null>;

export async function addCandidates(trx: Db, rules: readonly RuleRow[], changes: readonly ChangeRow[]): Promise<void> {
  for (const rule of rules) {
    const ids = changes
      .filter(({ kind, library_id }) => kind !== 'gone' && (rule.library_id ?? library_id) === library_id)
      .map(({ item_id }) => item_id);
    if (ids.length > 0)
      await sql`insert into alert_search_items (rule_id, item_id, state) select ${rule.id}, id, 'candidate' from unnest(${ids}::uuid[]) as id on conflict do nothing`.execute(
        trx,
      );
  }
}

export async function testCandidates(context: PumpContext, match: SearchMatcher): Promise<void> {
  for (const rule of await rulesFor(context.db, [searchMatch])) {
    try {
      await testCandidatesOf(context, rule, match);
    } catch (error) {
      // Its candidates stay for the next run. Other alerts must not wait for an index that is down or for a search that is no longer valid.
      context.log.warning(`The alert rule "${rule.name}" cannot run its saved search: ${(error as Error).message}`, { error });
    }
  }
}

async function testCandidatesOf(context: PumpContext, rule: RuleRow, match: SearchMatcher): Promise<void> {
  while (rule.saved_search_id !== null && !context.signal?.aborted) {
    const ids = await readyCandidates(context.db, rule.id);
    if (ids.length === 0) return;
    const found = await match(rule.saved_search_id, rule.owner_id, ids);
    if (found === null) {
      context.log.warning(`The alert rule "${rule.name}" cannot run its saved search. Its owner or the search is gone.`);
      return;
    }
    await context.db.transaction().execute((trx) => report(trx as Db, context, rule, ids, found));
  }
}

/** Candidates whose extraction and indexing are done. Files that are gone again are dropped with the next report. */
async function readyCandidates(db: Db, ruleId: string): Promise<string[]> {
  const { rows } = await sql<{ item_id: string }>`select s.item_id from alert_search_items s
    where s.rule_id = ${ruleId} and s.state = 'candidate' and not exists (select from extract_pending p where p.item_id = s.item_id)
      and not exists (select from index_outbox o where o.item_id = s.item_id) order by s.item_id limit ${batchSize}`.execute(db);
  return rows.map(({ item_id }) => item_id);
}

async function report(trx: Db, context: PumpContext, rule: RuleRow, tested: readonly string[], found: readonly string[]): Promise<void> {
  await sql`delete from alert_search_items where rule_id = ${rule.id} and state = 'candidate' and item_id = any(${tested}::uuid[])
    and item_id <> all(${found}::uuid[])`.execute(trx);
  const { rows } = await sql<{ id: string; rel_path: string; library_id: string }>`
    with fresh as (update alert_search_items set state = 'known' where rule_id = ${rule.id} and state = 'candidate' and item_id = any(${found}::uuid[]) returning item_id)
    select i.id, i.rel_path, i.library_id from fresh join items i on i.id = fresh.item_id order by i.library_id, i.rel_path`.execute(trx);
  for (const [libraryId, items] of Map.groupBy(rows, ({ library_id }) => library_id)) {
    const events = items.map(({ id, rel_path }) => ({ itemId: id, relPath: rel_path, message: rel_path, facts: {} }));
    await addEvents(
      trx,
      rule,
      { eventType: searchMatch, libraryId, subject: '', message: '', facts: {}, lasting: false, count: events.length, rows: events },
      context.now,
      context.settings.alertGroupIntervalS,
    );
  }
}

/** Remembers what a search finds already. */
export async function rememberHits(db: Db, ruleId: string, itemIds: readonly string[]): Promise<void> {
  await sql`insert into alert_search_items (rule_id, item_id, state) select ${ruleId}, id, 'known' from unnest(${itemIds}::uuid[]) as id on conflict do nothing`.execute(
    db,
  );
}

export async function forgetHits(db: Db, ruleId: string): Promise<void> {
  await sql`delete from alert_search_items where rule_id = ${ruleId}`.execute(db);
}
