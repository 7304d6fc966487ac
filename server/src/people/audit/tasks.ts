import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { purgeEvents } from './index.ts';

export const auditMaintenance: MaintenanceTask[] = [
  {
    key: 'purge_security_events',
    title: 'Audit log',
    description: 'Removes audit events older than a year, and failed sign-ins older than 90 days.',
    category: 'cleanup',
    defaultCron: '20 4 * * *',
    task: defineMaintenanceTask('purge_security_events', ({ db }) => purgeEvents(db)),
  },
];
