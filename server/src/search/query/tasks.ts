import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { pruneInterest } from './frecency.ts';

export const queryMaintenance: MaintenanceTask[] = [
  {
    key: 'prune_frecency',
    title: 'Opened files',
    description: 'Deletes the record of files people opened more than 90 days ago.',
    category: 'cleanup',
    defaultCron: '40 4 * * *',
    task: defineMaintenanceTask('prune_frecency', ({ db }) => pruneInterest(db)),
  },
];
