import { isDeepStrictEqual } from 'node:util';
import { isOnNetwork } from '@catalog/scanner';
import { sql } from 'kysely';
import { recordEvent } from '../../people/audit/index.ts';
import { type Db, one } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { enqueue } from '../../platform/queue/index.ts';
import type { Settings } from '../../settings/index.ts';
import { noteScanSchedules, resetScanSchedule, resetScanSchedules } from '../scan/index.ts';
import { queuePassages } from './passages-job.ts';
import { queueRecognition } from './refresh-job.ts';
import { checkAllowed, checkRoot, isInside, type RootFiles, resolveRoot, systemRootFiles } from './root.ts';
import { checkLibraryFields, type LibraryFields } from './rules.ts';
import { queueSniffing } from './sniff-job.ts';
import { hasOpenRun, type LibraryRow, libraryById } from './store.ts';
import { removeLibraryTask, reprojectTask } from './tasks.ts';

interface LibraryContext {
  db: Db;
  settings: Pick<Settings, 'configDir' | 'gpsExposeDefault' | 'ocrEnabled' | 'browseRoots' | 'mediaPath'>;
  files?: RootFiles;
  onNetwork?: (path: string) => boolean;
}

export async function createLibrary(
  context: LibraryContext,
  given: LibraryFields & { name: string; root_path: string },
  actor: Actor,
): Promise<string> {
  const { db, settings } = context;
  const fields = await checkLibraryFields(db, { expose_gps: settings.gpsExposeDefault, ocr_enabled: settings.ocrEnabled, ...given });
  const { name = given.name } = fields;
  const { rootPath, realRoot } = await checkLibraryRoot(context, given.root_path, fields.worker_labels ?? []);
  if (fields.watch_mode) refuseNetworkWatch(context, realRoot);
  const created = await db.transaction().execute(async (tx) => {
    await lockLibraries(tx);
    await refuseTakenName(tx, name);
    await refuseOverlap(tx, realRoot);
    const { id } = await tx
      .insertInto('libraries')
      .values({ ...toRow(fields), name, root_path: rootPath })
      .returning('id')
      .executeTakeFirstOrThrow();
    await recordLibraryEvent(tx, actor, { action: 'create', library_id: id, name, root_path: rootPath });
    return id;
  });
  await noteScanSchedules(db, created);
  return created;
}

/** What people can change in a library whose files an agent reports. Everything else is set in the groups of the agent. */
const fieldsOfAgentLibrary = new Set([
  'name',
  'root_path',
  'native_prefix',
  'share_prefix',
  'chunking_enabled',
  'expose_gps',
  // Whether the service keeps the lists that the agent reports.
  'permissions_enabled',
]);

function refuseSettingsOfAgent(before: object, fields: LibraryFields): void {
  const current = new Map(Object.entries(before));
  const changed = Object.entries(fields).some(
    ([name, value]) => !fieldsOfAgentLibrary.has(name) && !isDeepStrictEqual(value ?? null, current.get(name) ?? null),
  );
  if (changed)
    throw problem('library_agent_owned', 'An agent scans and reads the files of this library. Change this in the settings of its groups.');
}

export async function updateLibrary(context: LibraryContext, id: string, given: LibraryFields, actor: Actor): Promise<void> {
  const { db } = context;
  const before = await libraryById(db, id);
  if (!before) throw notFound('library');
  const fields = await checkLibraryFields(db, given);
  const newRoot = fields.root_path === before.root_path ? undefined : fields.root_path;
  if (newRoot !== undefined && before.source_agent_id)
    throw problem('library_agent_owned', 'The agent of this library sets its folder. Change it there.');
  if (before.source_agent_id) refuseSettingsOfAgent(before, fields);
  const root = newRoot === undefined ? null : await checkLibraryRoot(context, newRoot, fields.worker_labels ?? before.worker_labels);
  if (root) fields.root_path = root.rootPath;
  if (fields.watch_mode && !before.source_agent_id) refuseNetworkWatch(context, root?.realRoot ?? (await resolveRoot(before.root_path)));
  await db.transaction().execute(async (tx) => {
    await lockLibraries(tx);
    if (fields.name !== undefined) await refuseTakenName(tx, fields.name, id);
    if (root) {
      await refuseOverlap(tx, root.realRoot, id);
      if (await hasOpenRun(tx, id))
        throw problem('scan_running', 'A scan of this library is running. Stop it before you change the folder.');
    }
    await tx
      .updateTable('libraries')
      .set({ ...toRow(fields), updated_at: new Date() })
      .where('id', '=', id)
      .execute();
    if (fields.enabled === false) await resetScanSchedules(tx, id);
    else if (fields.scan_cron === null) await resetScanSchedule(tx, 'libraries', id);
    if (fields.expose_gps !== undefined && fields.expose_gps !== before.expose_gps)
      await enqueue(tx, reprojectTask, { library_id: id }, { lock: `reproject_library:${id}:${fields.expose_gps}` });
    if (fields.chunking_enabled !== undefined && fields.chunking_enabled !== before.chunking_enabled)
      await queuePassages(tx, `chunk_missing:${id}:${fields.chunking_enabled}`);
    if (fields.content_sniff_enabled && !before.content_sniff_enabled) await queueSniffing(tx, id);
    if (fields.ocr_enabled && !before.ocr_enabled) await queueRecognition(tx, id);
    const changed = changedFields(before, fields);
    // The console sends every field when a person saves.
    if (changed.length > 0) await recordLibraryEvent(tx, actor, { action: 'change', library_id: id, name: before.name, fields: changed });
  });
  await noteScanSchedules(db, id);
}

