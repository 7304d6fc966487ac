import { createSandboxPool, sniffTaskModule } from '@catalog/readers';
import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { queueExtraction } from '../pipeline/index.ts';
import { sniffContent } from './index.ts';

export const sniffMaintenance = ({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'content_sniff',
    title: 'Files without an extension',
    description: settings.contentSniffEnabled
      ? 'Detects the type of files without an extension from their first bytes.'
      : 'Off. Set SVC_CONTENT_SNIFF_ENABLED to true to allow it.',
    category: 'ondemand',
    defaultCron: null,
    task: defineMaintenanceTask('content_sniff', async ({ db, log, signal, progress }) => {
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
];
