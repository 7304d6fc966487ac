import { sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import { type Db, one } from '../../platform/database/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { decodeCursor, encodeCursor } from '../../platform/schemas.ts';
import { visibleMetadata } from './present.ts';
import type { ItemRow } from './store.ts';

interface HistoryRow {
  id: string;
  at: Date;
  source: 'user' | 'extractor' | 'sidecar';
  principal_id: string | null;
  actor: string | null;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

/** Records a change by a person. Call it in the transaction of the change. */
export async function recordItemChange(db: Db, itemId: string, principal: Principal, before: object, after: object): Promise<void> {
  await sql`insert into item_history (item_id, source, principal_id, actor, before, after)
    values (${itemId}, 'user', ${principal.kind === 'user' ? principal.id : null}, ${principal.name}, ${JSON.stringify(before)}::jsonb, ${JSON.stringify(after)}::jsonb)`.execute(
    db,
  );
}

/** Changes of an item, newest first. */
export async function listHistory(
  db: Db,
  item: Pick<ItemRow, 'id' | 'library_id' | 'rel_path' | 'expose_gps'>,
  visibility: Visibility,
  page: { limit: number; cursor?: string | undefined },
) {
  const before = decodeCursor(page.cursor, (value): value is string => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value));
  const { rows } = await sql<HistoryRow>`select id, at, source, principal_id, actor, before, after from item_history
    where item_id = ${item.id} ${before === null ? sql`` : sql`and id < ${before}`} order by id desc limit ${page.limit + 1}`.execute(db);
  const counted = await sql<{ count: number }>`select count(*) from item_history where item_id = ${item.id}`.execute(db);
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1) : undefined;
  const visible = (part: Record<string, unknown>): Record<string, unknown> => ({
    ...visibleMetadata(part, item, visibility),
    ...(isObject(part['metadata']) ? { metadata: visibleMetadata(part['metadata'], item, visibility) } : {}),
  });
  return {
    items: shown.map((row) => ({
      ...row,
      at: row.at.toISOString(),
      // Values entered by people are returned unchanged.
      before: row.source === 'user' ? row.before : visible(row.before),
      after: row.source === 'user' ? row.after : visible(row.after),
    })),
    total: one(counted.rows).count,
    limit: page.limit,
    next_cursor: last ? encodeCursor(last.id) : null,
  };
}

/** Deletes changes by extractors and sidecars after the retention. Changes by people are kept. */
export async function purgeItemVersions(db: Db, retentionDays: number): Promise<number> {
  let purged = 0;
  for (;;) {
    const { numAffectedRows } = await sql`delete from item_history where id in
      (select id from item_history where source <> 'user' and at < now() - ${`${retentionDays} days`}::interval limit 10000)`.execute(db);
    purged += Number(numAffectedRows ?? 0);
    if (Number(numAffectedRows ?? 0) < 10_000) return purged;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
