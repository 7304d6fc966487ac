import { compileIgnore, type FilePrincipal } from '@catalog/scanner';
import { sql } from 'kysely';
import { compareAcls, findAcls, isUnchanged, knownPeople, labelOf, summarize } from '../../catalog/permissions/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { addEvents, type NewEvents } from './groups.ts';
import { subjectOf } from './match.ts';
import type { PumpContext } from './pump-context.ts';
import { rulesFor } from './rules-store.ts';
import type { RuleRow } from './tables.ts';

const pageSize = 5000;
const permissionChanged = 'permission_changed';

/**
 * Turns changed permissions into events. A change is marked as read in the transaction that stores its events. Changes of one rule and
 * library belong to one alert, so a recursive change is one message.
 */
export async function readPermissionChanges(context: PumpContext): Promise<void> {
  for (;;) {
    const read = await context.db.transaction().execute((trx) => readPage(trx as Db, context));
    if (read < pageSize || context.signal?.aborted) return;
  }
}

interface PermissionChange {
  library_id: string;
  item_id: string | null;
  rel_path: string;
  before_acl: number;
  after_acl: number;
}

async function readPage(trx: Db, context: PumpContext): Promise<number> {
  const changes = await takeChanges(trx);
  const rules = changes.length === 0 ? [] : await rulesFor(trx, [permissionChanged]);
  if (rules.length === 0) return changes.length;
  const describe = await describeChanges(trx, changes);
  const found = new Map<string, { rule: RuleRow; events: NewEvents & { rows: NewEvents['rows'][number][] } }>();
  for (const rule of rules) {
    const covers = coversOf(rule);
    for (const change of changes) {
      const described = covers(change) ? describe(change) : null;
      if (described === null) continue;
      const subject = subjectOf(rule.group_by, change.rel_path);
      const name = [rule.id, change.library_id, subject].join('\0');
      const { events } = found.get(name) ?? { events: emptyEvents(change.library_id, subject) };
      found.set(name, { rule, events });
      const message = `${change.rel_path || 'The folder of the library'}: ${described.summary}`;
      events.count += 1;
      events.message = message;
      events.facts = { path: change.rel_path, item_id: change.item_id, ...described };
      events.rows.push({ itemId: change.item_id, relPath: change.rel_path, message, facts: events.facts });
    }
  }
  // Sorted, so that two readers lock alerts in the same order.
  for (const [, { rule, events }] of [...found].sort(([a], [b]) => (a < b ? -1 : 1)))
    await addEvents(trx, rule, events, context.now, context.settings.alertGroupIntervalS);
  return changes.length;
}

const emptyEvents = (libraryId: string, subject: string): NewEvents & { rows: NewEvents['rows'][number][] } => ({
  eventType: permissionChanged,
  libraryId,
  subject,
  message: '',
  facts: {},
  lasting: false,
  count: 0,
  rows: [],
});

function coversOf({ library_id, path_glob }: RuleRow): (change: PermissionChange) => boolean {
  const glob = path_glob ? compileIgnore([{ origin: { kind: 'exclude_globs' }, lines: [path_glob] }]) : null;
  return ({ library_id: library, rel_path, item_id }) =>
    (library_id === null || library_id === library) &&
    (glob === null || (glob.decideFromTop(rel_path, item_id === null)?.excluded ?? false));
}

async function takeChanges(trx: Db): Promise<PermissionChange[]> {
  const { rows } = await sql<PermissionChange>`
    with taken as (
      update permission_changes set alerted = true
      where id in (select id from permission_changes where not alerted order by id limit ${pageSize} for update skip locked)
      returning id, library_id, item_id, folder_id, before_acl, after_acl)
    select coalesce(i.library_id, f.library_id, t.library_id) as library_id, t.item_id, coalesce(i.rel_path, f.rel_path, '') as rel_path, t.before_acl, t.after_acl
    from taken t left join items i on i.id = t.item_id left join folders f on f.id = t.folder_id order by t.id`.execute(trx);
  return rows;
}

interface Described {
  summary: string;
  added: number;
  removed: number;
  modified: number;
  owner_changed: boolean;
}

/** What a change means; null when only the way the list is stored differs. Equal changes are compared once. */
async function describeChanges(trx: Db, changes: readonly PermissionChange[]): Promise<(change: PermissionChange) => Described | null> {
  const acls = await findAcls(trx, [...new Set(changes.flatMap(({ before_acl, after_acl }) => [before_acl, after_acl]))]);
  const people = await knownPeople(trx);
  const name = (principal: FilePrincipal): string => labelOf(principal, people);
  const known = new Map<string, Described | null>();
  return ({ before_acl, after_acl }) => {
    const key = `${before_acl}:${after_acl}`;
    const before = acls.get(before_acl);
    const after = acls.get(after_acl);
    if (!known.has(key) && before && after) {
      const difference = compareAcls(before, after);
      known.set(
        key,
        isUnchanged(difference)
          ? null
          : {
              summary: summarize(difference, name),
              added: difference.added.length,
              removed: difference.removed.length,
              modified: difference.modified.length,
              owner_changed: difference.owner !== null,
            },
      );
    }
    return known.get(key) ?? null;
  };
}
