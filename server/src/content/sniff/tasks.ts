import { createSandboxPool, sniffTaskModule } from '@catalog/readers';
import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { queueExtraction } from '../pipeline/index.ts';
import { sniffContent } from './index.ts';

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
        progress(await sniffContent(db, pool, { batch, readBytes, signal, recognised }));
      } finally {
        pool.close();
      }
    }),
  },
];