/** Hides the library at once, frees its name and root, and queues a job that deletes its items. Files on disk are kept. */
export async function deleteLibrary(db: Db, id: string, confirm: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockLibraries(tx);
    const row = await libraryById(tx, id);
    if (!row) throw notFound('library');
    if (confirm !== row.name) throw problem('library_name_mismatch', `To delete this library, confirm with its exact name: ${row.name}.`);
    if (await hasOpenRun(tx, id)) throw problem('scan_running', 'A scan of this library is running. Stop it, then delete the library.');
    const { rows } = await sql<{ count: number }>`select count(*) from items where library_id = ${id}`.execute(tx);
    await sql`update all_libraries set removed_at = now(), enabled = false, name = ${`removed ${id}`} where id = ${id}`.execute(tx);
    await enqueue(tx, removeLibraryTask, { library_id: id }, { lock: `remove_library:${id}` });
    await resetScanSchedules(tx, id);
    await recordLibraryEvent(tx, actor, {
      action: 'delete',
      library_id: id,
      name: row.name,
      root_path: row.root_path,
      items: one(rows).count,
    });
  });
}

/** The folder of a library with worker labels may be mounted on other machines only; its scans find out whether it exists. */
async function checkLibraryRoot({ settings, files = systemRootFiles }: LibraryContext, given: string, workerLabels: readonly string[]) {
  const root = await checkRoot(given, files, { mayBeElsewhere: workerLabels.length > 0 });
  await checkAllowed(root.realRoot, [...(settings.browseRoots ?? []), ...(settings.mediaPath ? [settings.mediaPath] : [])]);
  if (isInside(root.realRoot, await resolveRoot(settings.configDir)))
    throw fieldProblem(['body', 'root_path'], 'This folder holds the data of the service. Choose a folder with your files.', 'root_path');
  return root;
}

function refuseNetworkWatch({ onNetwork = isOnNetwork }: LibraryContext, realRoot: string): void {
  if (onNetwork(realRoot))
    throw problem('watch_on_network', undefined, {
      errors: [{ loc: ['body', 'watch_mode'], msg: 'the folder is on a network file system', type: 'watch_on_network' }],
    });
}

/** Serializes changes, because two libraries created at once could overlap. */
async function lockLibraries(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('libraries'))`.execute(db);
}

async function refuseTakenName(db: Db, name: string, except?: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from libraries where lower(name) = lower(${name})`.execute(db);
  if (rows.some(({ id }) => id !== except))
    throw problem('name_taken', `There is already a library named "${name}". Choose another name.`, {
      errors: [{ loc: ['body', 'name'], msg: 'is taken', type: 'name_taken' }],
    });
}

/** Every file belongs to at most one library, so roots may not overlap. */
async function refuseOverlap(db: Db, realRoot: string, except?: string): Promise<void> {
  const others = await db.selectFrom('libraries').select(['id', 'name', 'root_path']).where('source_agent_id', 'is', null).execute();
  for (const other of others) {
    if (other.id === except) continue;
    const real = await resolveRoot(other.root_path);
    const how =
      real === realRoot
        ? 'is the folder of'
        : isInside(realRoot, real)
          ? 'is inside the folder of'
          : isInside(real, realRoot)
            ? 'contains the folder of'
            : null;
    if (how)
      throw problem('library_overlap', `This folder ${how} the library "${other.name}" (${other.root_path}). Choose another folder.`, {
        errors: [{ loc: ['body', 'root_path'], msg: `${how} another library`, type: 'library_overlap' }],
      });
  }
}

function toRow({ extract_overrides, ...fields }: LibraryFields) {
  return {
    ...fields,
    ...(extract_overrides === undefined ? {} : { extract_overrides: extract_overrides && JSON.stringify(extract_overrides) }),
  };
}

function changedFields(before: LibraryRow, fields: LibraryFields): string[] {
  return Object.entries(fields)
    .filter(([name, value]) => !isDeepStrictEqual(before[name as keyof LibraryRow] ?? null, value ?? null))
    .map(([name]) => name);
}

async function recordLibraryEvent(db: Db, actor: Actor, details: Record<string, unknown>): Promise<void> {
  await recordEvent(db, { event_type: 'library_changed', principal_id: actor.principalId, ip: actor.ip, details });
}
