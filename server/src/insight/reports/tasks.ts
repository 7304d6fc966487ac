import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { mergeGrowth } from './growth.ts';
import { mergeTags, settleNames } from './kept.ts';

export const reportMaintenance: MaintenanceTask[] = [
  {
    key: 'merge_growth',
    title: 'Growth of libraries',
    description: 'Merges the recorded growth of each day, so that the growth report stays fast.',
    category: 'system',
    defaultCron: '20 3 * * *',
    task: defineMaintenanceTask('merge_growth', async ({ db, progress }) => progress({ days: await mergeGrowth(db) })),
  },
  {
    key: 'settle_names',
    title: 'Names and tags',
    description: 'Brings the names that differ only in case, and the totals of tags, up to date with changed files.',
    category: 'system',
    defaultCron: '*/5 * * * *',
    fixed: true,
    task: defineMaintenanceTask('settle_names', async ({ db, signal, progress }) => {
      const folders = await settleNames(db, { batches: 1_000, signal });
      await mergeTags(db);
      if (folders > 0) progress({ folders });
    }),
  },
];
