import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { purgeJobs } from '../../platform/queue/index.ts';
import { reapAll } from './index.ts';

export const jobMaintenance = ({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'reap_stalled_jobs',
    title: 'Stalled jobs',
    description: 'Requeues jobs of lost workers and ends scan runs that no worker is processing.',
    category: 'monitors',
    defaultCron: '*/5 * * * *',
    fixed: true,
    task: defineMaintenanceTask('reap_stalled_jobs', ({ db }) => reapAll({ db, settings })),
  },
  {
    key: 'purge_job_history',
    title: 'Job history',
    description: 'Removes finished jobs past their retention.',
    category: 'cleanup',
    defaultCron: '50 * * * *',
    task: defineMaintenanceTask('purge_job_history', ({ db }) => purgeJobs(db, { failedDays: settings.jobHistoryRetentionDays })),
  },
];
