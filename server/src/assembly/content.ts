import { sql } from 'kysely';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createSandboxPool, thumbTaskModule, sniffTaskModule } from '@catalog/readers';
import { ocrTaskModule } from '@catalog/readers';
import {
  createBackpressure,
  createGate,
  extractTask,
  notePressure,
  type PressureNote,
  queueExtraction,
  queueStale,
  reviveExtraction,
  takeThumbsDue,
} from '../content/pipeline/index.ts';
import { sniffContent } from '../content/sniff/index.ts';
import { collectGarbage, createThumbStore, evictLeastRecentlyUsed, type ThumbStore } from '../content/thumbs/index.ts';
import { createViewCache, createViewer, textRoutes, viewRoutes } from '../content/views/index.ts';
import type { MaintenanceTask } from '../operations/maintenance/index.ts';
import { probeDisks } from '../platform/disk.ts';
import type { App } from '../platform/http/index.ts';
import type { Parts } from '../platform/parts.ts';
import { summariseJobs, type Task } from '../platform/queue/index.ts';
import { upkeep } from './upkeep.ts';

export function openThumbs({ settings }: Pick<Parts, 'settings'>): ThumbStore {
  return createThumbStore({ folder: path.join(settings.configDir, 'thumbs') });
}

/** Pictures drawn on demand share the thumbnails' disk and may take this much of it. */
const viewsMaxBytes = 256 * 1024 ** 2;

const viewsFolder = ({ configDir }: Parts['settings']): string => path.join(configDir, 'views');

/** At a critically full disk no picture is written. */
function roomForPictures(settings: Parts['settings']): () => Promise<boolean> {
  const disk = cached(5000, () => probeDisks(settings));
  return async () => !(await disk()).paths.some((place) => place.label === 'config' && place.status === 'critical');
}

/** Pages, turntables and text of items, for the assembly of the app. */
export function itemViewRoutes(app: App, parts: Parts): void {
  const { settings } = parts;
  const viewer = createViewer({ cache: createViewCache({ folder: viewsFolder(settings), maxBytes: viewsMaxBytes }) });
  viewRoutes(app, parts, viewer, roomForPictures(settings));
  textRoutes(app, parts);
}

/** Upkeep of thumbnails and of the extraction list. */
export function contentUpkeep({ settings }: Pick<Parts, 'settings'>): MaintenanceTask[] {
  const thumbs = openThumbs({ settings });
  const budget = settings.thumbnailBudgetGb * 1024 ** 3;
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** Advisory: over budget is said once an hour and changes nothing. */
  async function remindOfBudget(log: { warning(message: string): void }): Promise<void> {
    if (budget === 0 || performance.now() - lookedAt < 3_600_000) return;
    lookedAt = performance.now();
    const { bytes } = await thumbs.totals();
    if (bytes > budget)
      log.warning(`Thumbnails use ${(bytes / 1024 ** 3).toFixed(1)} GiB, above the budget of ${settings.thumbnailBudgetGb} GiB.`);
  }
  return [
    {
      key: 'gc_thumbnails',
      title: 'Thumbnails',
      description: 'Removes thumbnails that no item needs.',
      category: 'cleanup',
      defaultCron: '30 3 * * *',
      task: upkeep('gc_thumbnails', async ({ db, signal, progress }) => {
        const needed = async (keys: string[]): Promise<ReadonlySet<string>> => {
          const { rows } = await sql<{ thumb_key: string }>`select distinct thumb_key from items where thumb_key = any(${keys})`.execute(
            db,
          );
          return new Set(rows.map((row) => row.thumb_key));
        };
        const removed = await collectGarbage(thumbs, needed, { graceMs: 3_600_000, signal });
        await thumbs.sweepLeftovers(3_600_000);
        const { files, bytes } = await thumbs.totals();
        progress({ removed_files: removed.files, removed_bytes: removed.bytes, files, bytes });
      }),
    },
    {
      key: 'refresh_extracts',
      title: 'Files read by an older reader',
      description: 'After an upgrade: queues files again whose reader has learned more since.',
      category: 'integrity',
      defaultCron: '20 3 * * *',
      task: upkeep('refresh_extracts', async ({ db, progress }) => progress({ queued: await queueStale(db) })),
    },
    {
      key: 'content_sniff',
      title: 'Files without an extension',
      description: settings.contentSniffEnabled
        ? 'Looks into files without an extension and files them under what their bytes tell.'
        : 'Off: set SVC_CONTENT_SNIFF_ENABLED to true to allow it.',
      category: 'ondemand',
      defaultCron: null,
      task: upkeep('content_sniff', async ({ db, log, signal, progress }) => {
        if (!settings.contentSniffEnabled) return log.warning('Content sniffing is off: set SVC_CONTENT_SNIFF_ENABLED to true.');
        const pool = createSandboxPool({ size: 1, tasks: { sniff: sniffTaskModule } });
        try {
          const { contentSniffBatch: batch, contentSniffReadBytes: readBytes } = settings;
          const recognised = (libraryId: string, ids: readonly string[]) => queueExtraction(db, libraryId, ids);
          progress(await sniffContent(db, pool, { batch, readBytes, signal, recognised }));
        } finally {
          pool.close();
        }
      }),
    },
    {
      key: 'monitor_disk',
      title: 'Disk space',
      description: 'Looks at free space; when it is critical, evicts old thumbnails down to SVC_DISK_GC_TARGET_FREE_GB.',
      category: 'monitors',
      defaultCron: '*/5 * * * *',
      fixed: true,
      task: upkeep('monitor_disk', async ({ db, log, signal }) => {
        const { rows } = await sql<{ library_id: string }>`select distinct library_id from extract_pending`.execute(db);
        await reviveExtraction(
          db,
          rows.map((row) => row.library_id),
        );
        await remindOfBudget(log);
        if (!settings.diskMonitorEnabled) return;
        const { status, paths } = await probeDisks(settings);
        if (status === 'warn' || status === 'critical')
          log.warning(
            `Disk space is ${status}: ${paths
              .filter((place) => place.reason)
              .map((place) => `${place.label}: ${place.reason}`)
              .join(' ')}`,
          );
        const config = paths.find((place) => place.label === 'config');
        // Pictures that were left out while there was no room.
        if (config?.status !== 'critical')
          for (const [library, ids] of await takeThumbsDue(db, 10_000)) await queueExtraction(db, library, ids);
        const wanted = settings.diskGcTargetFreeGb * 1_000_000_000 - (config?.free ?? 0);
        if (config?.status !== 'critical' || settings.diskGcTargetFreeGb === 0 || wanted <= 0) return;
        // What was drawn on demand goes first: it is drawn again when somebody looks.
        await rm(viewsFolder(settings), { recursive: true, force: true });
        const evicted = await evictLeastRecentlyUsed(thumbs, wanted, signal);
        log.warning(`Evicted ${evicted.files} thumbnails (${evicted.bytes} bytes) to free space.`);
      }),
    },
  ];
}

