import { isDeepStrictEqual } from 'node:util';
import { createShareMap } from '../../catalog/libraries/index.ts';
import { ownedBy, ownerOf, owns } from '../../people/identity/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { hasScope, type Principal } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { CronError, deleteSchedule, nextOccurrence, noteSchedule, parseCron } from '../../platform/queue/index.ts';
import { missingChannels } from '../alerts/index.ts';
import { findReport } from '../reports/index.ts';
import { settleAbandonedRuns } from './deliver.ts';
import { checkSource, scheduleKey, sourceOf } from './runs.ts';
import {
  countSchedules,
  deleteScheduleRow,
  findSchedule,
  insertSchedule,
  listSchedules,
  lockSchedule,
  type ScheduleRow,
  updateSchedule,
} from './store.ts';

/** A schedule belongs to the person or the limited key that made it. Administrators see and change all, but the rights are always those of the owner. */
const maxPerOwner = 200;

export type ScheduleInput = Partial<
  Pick<
    ScheduleRow,
    | 'name'
    | 'canned_report_key'
    | 'report_definition_id'
    | 'params'
    | 'format'
    | 'cron'
    | 'channel_ids'
    | 'enabled'
    | 'only_if_rows'
    | 'only_changes'
  >
>;

const isAdmin = ({ scopes }: Principal): boolean => hasScope(scopes, 'admin');

export async function schedulesFor({ db }: Pick<Dependencies, 'db'>, principal: Principal): Promise<ScheduleRow[]> {
  await settleAbandonedRuns(db);
  return listSchedules(db, { ...ownedBy(principal), all: isAdmin(principal) });
}

export async function readableSchedule({ db }: Pick<Dependencies, 'db'>, principal: Principal, id: string): Promise<ScheduleRow> {
  await settleAbandonedRuns(db);
  const row = await findSchedule(db, id);
  if (!row || !(isAdmin(principal) || owns(principal, row))) throw notFound('report schedule');
  return row;
}

/** The next times at which a cron expression fires. */
export function nextTimes(cron: string, after: Date, count: number, loc: string[]): Date[] {
  const parsed = readCron(cron, loc);
  const times: Date[] = [];
  for (let at: Date | null = after; times.length < count; ) {
    at = nextOccurrence(parsed, at);
    if (!at) break;
    times.push(at);
  }
  return times;
}

function readCron(cron: string, loc: string[]) {
  try {
    return parseCron(cron);
  } catch (error) {
    if (error instanceof CronError) throw fieldProblem(loc, error.message, 'cron_invalid');
    throw error;
  }
}

export async function createSchedule(deps: Dependencies, principal: Principal, input: ScheduleInput): Promise<ScheduleRow> {
  const { kind, id, keyId } = ownerOf(principal);
  if ((await countSchedules(deps.db, id)) >= maxPerOwner)
    throw problem('too_many', `You can have at most ${maxPerOwner} schedules. Delete some first.`);
  const row = {
    owner_kind: kind,
    owner_id: id,
    owner_name: principal.name,
    key_id: keyId,
    name: (input.name ?? '').trim(),
    canned_report_key: input.canned_report_key ?? null,
    report_definition_id: input.report_definition_id ?? null,
    params: input.params ?? {},
    format: input.format ?? 'csv',
    cron: input.cron ?? '',
    channel_ids: input.channel_ids ?? [],
    enabled: input.enabled ?? true,
    only_if_rows: input.only_if_rows ?? false,
    only_changes: input.only_changes ?? false,
  };
  await checkSchedule(deps, principal, row, 'all');
  const created = await deps.db.transaction().execute(async (tx) => {
    await checkChannels(tx, row.channel_ids);
    return insertSchedule(tx, row);
  });
  if (!created) throw nameTaken(row.name);
  if (created.enabled) await noteSchedule(deps.db, scheduleKey(created.id), created.cron);
  return created;
}

/** A schedule that changed while the new values were checked is read and checked again, so that concurrent changes are all kept. */
export async function changeSchedule(deps: Dependencies, principal: Principal, id: string, input: ScheduleInput): Promise<ScheduleRow> {
  const before = await readableSchedule(deps, principal, id);
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as ScheduleInput;
  // A new source of one kind replaces that of the other.
  if (given.canned_report_key) given.report_definition_id = null;
  else if (given.report_definition_id) given.canned_report_key = null;
  const row = { ...before, ...given, name: given.name?.trim() ?? before.name };
  const ofSource = 'canned_report_key' in given || 'report_definition_id' in given || 'params' in given;
  if (ofSource && !owns(principal, before))
    throw problem('action_denied', 'Only the owner can change what a schedule reports, because it runs with the rights of the owner.');
  await checkSchedule(deps, principal, row, ofSource ? 'all' : 'times');
  const changed = await deps.db.transaction().execute(async (tx) => {
    if (!isDeepStrictEqual(await lockSchedule(tx, id), before)) return 'outdated';
    await checkChannels(tx, row.channel_ids);
    return updateSchedule(tx, row);
  });
  if (changed === 'outdated') return changeSchedule(deps, principal, id, input);
  if (!changed) throw nameTaken(row.name);
  if (changed.enabled) await noteSchedule(deps.db, scheduleKey(id), changed.cron);
  // Occurrences missed while it was off do not fire.
  else await deleteSchedule(deps.db, scheduleKey(id));
  return changed;
}

const nameTaken = (name: string) => problem('name_taken', `There is already a schedule named "${name}". Choose another name.`);

type Checked = Pick<ScheduleRow, 'canned_report_key' | 'report_definition_id' | 'params' | 'only_changes' | 'cron'>;

async function checkChannels(tx: Db, ids: string[]): Promise<void> {
  if ((await missingChannels(tx, ids)).length > 0)
    throw fieldProblem(
      ['body', 'channel_ids'],
      'There is no such alert channel. GET /report-schedules/channels lists them.',
      'unknown_channel',
    );
}

/** What could fail at night fails now: the cron expression, the report and its filters. */
async function checkSchedule(deps: Dependencies, principal: Principal, row: Checked, what: 'all' | 'times'): Promise<void> {
  readCron(row.cron, ['body', 'cron']);
  if (what === 'times') return;
  if ((row.canned_report_key === null) === (row.report_definition_id === null))
    throw fieldProblem(['body', 'canned_report_key'], 'Choose either a report or a custom report.', 'source');
  if (row.canned_report_key !== null && !findReport(row.canned_report_key))
    throw fieldProblem(['body', 'canned_report_key'], 'There is no such report. GET /reports lists them.', 'unknown_report');
  if (row.report_definition_id !== null && Object.keys(row.params).some((name) => name !== 'limit'))
    throw fieldProblem(['body', 'params'], 'A custom report has its filters in its query. Only limit can be given.', 'not_supported');
  const shareMap = createShareMap(deps.settings.shareMapPath);
  await checkSource({ ...deps, principal, shareMap: shareMap() }, sourceOf(row));
}

export async function removeSchedule(deps: Dependencies, principal: Principal, id: string): Promise<void> {
  await readableSchedule(deps, principal, id);
  await deleteScheduleRow(deps.db, id);
  await deleteSchedule(deps.db, scheduleKey(id));
}
