import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { purgeSessions } from './store.ts';

export const reconcileMaintenance: MaintenanceTask[] = [
  {
    key: 'purge_agent_comparisons',
    title: 'Unfinished comparisons of agents',
    description: 'Removes comparisons with agents that were not continued for an hour.',
    category: 'cleanup',
    defaultCron: '20 * * * *',
    task: defineMaintenanceTask('purge_agent_comparisons', async ({ db }) => purgeSessions(db)),
  },
];