export interface ContentWork {
  tasks: Task[];
  start(): void;
  stop(): void;
}

/** Extraction in one worker process: the pool of sandboxed readers, the ceiling that follows the machine's load, and the tasks. */
export function openContent(parts: Parts): ContentWork {
  const { db, settings, log } = parts;
  const most = settings.extractBackpressureMaxConcurrency || settings.workerConcurrency;
  const pressure = createBackpressure({
    enabled: settings.extractBackpressure,
    min: Math.min(settings.extractBackpressureMinConcurrency, most),
    max: most,
    highLoad: settings.extractBackpressureHighLoad,
    lowLoad: settings.extractBackpressureLowLoad,
    decreaseFactor: settings.extractBackpressureDecreaseFactor,
    expandCooldownSeconds: settings.extractBackpressureExpandCooldownSeconds,
  });
  const pool = createSandboxPool({
    size: Math.min(most, Math.max(2, os.availableParallelism())),
    tasks: { thumb: thumbTaskModule, ocr: ocrTaskModule },
  });
  const thumbs = openThumbs(parts);
  const mayWriteThumbs = roomForPictures(settings);
  const disk = cached(5000, () => probeDisks(settings));
  const isOpen = async () => !(await disk()).paths.some((place) => place.is_pg && place.status === 'critical');
  const gate = createGate({
    ceiling: pressure.ceiling,
    // At critical, extraction pauses only where the database's own disk is watched.
    open: isOpen,
  });
  const pressureLog = log.child('backpressure');
  const workerName = `${os.hostname()}:${process.pid}`;

  async function pressureNote(): Promise<PressureNote | null> {
    if (!(await isOpen())) return { state: 'paused', reason: 'The disk of the database is critically full: extraction waits for room.' };
    const state = pressure.state();
    if (state === 'normal') return null;
    const how = state === 'tripped' ? 'The machine is busy' : 'The machine has caught up';
    return { state, reason: `${how}: ${pressure.ceiling()} of ${most} files are read at a time.` };
  }
  let timer: NodeJS.Timeout | undefined;

  async function sample(): Promise<void> {
    const [load = 0] = os.loadavg();
    const perCore = process.platform === 'win32' ? null : load / os.availableParallelism();
    const { queues } = await summariseJobs(db, { heartbeatSeconds: 30, stallSeconds: 3600, exemptTasks: [] });
    const said = pressure.sample(Date.now(), perCore, queues['extract']?.todo ?? 0);
    if (said) pressureLog.info(said);
    await notePressure(db, workerName, await pressureNote());
  }

  return {
    tasks: [extractTask((at) => ({ db: at, settings, pool, thumbs, mayWriteThumbs }), gate) as unknown as Task],
    start() {
      timer = setInterval(() => void sample().catch(() => {}), settings.extractBackpressureSampleSeconds * 1000);
    },
    stop() {
      clearInterval(timer);
      pool.close();
      void notePressure(db, workerName, null).catch(() => {});
    },
  };
}

/** Asked often, answered from the last look for a while. */
function cached<T>(ms: number, look: () => Promise<T>): () => Promise<T> {
  let at = 0;
  let last: Promise<T> | undefined;
  return () => {
    if (!last || Date.now() - at > ms) {
      at = Date.now();
      last = look();
    }
    return last;
  };
}
