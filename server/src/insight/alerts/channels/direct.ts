import type { Dependencies } from '../../../platform/dependencies.ts';
import { createOutbound } from '../../../platform/outbound/index.ts';
import type { AlertMessage } from '../message.ts';
import { type Attachment, type SendResult, sendThrough } from './send.ts';
import { openChannel } from './service.ts';
import { findChannel, recordDelivery } from './store.ts';

/** A message that no alert rule made, such as a finished report. `facts` are the members of its generic webhook body. */
export interface DirectMessage {
  /** Identifies the message at the receiver; use the same id for a repeated delivery. */
  id: string;
  eventType: string;
  title: string;
  text: string;
  link: string | null;
  facts: Record<string, unknown>;
  /** Sent with mail only. */
  attachments?: readonly Attachment[];
  /** Services of a gateway that have the message from an earlier attempt; `done` of the result names them. */
  done?: readonly string[];
}

/**
 * Sends a message through a channel once. Null when the channel is gone or disabled. A failed delivery is a result; `retryable` says whether
 * to try again. Throws `secret_key_missing` or `secret_unreadable` when the secrets of the channel cannot be read.
 */
export async function sendToChannel(
  { db, settings, clock }: Pick<Dependencies, 'db' | 'settings' | 'clock'>,
  channelId: string,
  { id, eventType, title, text, link, facts, attachments, done = [] }: DirectMessage,
): Promise<SendResult | null> {
  const row = await findChannel(db, channelId);
  if (!row?.enabled) return null;
  const now = clock.now();
  const message: AlertMessage = {
    id,
    kind: 'report',
    severity: 'info',
    title,
    text,
    rule: title,
    event_type: eventType,
    count: 0,
    paths: [],
    truncated: 0,
    library_id: null,
    library: null,
    digest_window: null,
    group: id,
    occurred_at: now.toISOString(),
    link,
    facts,
  };
  const result = await sendThrough(await openChannel({ db, settings }, row), message, {
    outbound: createOutbound({ settings }),
    settings,
    now,
    done,
    ...(attachments ? { attachments } : {}),
  });
  await recordDelivery(db, channelId, result);
  return result;
}
