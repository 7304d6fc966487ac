import { createShareMap } from '../../catalog/libraries/index.ts';
import { createEmbedder } from '../../content/embeddings/index.ts';
import { recordRights, visibilityOf } from '../../people/access/index.ts';
import { principalOfOwner } from '../../people/identity/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { probeDisks } from '../../platform/disk.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { Problem } from '../../platform/problem.ts';
import { isPermanentFailure, permanentFailure, type Task, type TaskContext } from '../../platform/queue/index.ts';
import { openSearchReader } from '../../search/engines/index.ts';
import { createMeaning } from '../../search/query/index.ts';
import { AccessChanged } from '../reports/index.ts';
import { endAbandoned } from './abandoned.ts';
import { accessDigest, changedRows, deliveredRun, rememberedExports, saveMemory } from './changes.ts';
import { exportFolder, listExportFiles, removeExport, writeExport } from './files.ts';
import { encodeSource } from './formats/index.ts';
import { exportJob } from './job.ts';
import { removeRowFile, rowFiles } from './row-file.ts';
import { describeSource, openSource, rightsLost, type SearchIndex } from './sources.ts';
import { type ExportRow, expiredExports, exportsWithFiles, findExport, markComplete, markEnded, markPurged, markRunning } from './store.ts';

/**
 * The states of an export.
 *
 * queued -> running: a worker took its job.
 * running -> complete: the file is on disk under its final name, with its checksum.
 * running -> running: the worker died or was restarted; the job starts again from the first row and replaces the partial file.
 * queued, running -> failed: it cannot succeed, or its job was given up. No file is left.
 * queued, running -> cancelled: its owner or an administrator cancelled it.
 * complete -> purged (purged_at is set): it expired, or its owner removed the file.
 *
 * Rights are those of the owner at the time of the run; when they change during the run, it starts again.
 */
const maxRestarts = 5;

async function performExport(
  deps: Dependencies,
  row: ExportRow,
  byteOrderMark: boolean,
  { signal, progress, db }: TaskContext,
): Promise<void> {
  const { settings, clock } = deps;
  const shareMap = createShareMap(settings.shareMapPath);
  let search: OpenSearch | null = null;
  const openIndex = (): SearchIndex => {
    search ??= openSearch(deps);
    return search;
  };
  try {
    for (let turn = 1; ; turn += 1) {
      const principal = await principalOfOwner(db, settings, { kind: row.owner_kind, id: row.owner_id, keyId: row.key_id });
      if (!principal) throw rightsLost();
      const rights = recordRights(await visibilityOf(db, principal));
      const scheduled = row.schedule_id !== null;
      const opened = await openSource({ ...deps, db, principal, shareMap: shareMap(), openIndex, scheduled }, row.source);
      const schedule = 'only_changes' in row.source && row.source.only_changes ? row.schedule_id : null;
      const changes =
        schedule === null
          ? null
          : changedRows(opened, await deliveredRun(db, schedule), {
              folder: exportFolder(settings),
              exportId: row.id,
              subject: await describeSource({ db, principal, scheduled }, row.source),
              access: accessDigest(rights),
            });
      const source = changes?.source ?? opened;
      const total = await source.total();
      if (total !== null && total > settings.exportMaxRows)
        throw permanentFailure(
          `The export has ${total} rows; at most ${settings.exportMaxRows} are allowed. Narrow it down or raise SVC_EXPORT_MAX_ROWS.`,
        );
      let rows = 0;
      let bytes = 0;
      const report = (): void => progress({ rows, total, bytes });
      const stream = encodeSource(source, row.format, {
        gzip: row.gzip,
        byteOrderMark,
        generatedAt: clock.now(),
        signal,
        onRows(count) {
          rows = count;
          report();
        },
      });
      try {
        const written = await writeExport(exportFolder(settings), row.id, stream, {
          signal,
          onBytes: (count) => {
            bytes = count;
          },
        });
        if (changes && schedule !== null) await saveMemory(db, row.id, schedule, changes.memory());
        if (!(await markComplete(db, row.id, { rows, ...written, ttlHours: settings.exportTtlHours, rights })))
          await removeExport(exportFolder(settings), row.id);
        return;
      } catch (error) {
        if (!(error instanceof AccessChanged) || turn >= maxRestarts) throw error;
      }
    }
  } finally {
    await (search as OpenSearch | null)?.close();
  }
}

