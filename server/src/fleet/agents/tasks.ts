import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { purgeEnrolments } from './store.ts';

export const agentMaintenance: MaintenanceTask[] = [
  {
    key: 'purge_enrolments',
    title: 'Old enrolments',
    description: 'Removes enrolment tokens that ended a month ago, and agents that did not complete their enrolment within a week.',
    category: 'cleanup',
    defaultCron: '40 * * * *',
    task: defineMaintenanceTask('purge_enrolments', async ({ db, progress }) => progress(await purgeEnrolments(db))),
  },
];
