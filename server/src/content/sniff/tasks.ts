import { createSandboxPool, sniffTaskModule } from '@catalog/readers';
import { sniffLibraryJob } from '../../catalog/libraries/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { defineTask } from '../../platform/queue/index.ts';
import { queueExtraction, reachablePath } from '../pipeline/index.ts';
import { filesToDetect, sniffContent } from './index.ts';

/** Queues the files of a library without an extension. Their types are detected when they are read. */
export const sniffLibraryTask = defineTask({
  ...sniffLibraryJob,
  async perform({ library_id }, { db, signal, progress }) {
    let queued = 0;
    for (let after: string | undefined = '00000000-0000-0000-0000-000000000000'; after !== undefined; ) {
      signal.throwIfAborted();
      const ids: string[] = await filesToDetect(db, library_id, after, 1000);
      queued += await queueExtraction(db, library_id, ids);
      progress({ queued });
      after = ids.at(-1);
    }
  },
});

export const sniffMaintenance = ({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'content_sniff',
    title: 'Files without an extension',
    description: 'Detects the type of files without an extension from their first bytes.',
    category: 'ondemand',
    defaultCron: null,
    unavailable: settings.contentSniffEnabled ? undefined : 'Content sniffing is off. Set SVC_CONTENT_SNIFF_ENABLED to true and restart.',
    task: defineMaintenanceTask('content_sniff', async ({ db, signal, progress }) => {
      const pool = createSandboxPool({ size: 1, tasks: { sniff: sniffTaskModule } });
      try {
        const { contentSniffBatch: batch, contentSniffReadBytes: readBytes } = settings;
        const recognised = (libraryId: string, ids: readonly string[]) => queueExtraction(db, libraryId, ids);
        progress(await sniffContent(db, pool, { batch, readBytes, signal, recognised, reach: reachablePath }));
      } finally {
        pool.close();
      }
    }),
  },
];
