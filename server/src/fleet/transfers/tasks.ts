import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { sweepTransfers } from './service.ts';

export const transferMaintenance = ({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'sweep_agent_transfers',
    title: 'Files fetched from agents',
    description: 'Removes fetched files that have expired or that nobody waits for any more.',
    category: 'cleanup',
    defaultCron: '*/5 * * * *',
    task: defineMaintenanceTask('sweep_agent_transfers', ({ db }) => sweepTransfers({ db, settings })),
  },
];
