import { sql } from 'kysely';
import type { Db } from './database/index.ts';

/**
 * Tells the alert rules that something happened. `firing` and `recovered` describe a condition that lasts: raise `firing` whenever it is
 * seen and `recovered` when it has ended; the rules remember what is firing. `once` is an incident. Pass the transaction of the change, so
 * that neither is stored without the other. It costs one row and never fails for lack of a rule.
 */
export interface SystemEvent {
  kind: SystemEventKind;
  /** What it is about, in a stable form such as a library id. Events with the same subject belong to one alert. */
  subject: string;
  status: 'firing' | 'recovered' | 'once';
  /** One sentence that can be sent as it is. */
  message: string;
  facts?: Record<string, unknown>;
  libraryId?: string | null;
  /** For an event about a file: people who may not see the file do not see the event. */
  itemId?: string | null;
  relPath?: string | null;
}

export const systemEventKinds = [
  'scan_failed',
  'extract_error_spike',
  'disk_low_space',
  'report_delivery_failed',
  'agent_cloned',
  'agent_offline',
  'agent_replication_stalled',
  'agent_verify_mismatch',
  'permission_changed',
  'integrity_mismatch',
] as const;
export type SystemEventKind = (typeof systemEventKinds)[number];

export async function raiseSystemEvent(db: Db, event: SystemEvent): Promise<void> {
  await sql`insert into system_events (kind, subject, status, message, facts, library_id, item_id, rel_path)
    values (${event.kind}, ${event.subject}, ${event.status}, ${event.message}, ${JSON.stringify(event.facts ?? {})}::jsonb, ${event.libraryId ?? null},
      ${event.itemId ?? null}, ${event.relPath ?? null})`.execute(db);
}