/** Nobody waits in front of an export, so its model may take long to load. */
const modelWaitMs = 120_000;

interface OpenSearch extends SearchIndex {
  close(): Promise<unknown>;
}

function openSearch(deps: Dependencies): OpenSearch {
  const reader = openSearchReader(deps.settings);
  const embedder = createEmbedder(deps.settings, { background: false });
  return {
    reader,
    meaning: createMeaning(deps, embedder, modelWaitMs),
    close: () => Promise.all([reader.close(), embedder.close()]),
  };
}

export function exportTasks(deps: Dependencies): Task[] {
  const { settings } = deps;
  const folder = exportFolder(settings);
  const task: typeof exportJob = {
    ...exportJob,
    async perform({ export_id, byte_order_mark }, context) {
      const { db, signal, attempt } = context;
      if (!(await markRunning(db, export_id))) return;
      const row = await findExport(db, export_id);
      if (!row) return;
      try {
        await checkSpace(deps);
        await performExport(deps, row, byte_order_mark, context);
      } catch (error) {
        await removeExport(folder, export_id);
        // Stopped by its owner, or the worker shuts down and the job runs again later.
        if (signal.aborted) throw error;
        const lasting = attempt >= exportJob.attempts || isPermanent(error);
        if (lasting) await markEnded(db, export_id, 'failed', (error as Error).message.slice(0, 500));
        throw lasting && error instanceof Problem ? permanentFailure(error.message) : error;
      }
    },
  };
  return [task as Task];
}

/** Problems that the next attempt may not have: the index or the model is loading, or the list it reads was lost on the way. */
const passing: ReadonlySet<string> = new Set(['unavailable', 'search_unavailable', 'cursor_expired']);

const isPermanent = (error: unknown): boolean => (error instanceof Problem ? !passing.has(error.code) : isPermanentFailure(error));

async function checkSpace({ settings }: Dependencies): Promise<void> {
  const { paths } = await probeDisks(settings);
  const disk = paths.find(({ label }) => label === 'config');
  if (disk?.status === 'critical') throw permanentFailure(`The disk is full: ${disk.reason} Free some space, then export again.`);
}

export function exportMaintenance({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] {
  const folder = exportFolder(settings);
  return [
    {
      key: 'reconcile_exports',
      title: 'Abandoned exports',
      description: 'Marks exports as failed whose job was given up, so that none stays running.',
      category: 'system',
      defaultCron: '*/10 * * * *',
      fixed: true,
      task: defineMaintenanceTask('reconcile_exports', async ({ db, progress }) => {
        const failed = await endAbandoned(db, folder);
        if (failed > 0) progress({ failed });
      }),
    },
    {
      key: 'purge_exports',
      title: 'Expired exports',
      description: 'Removes the files of exports that have expired, and files that no export owns. The records are kept.',
      category: 'cleanup',
      defaultCron: '40 4 * * *',
      task: defineMaintenanceTask('purge_exports', async ({ db, progress, signal }) => {
        let purged = 0;
        for (;;) {
          signal.throwIfAborted();
          const expired = await expiredExports(db);
          if (expired.length === 0) break;
          for (const { id } of expired) {
            await markPurged(db, id);
            await removeExport(folder, id);
          }
          purged += expired.length;
        }
        const files = await listExportFiles(folder);
        const owned = await exportsWithFiles(db, files);
        const orphans = files.filter((id) => !owned.has(id));
        for (const id of orphans) await removeExport(folder, id);
        const remembering = await rowFiles(folder);
        const remembered = await rememberedExports(db, remembering);
        const running = await exportsWithFiles(db, remembering);
        for (const id of remembering) if (!remembered.has(id) && !running.has(id)) await removeRowFile(folder, id);
        progress({ expired: purged, orphans: orphans.length });
      }),
    },
  ];
}
