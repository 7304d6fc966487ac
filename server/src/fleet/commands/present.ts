import type { CommandRow } from './store.ts';

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/**
 * Whoever sees a file sees its commands. Where it was when a command was given is left out: since then it may have come from a folder that
 * the caller may not see.
 */
function shownPayload({ item_id, payload }: CommandRow): Record<string, unknown> {
  if (item_id === null) return payload;
  const { library_ref: _root, rel_path: _path, ...rest } = payload;
  return rest;
}

/** For the agent itself, which needs to know where its file is. */
export const presentToAgent = (row: CommandRow) => ({ ...presentCommand(row), payload: row.payload });

export function presentCommand(row: CommandRow) {
  return {
    id: row.id,
    agent_id: row.agent_id,
    kind: row.kind,
    item_id: row.item_id,
    payload: shownPayload(row),
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
