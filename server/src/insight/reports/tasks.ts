import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { mergeGrowth } from './growth.ts';

export const reportMaintenance: MaintenanceTask[] = [
  {
    key: 'merge_growth',
    title: 'Growth of libraries',
    description: 'Merges the recorded growth of each day, so that the growth report stays fast.',
    category: 'system',
    defaultCron: '20 3 * * *',
    task: defineMaintenanceTask('merge_growth', async ({ db, progress }) => progress({ days: await mergeGrowth(db) })),
  },
];
