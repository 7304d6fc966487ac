import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { settleDuplicates } from './settle.ts';

export const duplicateMaintenance: MaintenanceTask[] = [
  {
    key: 'settle_duplicates',
    title: 'Duplicate groups',
    description: 'Brings the groups of equal files up to date with changed files.',
    category: 'system',
    defaultCron: '*/5 * * * *',
    fixed: true,
    task: defineMaintenanceTask('settle_duplicates', async ({ db, signal, progress }) => {
      const changes = await settleDuplicates(db, { batches: 1_000, signal });
      if (changes > 0) progress({ changes });
    }),
  },
];
