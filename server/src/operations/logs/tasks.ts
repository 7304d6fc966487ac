import type { Dependencies } from '../../platform/dependencies.ts';
import { purgeLogs } from '../../platform/log/index.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';

export const logMaintenance = ({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'purge_app_logs',
    title: 'Log',
    description: 'Removes log records past their retention or above the row limit.',
    category: 'cleanup',
    defaultCron: '35 4 * * *',
    task: defineMaintenanceTask('purge_app_logs', ({ db }) =>
      purgeLogs(db, { retentionDays: settings.logRetentionDays, maxRows: settings.logMaxRows }),
    ),
  },
];
