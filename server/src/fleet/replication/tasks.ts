import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { purgeQuarantine } from './store.ts';

export const replicationMaintenance: MaintenanceTask[] = [
  {
    key: 'purge_agent_quarantine',
    title: 'Old refused changes of agents',
    description: 'Removes changes of agents that could not be applied more than 90 days ago.',
    category: 'cleanup',
    defaultCron: '50 4 * * *',
    task: defineMaintenanceTask('purge_agent_quarantine', async ({ db }) => purgeQuarantine(db)),
  },
];
