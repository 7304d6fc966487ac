import { browseRoutes } from '../catalog/browse/index.ts';
import { customFieldRoutes } from '../catalog/custom-fields/index.ts';
import { createHashTasks } from '../catalog/hash/index.ts';
import { itemRoutes, purgeItemVersions, purgeRecycleBin } from '../catalog/items/index.ts';
import {
  libraryContentRoutes,
  libraryDiagnosisRoutes,
  libraryRoutes,
  removeLibraryTask,
  reprojectTask,
} from '../catalog/libraries/index.ts';
import { metadataProfileRoutes } from '../catalog/metadata-profiles/index.ts';
import { presetRoutes } from '../catalog/presets/index.ts';
import { createScanTask, purgeScanChanges, scanParts } from '../catalog/scan/index.ts';
import { scanRoutes } from '../catalog/scans/index.ts';
import { associateSidecars } from '../catalog/sidecars/index.ts';
import { catalogStatsRoutes } from '../catalog/stats/index.ts';
import { reclassifyTask, taxonomyRoutes } from '../catalog/taxonomy/index.ts';
import { createWatchSupervisor, type WatchSupervisor } from '../catalog/watch/index.ts';
import { createSidecarReader, queueExtraction } from '../content/pipeline/index.ts';
import type { MaintenanceTask } from '../operations/maintenance/index.ts';
import type { App } from '../platform/http/index.ts';
import type { Parts } from '../platform/parts.ts';
import type { Task } from '../platform/queue/index.ts';
import { createStageSource } from './stages.ts';
import { upkeep } from './upkeep.ts';

/** The catalog's rooms, for the assembly of the app. */
export const catalogRooms: ((app: App, parts: Parts) => void)[] = [
  taxonomyRoutes,
  presetRoutes,
  (app, parts) => libraryRoutes(app, parts, createStageSource(parts.db)),
  libraryContentRoutes,
  libraryDiagnosisRoutes,
  itemRoutes,
  customFieldRoutes,
  metadataProfileRoutes,
  (app, parts) => scanRoutes(app, parts, createStageSource(parts.db)),
  browseRoutes,
  catalogStatsRoutes,
];

/** The catalog's tasks, for the assembly of the worker. */
export function catalogTasks({ settings }: Pick<Parts, 'settings'>): Task[] {
  const options = {
    batchSize: settings.scanBatchSize,
    emptyGuard: settings.scanEmptyGuard,
    vanishGuardPct: settings.scanVanishGuardPct,
    crossLibraryMoves: settings.scanCrossLibraryMoves,
    hashFullMaxBytes: settings.scanHashFullMaxBytes,
    stagedPipeline: settings.stagedPipeline,
  };
  const scan = createScanTask((db) =>
    scanParts({
      db,
      options,
      queueExtraction: async (at, libraryId, ids) => {
        await queueExtraction(at, libraryId, ids);
      },
      associateSidecars: async (at, libraryId, folderIds) => {
        const reader = createSidecarReader();
        try {
          return await associateSidecars(at, libraryId, folderIds, { priority: settings.sidecarMetadataPriority, read: reader.read });
        } finally {
          reader.close();
        }
      },
    }),
  );
  return [scan, hashTasks({ settings }).rehash, reclassifyTask, reprojectTask, removeLibraryTask] as unknown as Task[];
}

/** File-system watching; runs in whichever worker holds its lock. */
export function openWatch({ db, log, settings }: Parts): WatchSupervisor {
  return createWatchSupervisor({
    db,
    log: log.child('watch'),
    options: { incremental: settings.watchIncremental, maxEvents: settings.watchIncrementalMaxEvents },
  });
}

function hashTasks({ settings }: Pick<Parts, 'settings'>) {
  return createHashTasks(() => ({
    SVC_HASH_BACKFILL_RATE_MBPS: settings.hashBackfillRateMbps,
    SVC_HASH_BACKFILL_MAX_BYTES: settings.hashBackfillMaxBytes,
    SVC_SCAN_HASH_FULL_MAX_BYTES: settings.scanHashFullMaxBytes,
  }));
}

/** The catalog's upkeep, with its default schedules (UTC). */
export function catalogUpkeep({ settings }: Pick<Parts, 'settings'>): MaintenanceTask[] {
  return [
    {
      key: 'purge_recycle_bin',
      title: 'Recycle bin',
      description: 'Removes items that have been in the recycle bin for longer than the retention. Files on disk are not touched.',
      category: 'cleanup',
      defaultCron: '0 4 * * *',
      task: upkeep('purge_recycle_bin', ({ db }) => purgeRecycleBin(db, settings.recycleRetentionDays)),
    },
    {
      key: 'purge_item_versions',
      title: 'Item history',
      description: 'Removes what extractors changed past the retention; what people changed is kept.',
      category: 'cleanup',
      defaultCron: '15 4 * * *',
      task: upkeep('purge_item_versions', ({ db }) => purgeItemVersions(db, settings.auditRetentionDays)),
    },
    {
      key: 'purge_scan_changes',
      title: 'Change log of scans',
      description: 'Clears what old scans changed; the newest ten scans of each library keep theirs.',
      category: 'cleanup',
      defaultCron: '10 4 * * *',
      task: upkeep('purge_scan_changes', ({ db }) => purgeScanChanges(db, settings.auditRetentionDays)),
    },
    {
      key: 'backfill_content_hashes',
      title: 'Content hashes',
      description: 'Adds whole-file hashes where a library has quick hashes only, up to a budget of bytes a run.',
      category: 'integrity',
      defaultCron: null,
      task: hashTasks({ settings }).backfill as unknown as Task,
    },
  ];
}
