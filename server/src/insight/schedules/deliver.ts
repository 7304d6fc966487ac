import { stillAllows, visibilityOf } from '../../people/access/index.ts';
import { principalOfOwner } from '../../people/identity/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { Problem, problem } from '../../platform/problem.ts';
import { raiseSystemEvent } from '../../platform/system-events.ts';
import { sendToChannel } from '../alerts/index.ts';
import { type ExportRow, exportFile, exportFolder, fileName, markDigestsDelivered, setDelivery } from '../exports/index.ts';
import { type DeliveryRow, deliveriesOf, endAbandonedRuns, type RunRow, setDeliveryState } from './runs-store.ts';
import type { ScheduleRow } from './store.ts';

/** One minute, then six times as long each time, up to a day. */
const backoffSeconds = (attempts: number): number => Math.min(86_400, 60 * 6 ** Math.max(0, attempts - 1));

export const ownerGone = (): Problem =>
  problem('action_denied', 'The account or API key that owns this schedule no longer exists or is disabled. Create the schedule again.');

/** Sends the report to every channel that does not have it yet. Returns the seconds until the next attempt, or null when all have ended. */
export async function deliver(deps: Dependencies, run: RunRow, schedule: ScheduleRow, row: ExportRow): Promise<number | null> {
  const { db } = deps;
  const all = await deliveriesOf(db, run.id);
  const results: DeliveryRow[] = [];
  for (const delivery of all) {
    const result = delivery.state === 'pending' ? await attempt(deps, run, schedule, row, delivery) : delivery;
    // Runs before the delivery is recorded and before the next channel is tried, because the job may be killed during either.
    if (result.state === 'delivered') await markDigestsDelivered(db, row.id, schedule.id);
    if (result !== delivery) await setDeliveryState(db, run.id, result);
    results.push(result);
  }
  const waiting = results.filter(({ state }) => state === 'pending');
  if (waiting.length > 0) return Math.min(...waiting.map(({ attempts }) => backoffSeconds(attempts)));
  const lost = results.find(({ state }) => state === 'failed') ?? results.find(({ state }) => state === 'skipped');
  await setDelivery(db, row.id, lost ? (lost.state === 'failed' ? 'failed' : 'skipped') : 'delivered', lost?.last_error ?? null);
  if (lost) await raiseFailure(db, schedule, row.id, lost.last_error ?? 'the channel rejected it');
  return null;
}

/** Tells the alert rules that nobody receives the report. */
export async function raiseFailure(
  db: Db,
  { id, name }: Pick<ScheduleRow, 'id' | 'name'>,
  exportId: string | null,
  reason: string,
): Promise<void> {
  await raiseSystemEvent(db, {
    kind: 'report_delivery_failed',
    subject: id,
    status: 'once',
    message: `The scheduled report "${name}" could not be delivered: ${reason}`,
    facts: { schedule: name, export_id: exportId },
  });
}

/** Ends the runs that no job will finish, and tells of those whose report somebody waits for. Returns how many there were. */
export async function settleAbandonedRuns(db: Db): Promise<number> {
  const end = async (at: Db): Promise<number> => {
    const ended = await endAbandonedRuns(at);
    for (const { schedule_id, name, export_id, reason } of ended.filter(({ missed }) => missed))
      await raiseFailure(at, { id: schedule_id, name }, export_id, reason);
    return ended.length;
  };
  return db.isTransaction ? end(db) : db.transaction().execute(end);
}

async function attempt(
  deps: Dependencies,
  run: RunRow,
  schedule: ScheduleRow,
  row: ExportRow,
  delivery: DeliveryRow,
): Promise<DeliveryRow> {
  const lost = await rightsLost(deps, row);
  if (lost !== null) return { ...delivery, state: 'failed', last_error: lost.message };
  const attempts = delivery.attempts + 1;
  const again = attempts < deps.settings.alertMaxDeliveryAttempts;
  const failed = (error: string, retryable: boolean): DeliveryRow => ({
    ...delivery,
    attempts,
    state: retryable && again ? 'pending' : 'failed',
    last_error: error.slice(0, 500),
  });
  try {
    const sent = await sendToChannel(deps, delivery.channel_id, {
      ...message(deps, run, schedule, row, delivery),
      done: delivery.done_targets,
    });
    if (sent === null) return { ...delivery, attempts, state: 'skipped', last_error: 'The channel is disabled or was removed.' };
    if (sent.ok) return { ...delivery, attempts, state: 'delivered', last_error: null };
    return { ...failed(sent.detail, sent.retryable), done_targets: sent.done };
  } catch (error) {
    // The secrets of the channel cannot be read; an administrator can correct that.
    if (error instanceof Problem) return failed(error.message, true);
    throw error;
  }
}

/** Why the file must not be sent any more, or null. Retries take hours, in which its owner can lose the rights it was made with. */
async function rightsLost({ db, settings }: Dependencies, row: ExportRow): Promise<Problem | null> {
  const owner = await principalOfOwner(db, settings, { kind: row.owner_kind, id: row.owner_id, keyId: row.key_id });
  if (!owner) return ownerGone();
  return stillAllows(await visibilityOf(db, owner), row.rights)
    ? null
    : problem(
        'action_denied',
        'The report was not sent because the owner of this schedule has lost permissions since it was made. The next run uses the current permissions.',
      );
}

/** A file up to SVC_REPORT_EMAIL_MAX_BYTES is attached to mail. All other messages carry the link, which needs a sign-in. */
function message({ settings }: Dependencies, run: RunRow, schedule: ScheduleRow, row: ExportRow, { channel_id }: DeliveryRow) {
  const size = row.file_size_bytes ?? 0;
  const attached = size <= settings.reportEmailMaxBytes;
  const path = `/api/v1/exports/${row.id}/download`;
  const rows = row.row_count ?? 0;
  return {
    id: `${run.id}.${channel_id.slice(-12)}`,
    eventType: 'scheduled_report',
    title: schedule.name,
    text: `${row.title}: ${rows} ${rows === 1 ? 'row' : 'rows'}${schedule.only_changes ? ' that are new, have changed or are gone' : ''}.`,
    link: settings.publicBaseUrl ? `${settings.publicBaseUrl}${path}` : null,
    facts: {
      schedule: schedule.name,
      report: row.title,
      format: row.format,
      row_count: rows,
      file_size_bytes: size,
      download_url: `${settings.publicBaseUrl ?? ''}${path}`,
      export_id: row.id,
    },
    ...(attached
      ? {
          attachments: [
            { filename: fileName(row.title, row.created_at, row.format, row.gzip), path: exportFile(exportFolder(settings), row.id) },
          ],
        }
      : {}),
  };
}
