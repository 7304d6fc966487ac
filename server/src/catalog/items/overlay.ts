import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { checkCustomFields } from '../custom-fields/index.ts';
import { recordItemChange } from './history.ts';
import type { ItemPatch } from './schemas.ts';

export type OverlayPatch = Static<typeof ItemPatch>;

/** What people entered about an item. Only this file writes it; scans, extractors and sidecars never do. */
interface Overlay {
  tags: string[];
  user_metadata: Record<string, unknown>;
  title: string | null;
  year: number | null;
  external_ids: Record<string, unknown>;
}

interface StoredOverlay extends Overlay {
  library_id: string;
  rel_path: string;
  file_category: string;
}

const maxTags = 200;

/**
 * Updates the overlay of one item and records the change. Returns false when the item already had these values.
 * The row is locked, so that concurrent edits do not overwrite each other.
 */
export async function patchOverlay(
  db: Db,
  visibility: Visibility,
  principal: Principal,
  id: string,
  patch: OverlayPatch,
): Promise<boolean> {
  return db.transaction().execute((tx) => patchOverlayWithin(tx, visibility, principal, id, patch));
}

/** Like `patchOverlay`, within a transaction of the caller. */
export async function patchOverlayWithin(
  tx: Db,
  visibility: Visibility,
  principal: Principal,
  id: string,
  patch: OverlayPatch,
): Promise<boolean> {
  for (const [field, value] of Object.entries(patch)) checkStorable(value, ['body', field]);
  const { rows } =
    await sql<StoredOverlay>`select library_id, rel_path, file_category, tags, user_metadata, user_title title, user_year as year,
    user_external_ids external_ids from items where id = ${id} for update`.execute(tx);
  const stored = rows[0];
  if (!stored || !visibility.allows(stored.library_id, stored.rel_path, 'search_metadata')) throw notFound('item');
  if (!visibility.allows(stored.library_id, stored.rel_path, 'edit_metadata')) throw problem('action_denied');
  if (patch.user_metadata)
    await checkCustomFields(tx, patch.user_metadata, { libraryId: stored.library_id, category: stored.file_category });

  const { library_id: _library, rel_path: _path, file_category: _category, ...before } = stored;
  checkExpected(before.user_metadata, patch);
  const after = applyPatch(before, patch);
  checkStorable(after.user_metadata, ['body', 'user_metadata']);
  const changed = (Object.keys(after) as (keyof Overlay)[]).filter((field) => !isDeepStrictEqual(before[field], after[field]));
  if (changed.length === 0) return false;
  await sql`update items set tags = ${after.tags}::text[], user_metadata = ${JSON.stringify(after.user_metadata)}::jsonb, user_title = ${after.title},
    user_year = ${after.year}, user_external_ids = ${JSON.stringify(after.external_ids)}::jsonb where id = ${id}`.execute(tx);
  const only = (overlay: Overlay) => Object.fromEntries(changed.map((field) => [field, overlay[field]]));
  await recordItemChange(tx, id, principal, only(before), only(after));
  return true;
}

function applyPatch(before: Overlay, patch: OverlayPatch): Overlay {
  return {
    tags: applyTags(before.tags, patch),
    user_metadata: mergeKeys(before.user_metadata, patch.user_metadata),
    title: patch.title === undefined ? before.title : patch.title?.trim() || null,
    year: patch.year === undefined ? before.year : patch.year,
    external_ids: mergeKeys(before.external_ids, patch.external_ids),
  };
}

function mergeKeys(before: Record<string, unknown>, patch: Record<string, unknown> | null | undefined): Record<string, unknown> {
  if (patch === undefined) return before;
  if (patch === null) return {};
  return Object.fromEntries(Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null));
}

/** Refuses to replace what somebody else has entered since the caller read it. A request may be repeated because its answer was lost. */
function checkExpected(before: Record<string, unknown>, { user_metadata, expected_user_metadata: expected = {} }: OverlayPatch): void {
  for (const [key, value] of Object.entries(expected)) {
    const stored = Object.hasOwn(before, key) ? before[key] : null;
    const isSaved = user_metadata && Object.hasOwn(user_metadata, key) && isDeepStrictEqual(stored, user_metadata[key]);
    if (!isSaved && !isDeepStrictEqual(stored, value)) throw problem('edited_meanwhile');
  }
}

/** Tags in the given order, trimmed and without duplicates. */
function applyTags(before: readonly string[], { tags, add_tags = [], remove_tags = [] }: OverlayPatch): string[] {
  const clean = (list: readonly string[]): string[] => list.map((tag) => tag.trim()).filter((tag) => tag !== '');
  const removed = new Set(clean(remove_tags));
  const after = [...new Set([...clean(tags === undefined ? before : (tags ?? [])), ...clean(add_tags)])].filter((tag) => !removed.has(tag));
  if (after.length > maxTags) throw fieldProblem(['body', 'tags'], `An item can have up to ${maxTags} tags. Remove some.`, 'maxItems');
  return after;
}

const maxJsonLength = 65_536;
const maxDepth = 20;

/** Refuses values that the database would not store unchanged: NUL characters and lone surrogates. */
function checkStorable(value: unknown, loc: (string | number)[]): void {
  checkValue(value, loc, 0);
  if (JSON.stringify(value ?? null).length > maxJsonLength)
    throw fieldProblem(loc, `The notes of an item can have up to ${maxJsonLength / 1024} KiB. Shorten them.`, 'too_large');
}

function checkValue(value: unknown, loc: (string | number)[], depth: number): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) throw fieldProblem(loc, 'holds a character that cannot be stored', 'unstorable');
    return;
  }
  if (value === null || typeof value !== 'object') return;
  if (depth >= maxDepth) throw fieldProblem(loc, `is nested deeper than ${maxDepth} levels`, 'too_deep');
  for (const [key, part] of Object.entries(value)) {
    checkValue(key, loc, depth);
    checkValue(part, [...loc, key], depth + 1);
  }
}
