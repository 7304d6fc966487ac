import { Type } from 'typebox';
import { createShareMap } from '../../catalog/libraries/index.ts';
import { principalOfOwner } from '../../people/identity/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { maintenanceMode } from '../../platform/maintenance-mode.ts';
import { Problem, problem } from '../../platform/problem.ts';
import { enqueue, rescheduleIn, type Schedule, type Task } from '../../platform/queue/index.ts';
import {
  createExportService,
  type ExportSource,
  findExport,
  markDigestsDelivered,
  openSource,
  type SourceContext,
  setDelivery,
} from '../exports/index.ts';
import { deliver, ownerGone, raiseFailure, settleAbandonedRuns } from './deliver.ts';
import { deliveriesOf, endRun, findRun, insertRun, openRun, type RunRow, setDelivering, setExport, setRunJob } from './runs-store.ts';
import { enabledSchedules, findSchedule, type ScheduleRow, setFired } from './store.ts';

/**
 * The states of a run.
 *
 * queued -> exporting       an export with the owner's rights of this moment was queued.
 * exporting -> delivering   its file is complete.
 * exporting -> stored       it is complete, and the schedule has no channel: it is found under Exports.
 * exporting -> skipped      it has no rows, or none that changed, and the schedule wants none then.
 * delivering -> delivered   every channel accepted it.
 * any -> failed             the owner is gone or has lost rights that the file was made with, the export failed, or a channel rejected it for good.
 *
 * Once one channel has the file, later runs are compared with it, so that no channel receives the same changes twice. A channel without it
 * when the run ends does not receive it later; the file stays under Exports.
 *
 * One job performs all of it; between the states it is rescheduled, so that it holds no slot while it waits.
 */
const payload = Type.Object({ run_id: Type.String({ format: 'uuid' }) });
const runJob: Task<typeof payload> = {
  name: 'run_report_schedule',
  queue: 'exports',
  payload,
  attempts: 3,
  ageExempt: true,
  perform: () => Promise.reject(new Error('Schedules run in a worker.')),
};

const pollSeconds = 2;

export const scheduleKey = (id: string): string => `report_schedule:${id}`;

/** Every enabled schedule. In maintenance mode none fires; the latest missed occurrence fires afterwards. */
export async function reportSchedules(db: Db): Promise<Schedule[]> {
  if ((await maintenanceMode(db)).active) return [];
  return (await enabledSchedules(db)).map(({ id, cron }) => ({
    key: scheduleKey(id),
    cron,
    async fire(at, occurrence) {
      await setFired(at, id, occurrence);
      await settleAbandonedRuns(at);
      if (!(await openRun(at, id))) await createRun(at, id, 'cron');
    },
  }));
}

async function createRun(db: Db, scheduleId: string, trigger: RunRow['trigger']): Promise<RunRow> {
  const run = await insertRun(db, scheduleId, trigger);
  const job = await enqueue(db, runJob, { run_id: run.id }, { lock: `schedule run ${run.id}` });
  if (job !== null) await setRunJob(db, run.id, job);
  return run;
}

export async function startRun(db: Db, schedule: ScheduleRow): Promise<RunRow> {
  return db.transaction().execute(async (transaction) => {
    await settleAbandonedRuns(transaction);
    if (await openRun(transaction, schedule.id)) throw problem('schedule_running');
    return createRun(transaction, schedule.id, 'manual');
  });
}

/** What the schedule exports. */
export function sourceOf(
  schedule: Pick<ScheduleRow, 'canned_report_key' | 'report_definition_id' | 'params' | 'only_changes'>,
): ExportSource {
  const changes = schedule.only_changes ? { only_changes: true } : {};
  return schedule.canned_report_key === null
    ? {
        kind: 'custom',
        id: schedule.report_definition_id ?? '',
        ...changes,
        ...(schedule.params.limit ? { limit: schedule.params.limit } : {}),
      }
    : { kind: 'report', id: schedule.canned_report_key, params: schedule.params, ...changes };
}

