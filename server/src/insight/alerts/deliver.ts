/**
 * The delivery of one message through one channel.
 *
 * pending    to be sent at `next_attempt_at`.
 * sending    a worker is sending it; if the worker dies, it is due again at `next_attempt_at`.
 * delivered  the receiver accepted it.
 * failed     the receiver rejected it for good, or SVC_ALERT_MAX_DELIVERY_ATTEMPTS attempts failed. A person can send it again.
 *
 * The message carries the id of the delivery, which stays the same: a worker that dies between the answer of the receiver and the commit
 * sends it once more, and the receiver can tell. Messages of one alert reach a channel in their order.
 */
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Outbound } from '../../platform/outbound/index.ts';
import { Problem } from '../../platform/problem.ts';
import { type SendResult, sendThrough } from './channels/send.ts';
import { openChannel } from './channels/service.ts';
import { findChannel, recordDelivery } from './channels/store.ts';
import type { AlertMessage } from './message.ts';
import { safeError } from './message.ts';
import type { PumpContext } from './pump-context.ts';

const parallel = 8;
const leaseSeconds = 300;
/** A delivery that waits for a secret to become readable is tried again after this time. */
const keyRetrySeconds = 600;

interface ClaimedDelivery {
  notification_id: string;
  channel_id: string;
  attempts: number;
  done_targets: string[];
  message: Omit<AlertMessage, 'id'>;
}

/** Sends everything that is due, a few at a time, so that a slow receiver does not hold up the others. */
export async function deliverDue(context: PumpContext, outbound: Outbound): Promise<void> {
  for (;;) {
    if (context.signal?.aborted) return;
    const claimed = await claim(context.db, context.now);
    if (claimed.length === 0) return;
    await Promise.all(claimed.map((delivery) => deliver(context, outbound, delivery)));
  }
}

/** Marks due deliveries as being sent. A delivery waits for earlier messages of the same alert to the same channel. */
async function claim(db: Db, now: Date): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    with due as (
      select d.notification_id, d.channel_id from alert_deliveries d join alert_notifications n on n.id = d.notification_id
      where d.state in ('pending', 'sending') and d.next_attempt_at <= ${now}
        and not exists (select from alert_deliveries o join alert_notifications p on p.id = o.notification_id
          where p.group_id = n.group_id and o.channel_id = d.channel_id and o.state in ('pending', 'sending') and (p.created_at, p.id) < (n.created_at, n.id))
      order by d.next_attempt_at limit ${parallel} for update of d skip locked)
    update alert_deliveries d set state = 'sending', attempts = d.attempts + 1, next_attempt_at = ${now}::timestamptz + ${leaseSeconds} * interval '1 second'
    from due, alert_notifications n where d.notification_id = due.notification_id and d.channel_id = due.channel_id and n.id = d.notification_id
    returning d.notification_id, d.channel_id, d.attempts, d.done_targets, n.message`.execute(db);
  return rows;
}

async function deliver(context: PumpContext, outbound: Outbound, delivery: ClaimedDelivery): Promise<void> {
  const { db, settings, now, log } = context;
  const row = await findChannel(db, delivery.channel_id);
  if (!row) return;
  if (!row.enabled)
    return finish(context, delivery, { ok: false, detail: 'The channel is disabled.', retryable: false, done: delivery.done_targets });
  const channel = await openChannel({ db, settings }, row).catch((error: unknown) => {
    if (error instanceof Problem) return error;
    throw error;
  });
  if (channel instanceof Problem) {
    log.error(`The secrets of the alert channel "${row.name}" cannot be read. Its messages are held.`, { code: channel.code });
    return postpone(db, delivery, `${channel.message}`, new Date(now.getTime() + keyRetrySeconds * 1000));
  }
  const message: AlertMessage = { ...delivery.message, id: messageId(delivery) };
  const result = await sendThrough(channel, message, { outbound, settings, now: new Date(), done: delivery.done_targets });
  await recordDelivery(db, row.id, result);
  await finish(context, delivery, result);
}

/** The same for every attempt, and different for every channel. */
const messageId = ({ notification_id, channel_id }: Pick<ClaimedDelivery, 'notification_id' | 'channel_id'>): string =>
  `${notification_id}.${channel_id.slice(-12)}`;

/** One minute, then six times as long each time, up to a day. */
export function backoffSeconds(attempts: number): number {
  return Math.min(86_400, 60 * 6 ** Math.max(0, attempts - 1));
}

/** Only the worker whose attempt this was may finish it. */
async function finish(
  { db, settings, now }: PumpContext,
  { notification_id, channel_id, attempts }: ClaimedDelivery,
  result: Pick<SendResult, 'ok' | 'detail' | 'retryable' | 'done'>,
): Promise<void> {
  const again = !result.ok && result.retryable && attempts < settings.alertMaxDeliveryAttempts;
  const state = result.ok ? 'delivered' : again ? 'pending' : 'failed';
  const nextAttempt = new Date(now.getTime() + backoffSeconds(attempts) * 1000);
  await sql`update alert_deliveries set state = ${state}, next_attempt_at = ${nextAttempt}, done_targets = ${result.done},
      last_error = case when ${result.ok} then null else ${safeError(result.detail)}::text end, delivered_at = case when ${result.ok} then now() end
    where notification_id = ${notification_id} and channel_id = ${channel_id} and state = 'sending' and attempts = ${attempts}`.execute(db);
}

/** Held without using up an attempt. */
async function postpone(db: Db, { notification_id, channel_id, attempts }: ClaimedDelivery, reason: string, until: Date): Promise<void> {
  await sql`update alert_deliveries set state = 'pending', attempts = attempts - 1, next_attempt_at = ${until}, last_error = ${reason}
    where notification_id = ${notification_id} and channel_id = ${channel_id} and state = 'sending' and attempts = ${attempts}`.execute(db);
}

/** Sends the failed messages of an alert again, with all attempts. Returns how many. */
export async function resendFailed(db: Db, groupId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ channel_id: string }>`update alert_deliveries d set state = 'pending', attempts = 0, next_attempt_at = ${now}
    from alert_notifications n where n.id = d.notification_id and n.group_id = ${groupId} and d.state = 'failed' returning d.channel_id`.execute(
    db,
  );
  return rows.length;
}
