import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { enqueue } from '../../platform/queue/index.ts';
import { reclassifiedVersion, taxonomyVersion } from './live.ts';
import { seedTaxonomy } from './seed.ts';
import { reclassifyTask } from './tasks.ts';

/** Loaded by assembly only. */
export const taxonomyMaintenance: MaintenanceTask[] = [
  {
    key: 'taxonomy_upkeep',
    title: 'File types',
    description:
      'Adds file types that came with an update, without restoring removed ones, and applies changed file types to existing files if that has not happened yet.',
    category: 'integrity',
    defaultCron: '*/15 * * * *',
    task: defineMaintenanceTask('taxonomy_upkeep', async ({ db }) => {
      const { extensions } = await seedTaxonomy(db);
      const version = await taxonomyVersion(db);
      const withNew = (outcome: string): string => (extensions.length > 0 ? `New file types: ${extensions.length}. ${outcome}` : outcome);
      if ((await reclassifiedVersion(db)) >= version) return withNew('Every file has the current types.');
      // The job of the change may have failed, or its row may be gone.
      const queued = await enqueue(db, reclassifyTask, { version }, { lock: `reclassify_extensions:${version}` });
      return withNew(
        queued
          ? `Started to apply version ${version} of the file types.`
          : `Version ${version} of the file types is already being applied.`,
      );
    }),
  },
];
