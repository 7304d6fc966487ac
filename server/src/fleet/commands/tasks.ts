import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { sweep } from './service.ts';

export const commandMaintenance: MaintenanceTask[] = [
  {
    key: 'sweep_agent_commands',
    title: 'Commands of agents',
    description:
      'Ends commands that no agent has carried out in time, delivers unconfirmed ones again, and removes those that ended 30 days ago.',
    category: 'cleanup',
    defaultCron: '* * * * *',
    task: defineMaintenanceTask('sweep_agent_commands', async ({ db, progress }) => progress(await sweep(db))),
  },
];
