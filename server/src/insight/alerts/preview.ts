/**
 * What a rule would have sent in the past, from the change log and the scan history. The rule is matched as the pump does it; grouping,
 * thresholds and digests are replayed over the times at which the runs ended.
 */

import { sql } from 'kysely';
import { settleFolderMoves } from '../../catalog/scan/index.ts';
import { type Db, one } from '../../platform/database/index.ts';
import { type ChangeRow, compileFileRule, digestWindow, fileEventTypes, subjectOf } from './match.ts';
import type { NewRule } from './rules-store.ts';

export interface RulePreview {
  /** How many messages the rule would have sent; null when there is nothing to test it against. */
  fired: number | null;
  times: string[];
  matches: number;
  days: { day: string; matches: number }[];
  /** The same rule with other thresholds. */
  alternatives: { threshold_count: number; fired: number }[];
  /** False when only part of the change log was read. */
  complete: boolean;
  note: string | null;
}

interface Occurrence {
  at: Date;
  key: string;
  count: number;
}

const dayMs = 86_400_000;
const maxChanges = 200_000;
const pageSize = 5000;
const firstItem = '00000000-0000-0000-0000-000000000000';

export async function previewRule(
  db: Db,
  rule: NewRule,
  { now, days, groupIntervalS }: { now: Date; days: number; groupIntervalS: number },
): Promise<RulePreview> {
  const since = new Date(now.getTime() - days * dayMs);
  const empty: RulePreview = { fired: null, times: [], matches: 0, days: [], alternatives: [], complete: true, note: null };
  const files = rule.event_types.some((each) => (fileEventTypes as readonly string[]).includes(each));
  if (!files && !rule.event_types.includes('scan_failed'))
    return { ...empty, note: 'This kind of event is not kept, so the rule can only be tested as it runs.' };
  const oldest = await oldestRun(db);
  if (oldest === null || now.getTime() - oldest.getTime() < dayMs)
    return { ...empty, note: 'Not enough data to test this rule; it needs one day.' };
  const { occurrences, complete } = files
    ? await fileOccurrences(db, rule, since)
    : { occurrences: await failedScans(db, rule, since), complete: true };
  const times = replay(occurrences, rule, groupIntervalS, now);
  const byDay = new Map<string, number>();
  for (let at = 0; at < days; at++) byDay.set(new Date(since.getTime() + (at + 1) * dayMs).toISOString().slice(0, 10), 0);
  for (const { at, count } of occurrences)
    byDay.set(at.toISOString().slice(0, 10), (byDay.get(at.toISOString().slice(0, 10)) ?? 0) + count);
  const threshold = rule.threshold_count;
  const others = threshold === null ? [] : [Math.max(1, Math.round(threshold / 2)), threshold * 2].filter((each) => each !== threshold);
  return {
    fired: times.length,
    times: times.map((at) => at.toISOString()),
    matches: occurrences.reduce((sum, { count }) => sum + count, 0),
    days: [...byDay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, matches]) => ({ day, matches })),
    alternatives: others.map((count) => ({
      threshold_count: count,
      fired: replay(occurrences, { ...rule, threshold_count: count }, groupIntervalS, now).length,
    })),
    complete,
    note: null,
  };
}

async function oldestRun(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select min(started_at) as at from scan_runs`.execute(db);
  return one(rows).at;
}

async function fileOccurrences(db: Db, rule: NewRule, since: Date): Promise<{ occurrences: Occurrence[]; complete: boolean }> {
  const match = compileFileRule(rule);
  const { rows: runs } = await sql<{ id: string; at: Date }>`select id, coalesce(finished_at, started_at) as at from scan_runs
    where settled and started_at >= ${since} and (${rule.library_id}::uuid is null or library_id = ${rule.library_id}::uuid) order by id`.execute(
    db,
  );
  await settleFolderMoves(db);
  const found: Occurrence[] = [];
  let read = 0;
  for (const run of runs) {
    const counts = new Map<string, number>();
    for (let after: string | null = null; ; ) {
      const page: ChangeRow[] = await pageOfRun(db, run.id, after);
      for (const change of page) {
        const type = match(change);
        if (type === null) continue;
        const key = [type, change.library_id, subjectOf(rule.group_by, change.rel_path)].join('\0');
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      read += page.length;
      after = page.at(-1)?.item_id ?? null;
      if (page.length < pageSize || read >= maxChanges) break;
    }
    for (const [key, count] of counts) found.push({ at: run.at, key, count });
    if (read >= maxChanges) return { occurrences: found, complete: false };
  }
  return { occurrences: found, complete: true };
}

async function pageOfRun(db: Db, runId: string, after: string | null): Promise<ChangeRow[]> {
  const { rows } =
    await sql<ChangeRow>`select c.item_id, c.library_id, c.kind, c.rel_path, c.from_rel_path, c.old_content_hash, i.content_hash
    from scan_changes c left join items i on i.id = c.item_id
    where c.run_id = ${runId} and c.item_id > ${after ?? firstItem}::uuid order by c.item_id limit ${pageSize}`.execute(db);
  return rows;
}

async function failedScans(db: Db, rule: NewRule, since: Date): Promise<Occurrence[]> {
  const { rows } = await sql<{ at: Date; library_id: string }>`select coalesce(finished_at, started_at) as at, library_id from scan_runs
    where status = 'failed' and started_at >= ${since} and (${rule.library_id}::uuid is null or library_id = ${rule.library_id}::uuid) order by id limit 10000`.execute(
    db,
  );
  return rows.map(({ at, library_id }) => ({ at, key: library_id, count: 1 }));
}

/** When messages would have been sent: per key, after the threshold, at most once per interval or digest window. */
function replay(
  occurrences: readonly Occurrence[],
  rule: Pick<NewRule, 'threshold_count' | 'threshold_window_s' | 'digest_window' | 'group_wait_s'>,
  groupIntervalS: number,
  now: Date,
): Date[] {
  const sent: Date[] = [];
  for (const list of Map.groupBy(occurrences, ({ key }) => key).values()) {
    let last = Number.NEGATIVE_INFINITY;
    const recent: Occurrence[] = [];
    for (const occurrence of [...list].sort((a, b) => a.at.getTime() - b.at.getTime())) {
      recent.push(occurrence);
      const at = occurrence.at.getTime();
      const windowMs = (rule.threshold_window_s ?? 3600) * 1000;
      while (recent[0] && recent[0].at.getTime() <= at - windowMs) recent.shift();
      if (rule.threshold_count !== null && recent.reduce((sum, { count }) => sum + count, 0) < rule.threshold_count) continue;
      const digest = digestWindow(rule.digest_window, occurrence.at);
      const due = digest ? digest.end.getTime() : Math.max(at + rule.group_wait_s * 1000, last + groupIntervalS * 1000);
      if (due > now.getTime() || due === last || (last > at && !digest)) continue;
      last = due;
      sent.push(new Date(due));
    }
  }
  return sent.sort((a, b) => a.getTime() - b.getTime());
}
