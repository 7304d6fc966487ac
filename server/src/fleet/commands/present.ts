import type { CommandRow } from './store.ts';

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

export function presentCommand(row: CommandRow) {
  return {
    id: row.id,
    agent_id: row.agent_id,
    kind: row.kind,
    item_id: row.item_id,
    payload: row.payload,
    status: row.status,
    attempts: row.attempts,
    progress: row.progress,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    picked_up_at: iso(row.picked_up_at),
    completed_at: iso(row.completed_at),
    result: row.result,
    requested_by: row.requested_by,
  };
}
