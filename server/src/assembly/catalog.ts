import { browseRoutes } from '../catalog/browse/index.ts';
import { customFieldRoutes } from '../catalog/custom-fields/index.ts';
import { itemRoutes } from '../catalog/items/index.ts';
import { libraryContentRoutes, libraryRoutes, reprojectTask } from '../catalog/libraries/index.ts';
import { presetRoutes } from '../catalog/presets/index.ts';
import { createScanTask, scanParts } from '../catalog/scan/index.ts';
import { scanRoutes } from '../catalog/scans/index.ts';
import { catalogStatsRoutes } from '../catalog/stats/index.ts';
import { reclassifyTask, taxonomyRoutes } from '../catalog/taxonomy/index.ts';
import { queueExtraction } from '../content/pipeline/index.ts';
import type { App } from '../platform/http/index.ts';
import type { Parts } from '../platform/parts.ts';
import type { Task } from '../platform/queue/index.ts';

/** The catalog's rooms, for the assembly of the app. */
export const catalogRooms: ((app: App, parts: Parts) => void)[] = [
  taxonomyRoutes,
  presetRoutes,
  libraryRoutes,
  libraryContentRoutes,
  itemRoutes,
  customFieldRoutes,
  scanRoutes,
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
    }),
  );
  return [scan, reclassifyTask, reprojectTask] as unknown as Task[];
}
