/**
 * Turns what happened into events of alert rules: the change log of settled scan runs, the outcome of runs, and system events. Every batch
 * is read and consumed in the transaction that stores its events, so that a kill at any point neither loses nor repeats one. Scans never
 * wait for it.
 */

import { sql } from 'kysely';
import { settleFolderMoves } from '../../catalog/scan/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { type SystemEvent, systemEventKinds } from '../../platform/system-events.ts';
import { addEvents, keyOf, lockOpenGroup, type NewEvents, refreshGroup, resolveGroup, withdrawAcknowledgement } from './groups.ts';
import { type ChangeRow, compileFileRule, fileEventTypes, subjectOf } from './match.ts';
import { notifyResolved } from './notify.ts';
import type { PumpContext } from './pump-context.ts';
import { rulesFor } from './rules-store.ts';
import { addCandidates, searchMatch } from './search-rules.ts';
import type { RuleRow } from './tables.ts';

const pageSize = 5000;
const firstItem = '00000000-0000-0000-0000-000000000000';

/** Reads every settled run that is waiting. Returns the number of changes read. */
export async function readChanges(context: PumpContext): Promise<number> {
  let read = 0;
  for (;;) {
    // Most of it is settled here, step by step. The transaction below would keep the search index and scans waiting until its end.
    await settleFolderMoves(context.db);
    const page = await context.db.transaction().execute((trx) => readPage(trx as Db, context));
    if (page === null || context.signal?.aborted) return read;
    read += page;
  }
}

/** One page of one run. Null when no run is waiting. */
async function readPage(trx: Db, context: PumpContext): Promise<number | null> {
  const { rows } = await sql<{ run_id: string; after: string | null }>`select run_id, after from alert_inbox where what = 'changes'
    order by run_id limit 1 for update skip locked`.execute(trx);
  const run = rows[0];
  if (!run) return null;
  // The scan records a moved folder in one row. The changes of its files are written only here.
  await settleFolderMoves(trx);
  const rules = await rulesFor(trx, [...fileEventTypes, searchMatch]);
  const changes = rules.length === 0 ? [] : await pageOfChanges(trx, run.run_id, run.after);
  const names = new Map<string, NewEvents & { rule: RuleRow; rows: NewEvents['rows'][number][] }>();
  for (const rule of rules.filter(({ event_types }) => !event_types.includes(searchMatch))) {
    const match = compileFileRule(rule);
    for (const change of changes) {
      const type = match(change);
      if (type !== null) collect(names, rule, type, change);
    }
  }
  // Sorted, so that two readers lock alerts in the same order.
  for (const [, { rule, ...events }] of [...names].sort(([a], [b]) => (a < b ? -1 : 1)))
    await addEvents(trx, rule, events, context.now, context.settings.alertGroupIntervalS);
  await addCandidates(
    trx,
    rules.filter(({ event_types }) => event_types.includes(searchMatch)),
    changes,
  );
  const last = changes.at(-1);
  if (last && changes.length === pageSize)
    await sql`update alert_inbox set after = ${last.item_id} where run_id = ${run.run_id} and what = 'changes'`.execute(trx);
  else await sql`delete from alert_inbox where run_id = ${run.run_id} and what = 'changes'`.execute(trx);
  return changes.length;
}

/** Rows beyond this are counted but not kept for a message or the list of events. */
const keptPerPage = 2000;

function collect(
  found: Map<string, NewEvents & { rule: RuleRow; rows: NewEvents['rows'][number][] }>,
  rule: RuleRow,
  eventType: string,
  { item_id, rel_path, from_rel_path, library_id, kind }: ChangeRow,
): void {
  const subject = subjectOf(rule.group_by, rel_path);
  const name = [rule.id, eventType, library_id, subject].join('\0');
  const events = found.get(name) ?? {
    rule,
    eventType,
    libraryId: library_id,
    subject,
    message: '',
    facts: {},
    lasting: false,
    count: 0,
    rows: [],
  };
  events.count += 1;
  if (events.rows.length < keptPerPage)
    events.rows.push({ itemId: item_id, relPath: rel_path, message: rel_path, facts: kind === 'moved' ? { from: from_rel_path } : {} });
  found.set(name, events);
}

async function pageOfChanges(trx: Db, runId: string, after: string | null): Promise<ChangeRow[]> {
  const { rows } =
    await sql<ChangeRow>`select c.item_id, c.library_id, c.kind, c.rel_path, c.from_rel_path, c.old_content_hash, i.content_hash
    from scan_changes c left join items i on i.id = c.item_id
    where c.run_id = ${runId} and c.item_id > ${after ?? firstItem}::uuid order by c.item_id limit ${pageSize}`.execute(trx);
  return rows;
}

