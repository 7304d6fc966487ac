import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { nextScans, noteScanSchedules, resetScanSchedule } from '../scan/index.ts';
import { parseCronField } from './rules.ts';
import { libraryById } from './store.ts';

interface ScanPathFields {
  rel_path?: string;
  scan_cron?: string | null;
  watch_mode?: boolean | null;
  enabled?: boolean;
}

/** Folders of a library with their own scan schedule. */
export async function listScanPaths(db: Db, libraryId: string) {
  const rows = await db
    .selectFrom('scan_paths')
    .select(['id', 'library_id', 'rel_path', 'scan_cron', 'watch_mode', 'enabled', 'created_at'])
    .where('library_id', '=', libraryId)
    .orderBy('rel_path')
    .execute();
  const next = await nextScans(db, 'scan_paths', rows);
  return rows.map((row) => ({
    ...row,
    next_scan_at: next.get(row.id) ?? null,
    created_at: row.created_at.toISOString(),
  }));
}

export async function createScanPath(db: Db, libraryId: string, given: ScanPathFields, actor: Actor): Promise<string> {
  const library = await libraryById(db, libraryId);
  if (!library) throw notFound('library');
  // Agents know no schedules of single folders.
  if (library.source_agent_id !== null) throw problem('library_agent_owned');
  const fields = checkScanPath(given);
  const id = await db.transaction().execute(async (tx) => {
    const created = await tx
      .insertInto('scan_paths')
      .values({ library_id: libraryId, rel_path: '', scan_cron: null, watch_mode: null, ...fields })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!created) throw duplicateScanPath(fields.rel_path ?? '');
    await recordScanPathEvent(tx, actor, 'create_scan_path', libraryId, created.id);
    return created.id;
  });
  await noteScanSchedules(db, libraryId);
  return id;
}

export async function updateScanPath(db: Db, libraryId: string, id: string, given: ScanPathFields, actor: Actor): Promise<void> {
  const fields = checkScanPath(given);
  await requireScanPath(db, libraryId, id);
  if (Object.keys(fields).length === 0) return;
  await db.transaction().execute(async (tx) => {
    const { rel_path } = fields;
    const duplicate =
      rel_path === undefined
        ? undefined
        : await tx
            .selectFrom('scan_paths')
            .select('id')
            .where('library_id', '=', libraryId)
            .where('rel_path', '=', rel_path)
            .where('id', '<>', id)
            .executeTakeFirst();
    if (duplicate) throw duplicateScanPath(rel_path ?? '');
    await tx.updateTable('scan_paths').set(fields).where('id', '=', id).execute();
    if (fields.scan_cron === null || fields.enabled === false) await resetScanSchedule(tx, 'scan_paths', id);
    await recordScanPathEvent(tx, actor, 'change_scan_path', libraryId, id);
  });
  await noteScanSchedules(db, libraryId);
}

export async function deleteScanPath(db: Db, libraryId: string, id: string, actor: Actor): Promise<void> {
  await requireScanPath(db, libraryId, id);
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('scan_paths').where('id', '=', id).execute();
    await resetScanSchedule(tx, 'scan_paths', id);
    await recordScanPathEvent(tx, actor, 'delete_scan_path', libraryId, id);
  });
}

function checkScanPath(given: ScanPathFields): ScanPathFields {
  const fields = { ...given };
  if (fields.rel_path !== undefined) fields.rel_path = parseRelPath(fields.rel_path, ['body', 'rel_path']);
  if (fields.scan_cron !== undefined) fields.scan_cron = parseCronField(fields.scan_cron, ['body', 'scan_cron']);
  return fields;
}

/** A path below the root without empty or `.` segments. Refuses `..`. */
export function parseRelPath(given: string, loc: (string | number)[]): string {
  const segments = given.split('/').filter((part) => part !== '' && part !== '.');
  if (segments.includes('..')) throw fieldProblem(loc, 'Enter a path inside the library, without "..".', 'rel_path');
  return segments.join('/');
}

async function requireScanPath(db: Db, libraryId: string, id: string): Promise<void> {
  const row = await db.selectFrom('scan_paths').select('id').where('library_id', '=', libraryId).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('scan path');
}

function duplicateScanPath(relPath: string) {
  return problem('conflict', `The folder "${relPath}" already has a schedule. Update that one.`);
}

async function recordScanPathEvent(db: Db, actor: Actor, action: string, libraryId: string, id: string): Promise<void> {
  await recordEvent(db, {
    event_type: 'library_changed',
    principal_id: actor.principalId,
    ip: actor.ip,
    details: { action, library_id: libraryId, scan_path_id: id },
  });
}
