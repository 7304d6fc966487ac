import { statfsSync } from 'node:fs';
import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { classifyDisk } from '../../platform/disk.ts';
import type { MaintenanceTask } from '../../platform/maintenance-task.ts';
import { defineTask, type Task } from '../../platform/queue/index.ts';
import { itemsSchemaWith, wantedVectors } from '../documents/index.ts';
import {
  itemsDirectory,
  openPassageWriter,
  openSearchReader,
  openSearchWriter,
  type SearchReader,
  type SearchWriter,
} from '../engines/index.ts';
import { findDrift, repairDrift } from './reconcile.ts';
import { readRebuild } from './store.ts';
import { waitForCompaction, waitForRebuild } from './wait-for-rebuild.ts';

/**
 * Index jobs. Only the projector writes to the index; a job that rebuilds or compacts it requests that and waits. A job that reads the index
 * opens it and closes it again, because an open one takes about as much memory as the index is large.
 */
export function projectionTasks(
  { settings }: Pick<Dependencies, 'settings'>,
  { openReader, writer }: { openReader: () => SearchReader; writer: SearchWriter },
): Record<'rebuild' | 'reconcile' | 'reap' | 'compact', Task> {
  const plain = Type.Object({});
  const withReader = async <Result>(work: (reader: SearchReader) => Promise<Result>): Promise<Result> => {
    const reader = openReader();
    try {
      return await work(reader);
    } finally {
      await reader.close();
    }
  };
  const rebuild = defineTask({
    name: 'rebuild_index',
    queue: 'index',
    payload: plain,
    attempts: 1,
    ageExempt: true,
    async perform(_payload, context) {
      await waitForRebuild(context, settings.searchRebuildWaitS);
    },
  });
  const reconcile = defineTask({
    name: 'reconcile_index',
    queue: 'index',
    payload: plain,
    attempts: 1,
    ageExempt: true,
    async perform(_payload, { db, log, progress }) {
      const vectors = await wantedVectors(db, settings);
      const drift = await withReader((reader) => findDrift(db, reader, settings.reconcileMaxFixes, vectors));
      const mended = await repairDrift(db, drift, settings.reconcileMaxFixes);
      const counts = {
        compared: drift.compared,
        missing: drift.missing.length,
        stale: drift.stale.length,
        extra: drift.extra.length,
        mended,
      };
      progress(counts);
      if (mended > 0) log.warning(`The search index differed from the database: ${mended} documents are written again.`, counts);
    },
  });
  const reap = defineTask({
    name: 'reap_shadow_indexes',
    queue: 'index',
    payload: plain,
    attempts: 1,
    async perform(_payload, { db, log }) {
      const indexes = { index_rebuild: writer, passage_index_rebuild: openPassageWriter(settings) };
      let reaped = 0;
      for (const key of ['index_rebuild', 'passage_index_rebuild'] as const) {
        // A search server knows the age of an index only, and to build a large one may take longer. A request that was made meanwhile has
        // replaced the state of the running rebuild.
        const { status } = (await readRebuild(db, key)) ?? {};
        if (status !== 'running' && status !== 'requested')
          reaped += await indexes[key].reapShadows(settings.searchShadowMaxAgeHours * 3_600_000);
      }
      if (reaped > 0) log.info(`Removed ${reaped} unfinished shadow indexes.`);
    },
  });
  const compact = defineTask({
    name: 'compact_meili',
    queue: 'index',
    payload: plain,
    attempts: 1,
    ageExempt: true,
    async perform(_payload, context) {
      if (!settings.searchCompactionEnabled) return;
      const { db, log, progress } = context;
      const { storeBytes, usedBytes } = await withReader((reader) => reader.stats());
      const ratio = usedBytes > 0 ? storeBytes / usedBytes : 1;
      progress({ store_bytes: storeBytes, used_bytes: usedBytes, ratio });
      if (ratio <= settings.searchCompactionThreshold) return;
      const path = settings.searchUrl ? settings.searchDataPath : itemsDirectory(settings);
      const obstacle = path ? spaceObstacle(settings, path, storeBytes) : null;
      if (obstacle) {
        log.warning(`The index was not compacted. ${obstacle}`);
        return;
      }
      if (!settings.searchUrl) {
        await waitForCompaction(context, settings.searchCompactionWaitS);
        return;
      }
      // A search server compacts while the projector writes.
      await writer.setSchema(itemsSchemaWith(await wantedVectors(db, settings)));
      const after = await writer.compact();
      log.info(`The search index shrank from ${storeBytes} to ${after.storeBytes} bytes.`);
    },
  });
  return { rebuild, reconcile, reap, compact };
}

/** Compaction writes a second copy of the index, so it needs room, and must not start on a disk that is nearly full. */
function spaceObstacle(settings: Dependencies['settings'], path: string, storeBytes: number): string | null {
  const { bavail, blocks, bsize } = statfsSync(path);
  const disk = classifyDisk(settings, bavail * bsize, blocks * bsize);
  if (disk.status === 'critical') return `The disk is nearly full: ${disk.reason}`;
  return bavail * bsize < storeBytes * 2 ? 'It needs about twice its size in free disk space.' : null;
}

export function indexMaintenance(deps: Pick<Dependencies, 'settings'>): MaintenanceTask[] {
  const tasks = projectionTasks(deps, { openReader: () => openSearchReader(deps.settings), writer: openSearchWriter(deps.settings) });
  return [
    {
      key: 'reconcile_meili',
      title: 'Search index drift',
      description: 'Compares the index with the database and repairs differences.',
      category: 'integrity',
      defaultCron: '7 * * * *',
      task: tasks.reconcile,
    },
    {
      key: 'reap_shadow_indexes',
      title: 'Unfinished indexes',
      description: 'Removes shadow indexes of rebuilds that did not finish.',
      category: 'cleanup',
      defaultCron: '47 * * * *',
      task: tasks.reap,
    },
    {
      key: 'compact_meili',
      title: 'Index compaction',
      description: 'Compacts the index when it takes much more space than its content needs.',
      category: 'integrity',
      defaultCron: '0 6 * * 0',
      task: tasks.compact,
    },
    {
      key: 'rebuild_index',
      title: 'Rebuild the index',
      description: 'Builds a new index beside the current one and swaps them. Searches continue meanwhile.',
      category: 'ondemand',
      defaultCron: null,
      task: tasks.rebuild,
    },
  ];
}