/** Failed scans fire until a scan of the library finishes. */
export async function readOutcomes({ db, ...context }: PumpContext): Promise<void> {
  for (;;) {
    const done = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<{
        run_id: string;
      }>`delete from alert_inbox where ctid = (select ctid from alert_inbox where what = 'outcome'
        order by run_id limit 1 for update skip locked) returning run_id`.execute(trx);
      const [entry] = rows;
      if (!entry) return true;
      const run = await findOutcome(trx as Db, entry.run_id);
      if (run) {
        await applySystemEvent(
          trx as Db,
          { ...context, db: trx as Db },
          {
            kind: 'scan_failed',
            subject: run.library_id,
            status: run.status === 'failed' ? 'firing' : 'recovered',
            message:
              run.status === 'failed'
                ? `The scan of ${run.library} failed. ${run.error ?? ''}`.trim()
                : `A scan of ${run.library} finished.`,
            libraryId: run.library_id,
            facts: { library_id: run.library_id, library_name: run.library, run_id: entry.run_id, error: run.error },
          },
        );
      }
      return false;
    });
    if (done) return;
  }
}

async function findOutcome(
  trx: Db,
  runId: string,
): Promise<{ status: string; library_id: string; library: string; error: string | null } | undefined> {
  const { rows } = await sql<{ status: string; library_id: string; library: string; error: string | null }>`
    select r.status, r.library_id, l.name as library, r.error from scan_runs r join libraries l on l.id = r.library_id where r.id = ${runId}`.execute(
    trx,
  );
  return rows[0];
}

interface StoredSystemEvent {
  kind: string;
  subject: string;
  status: SystemEvent['status'];
  message: string;
  facts: Record<string, unknown>;
  library_id: string | null;
  item_id: string | null;
  rel_path: string | null;
}

export async function readSystemEvents({ db, ...context }: PumpContext): Promise<void> {
  for (;;) {
    const read = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<
        StoredSystemEvent & { id: number }
      >`delete from system_events where id in (select id from system_events order by id limit 500
        for update skip locked) returning id, kind, subject, status, message, facts, library_id, item_id, rel_path`.execute(trx);
      for (const { kind, subject, status, message, facts, library_id, item_id, rel_path } of rows.sort((a, b) => a.id - b.id))
        await applySystemEvent(
          trx as Db,
          { ...context, db: trx as Db },
          {
            kind: kind as SystemEvent['kind'],
            subject,
            status,
            message,
            facts,
            libraryId: library_id,
            itemId: item_id,
            relPath: rel_path,
          },
        );
      return rows.length;
    });
    if (read === 0) return;
  }
}

/** Applies an event to every rule that listens to it. */
async function applySystemEvent(trx: Db, context: PumpContext, event: SystemEvent): Promise<void> {
  if (!(systemEventKinds as readonly string[]).includes(event.kind)) return;
  const rules = (await rulesFor(trx, [event.kind])).filter(
    ({ library_id }) => library_id === null || library_id === (event.libraryId ?? null),
  );
  for (const rule of rules) await applyToRule(trx, context, rule, event);
}

/**
 * A lasting condition adds an event only when it begins or its level changes, so the same condition is told once. One that gets worse is told
 * although somebody acknowledged the lower level.
 */
export async function applyToRule(trx: Db, context: PumpContext, rule: RuleRow, event: SystemEvent): Promise<void> {
  const facts = event.facts ?? {};
  const events: NewEvents = {
    eventType: event.kind,
    libraryId: event.libraryId ?? null,
    subject: event.subject,
    message: event.message,
    facts,
    lasting: event.status !== 'once',
    count: 1,
    rows: [{ itemId: event.itemId ?? null, relPath: event.relPath ?? null, message: event.message, facts }],
  };
  const open = event.status === 'once' ? undefined : await lockOpenGroup(trx, rule.id, keyOf(rule, events, context.now));
  if (event.status === 'recovered') {
    if (!open) return;
    await notifyResolved(trx, context, rule, open, event.message);
    await resolveGroup(trx, open.id, 'recovered', context.now);
    return;
  }
  if (open && open.facts['level'] === facts['level']) {
    await refreshGroup(trx, open.id, { message: event.message, facts }, context.now);
    return;
  }
  if (open && isWorse(facts['level'], open.facts['level'])) await withdrawAcknowledgement(trx, open.id);
  await addEvents(trx, rule, events, context.now, context.settings.alertGroupIntervalS);
}

/** Levels of a condition, the worst last. */
const levels: readonly unknown[] = ['warn', 'critical'];
const isWorse = (level: unknown, than: unknown): boolean => levels.indexOf(level) > levels.indexOf(than);
