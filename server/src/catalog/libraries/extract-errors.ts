import { sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';

/** Items whose extraction failed, by path. */
export async function listExtractErrors(db: Db, visibility: Visibility, libraryId: string, page: { limit: number; offset: number }) {
  const where = sql`i.library_id = ${libraryId} and i.metadata ? '_extract_error' and i.status = 'active' and ${visibility.where('i')}`;
  const counted = await sql<{ count: number }>`select count(*) from items i where ${where}`.execute(db);
  const { rows } = await sql<{ id: string; rel_path: string; error: unknown; kind: string | null }>`
    select i.id, i.rel_path, i.metadata -> '_extract_error' error, i.metadata ->> '_extract_error_kind' kind from items i where ${where}
    order by i.rel_path limit ${page.limit} offset ${page.offset}`.execute(db);
  return {
    library_id: libraryId,
    count: counted.rows[0]!.count,
    items: rows.map(({ error, kind, ...row }) => ({ ...row, ...parseExtractError(error, kind) })),
  };
}

/** The marker is a sentence with its kind beside it, or an object that holds both. */
export function parseExtractError(marker: unknown, kind: string | null): { error: string; kind: string | null } {
  if (typeof marker === 'string') return { error: marker, kind };
  const { message, error, kind: own } = (marker ?? {}) as Record<string, unknown>;
  const text = [message, error].find((part) => typeof part === 'string') as string | undefined;
  return { error: text ?? JSON.stringify(marker), kind: typeof own === 'string' ? own : kind };
}
