import { sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { notFound, problem } from '../../platform/problem.ts';
import { decodeCursor, encodeCursor } from '../../platform/schemas.ts';
import { patchOverlayWithin } from '../items/index.ts';
import { hasNoOverlay } from './store.ts';

/** A missing item with tags or notes whose bytes are also in active files, so that a person can choose the file they belong to. */
interface UnattachedRow {
  id: string;
  library_id: string;
  rel_path: string;
  tags: string[];
  note: string | null;
  missing_since: Date | null;
}

interface CandidateRow {
  missing_id: string;
  id: string;
  library_id: string;
  rel_path: string;
}

const maxCandidates = 20;
const sameBytes = sql`left(n.content_hash, 8) = left(o.content_hash, 8) and n.content_hash = o.content_hash and n.size = o.size and n.status = 'active'`;

export async function listUnattached(db: Db, visibility: Visibility, page: { limit: number; cursor?: string }) {
  const after = decodeCursor(page.cursor, (value): value is string => typeof value === 'string') ?? '00000000-0000-0000-0000-000000000000';
  const rows = await pageUnattached(db, visibility, after, page.limit + 1);
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1) : undefined;
  const candidates = Map.groupBy(
    await findCandidates(
      db,
      visibility,
      shown.map(({ id }) => id),
    ),
    ({ missing_id }) => missing_id,
  );
  return {
    items: shown.map((row) => ({
      ...row,
      missing_since: row.missing_since?.toISOString() ?? null,
      candidates: (candidates.get(row.id) ?? []).map(({ missing_id: _missing, ...file }) => file),
    })),
    limit: page.limit,
    next_cursor: last ? encodeCursor(last.id) : null,
  };
}

async function pageUnattached(db: Db, visibility: Visibility, after: string, limit: number): Promise<UnattachedRow[]> {
  const { rows } = await sql<UnattachedRow>`
    select o.id, o.library_id, o.rel_path, o.tags, o.user_metadata->>'note' as note, o.deleted_at as missing_since
    from items o join libraries l on l.id = o.library_id
      -- Looked up file by file: few missing files have entries of people.
      cross join lateral (select from items n where ${sameBytes} and ${visibility.whereItem('n')} limit 1) found
    where o.status = 'missing' and not (${hasNoOverlay('o')}) and o.content_hash is not null and ${visibility.whereItem('o')} and o.id > ${after}
    order by o.id limit ${limit}`.execute(db);
  return rows;
}

async function findCandidates(db: Db, visibility: Visibility, ids: readonly string[]): Promise<CandidateRow[]> {
  const { rows } = await sql<CandidateRow>`
    select o.id as missing_id, c.id, c.library_id, c.rel_path from items o
    cross join lateral (
      select n.id, n.library_id, n.rel_path from items n where ${sameBytes} and ${visibility.whereItem('n')} order by n.rel_path limit ${maxCandidates}) c
    where o.id = any(${[...ids]}::uuid[])`.execute(db);
  return rows;
}

interface AttachRow {
  tags: string[];
  user_metadata: Record<string, unknown>;
  user_title: string | null;
  user_year: number | null;
  user_external_ids: Record<string, string | number>;
}

/**
 * Adds the tags and notes of a missing item to a file with the same bytes, and removes them from the missing item. Values that the file
 * already has are kept. Both changes are in the history. Both items are locked before they are read, so that no edit in between is lost.
 */
export async function attachOverlay(
  db: Db,
  visibility: Visibility,
  principal: Principal,
  pair: { from: string; to: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockItems(tx, [pair.from, pair.to]);
    const [from, to] = [await findOverlay(tx, visibility, pair.from, 'missing'), await findOverlay(tx, visibility, pair.to, 'active')];
    if (!from || !to) throw notFound('item');
    if (!(await haveSameBytes(tx, pair))) throw problem('unprocessable', 'The two files differ. Choose a file with the same contents.');
    await patchOverlayWithin(tx, visibility, principal, pair.to, addedValues(from, to));
    await patchOverlayWithin(tx, visibility, principal, pair.from, {
      tags: null,
      user_metadata: null,
      title: null,
      year: null,
      external_ids: null,
    });
  });
}

/** What one item takes over from another. If both have a note, it gets both. */
function addedValues(from: AttachRow, to: AttachRow) {
  const missingKeys = <Value>(given: Record<string, Value>, own: object): Record<string, Value> =>
    Object.fromEntries(Object.entries(given).filter(([key]) => !(key in own)));
  const notes = [to.user_metadata['note'], from.user_metadata['note']].filter((note): note is string => typeof note === 'string');
  return {
    add_tags: from.tags,
    user_metadata: {
      ...missingKeys(from.user_metadata, to.user_metadata),
      ...(notes.length === 2 && notes[0] !== notes[1] ? { note: notes.join('\n\n') } : {}),
    },
    external_ids: missingKeys(from.user_external_ids, to.user_external_ids),
    ...(to.user_title === null && from.user_title !== null ? { title: from.user_title } : {}),
    ...(to.user_year === null && from.user_year !== null ? { year: from.user_year } : {}),
  };
}

/** In the order of their ids, so that two requests cannot wait for each other. */
async function lockItems(tx: Db, ids: readonly string[]): Promise<void> {
  await sql`select from items where id = any(${[...ids]}::uuid[]) order by id for update`.execute(tx);
}

async function findOverlay(db: Db, visibility: Visibility, id: string, status: 'missing' | 'active'): Promise<AttachRow | undefined> {
  const { rows } = await sql<AttachRow>`
    select o.tags, o.user_metadata, o.user_title, o.user_year, o.user_external_ids from items o
    where o.id = ${id} and o.status = ${status} and ${visibility.whereItem('o')}`.execute(db);
  return rows[0];
}

async function haveSameBytes(db: Db, { from, to }: { from: string; to: string }): Promise<boolean> {
  const { rows } = await sql`select 1 from items o, items n where o.id = ${from} and n.id = ${to} and ${sameBytes}`.execute(db);
  return rows.length > 0;
}