export function scheduleTask(deps: Dependencies): Task {
  const task: typeof runJob = {
    ...runJob,
    async perform({ run_id }, { db }) {
      const run = await findRun(db, run_id);
      const schedule = run ? await findSchedule(db, run.schedule_id) : null;
      if (!run || !schedule || run.finished_at !== null) return;
      try {
        await advance({ ...deps, db }, run, schedule);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        await failUnmade(db, run, schedule, error.message.slice(0, 500));
      }
    },
  };
  return task as Task;
}

async function advance(deps: Dependencies, run: RunRow, schedule: ScheduleRow): Promise<void> {
  const { db } = deps;
  if (run.state === 'queued') {
    await setExport(db, run.id, await queueExport(deps, schedule));
    throw rescheduleIn(pollSeconds);
  }
  const row = run.export_id === null ? null : await findExport(db, run.export_id);
  if (!row) return failUnmade(db, run, schedule, 'The export of this run is gone.');
  if (run.state === 'exporting') {
    if (row.status === 'queued' || row.status === 'running') throw rescheduleIn(pollSeconds);
    if (row.status === 'failed') return failUnmade(db, run, schedule, row.error ?? 'The export failed.');
    if (row.status !== 'complete') return endRun(db, run.id, 'failed', row.error ?? 'The export was cancelled.');
    const empty = row.row_count === 0;
    if (empty && (schedule.only_if_rows || schedule.only_changes)) {
      await setDelivery(db, row.id, 'skipped', null);
      await markDigestsDelivered(db, row.id, schedule.id);
      return endRun(db, run.id, 'skipped', schedule.only_changes ? 'Nothing has changed since the last time.' : 'The report has no rows.');
    }
    if (schedule.channel_ids.length === 0) {
      await setDelivery(db, row.id, 'skipped', null);
      await markDigestsDelivered(db, row.id, schedule.id);
      return endRun(db, run.id, 'stored', null);
    }
    await setDelivery(db, row.id, 'pending', null);
    await setDelivering(db, run.id, schedule.channel_ids);
  }
  const waitSeconds = await deliver(deps, run, schedule, row);
  if (waitSeconds !== null) throw rescheduleIn(waitSeconds);
  const deliveries = await deliveriesOf(db, run.id);
  const failed = deliveries.find(({ state }) => state === 'failed' || state === 'skipped');
  if (failed) return endRun(db, run.id, 'failed', failed.last_error ?? 'The report could not be delivered.');
  await endRun(db, run.id, 'delivered', null);
}

/** A report that could not be made is not delivered either. */
async function failUnmade(db: Db, run: RunRow, schedule: ScheduleRow, reason: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await endRun(transaction, run.id, 'failed', reason);
    if (schedule.channel_ids.length > 0) await raiseFailure(transaction, schedule, run.export_id, reason);
  });
}

/** The rights are those that the owner has now. */
async function queueExport(deps: Dependencies, schedule: ScheduleRow): Promise<string> {
  const { db, settings } = deps;
  const owner = { kind: schedule.owner_kind, id: schedule.owner_id, keyId: schedule.key_id };
  const principal = await principalOfOwner(db, settings, owner);
  if (!principal) throw ownerGone();
  const shareMap = createShareMap(settings.shareMapPath);
  const source = sourceOf(schedule);
  // A report that cannot run any more fails here with its reason, not in the export.
  const { title } = await checkSource({ ...deps, principal, shareMap: shareMap(), scheduled: true }, source);
  const row = await createExportService(deps).queue(principal, {
    source,
    title,
    format: schedule.format,
    gzip: false,
    byteOrderMark: false,
    schedule: schedule.id,
  });
  return row.id;
}

/** Opens a report without reading it, which checks its filters and the right to download. */
export function checkSource(context: Omit<SourceContext, 'openIndex'>, source: ExportSource): Promise<{ title: string }> {
  const openIndex = (): never => {
    throw new Error('Reports do not read the search index.');
  };
  return openSource({ ...context, openIndex }, source);
}
