import { reapAll } from '../operations/jobs/index.ts';
import type { MaintenanceTask } from '../operations/maintenance/index.ts';
import { purgeEvents } from '../people/audit/index.ts';
import { purgeLimiter, purgeSessions } from '../people/identity/index.ts';
import { purgeLogs } from '../platform/log/index.ts';
import type { Parts } from '../platform/parts.ts';
import { purgeJobs } from '../platform/queue/index.ts';
import { catalogUpkeep } from './catalog.ts';
import { contentUpkeep } from './content.ts';
import { searchUpkeep } from './search.ts';
import { upkeep } from './upkeep.ts';

/** Every room's upkeep with its default schedule (UTC). */
export function maintenanceTasks({ settings }: Pick<Parts, 'settings'>): MaintenanceTask[] {
  return [
    ...catalogUpkeep({ settings }),
    {
      key: 'reap_stalled_jobs',
      title: 'Stalled jobs',
      description: 'Puts jobs of lost workers back and settles scan runs that nobody drains.',
      category: 'monitors',
      defaultCron: '*/5 * * * *',
      fixed: true,
      task: upkeep('reap_stalled_jobs', ({ db }) => reapAll({ db, settings })),
    },
    {
      key: 'purge_job_history',
      title: 'Job history',
      description: 'Removes finished jobs past their retention.',
      category: 'cleanup',
      defaultCron: '50 * * * *',
      task: upkeep('purge_job_history', ({ db }) => purgeJobs(db, { failedDays: settings.jobHistoryRetentionDays })),
    },
    {
      key: 'purge_security_events',
      title: 'Security trail',
      description: 'Removes security events older than a year, and failed sign-ins older than 90 days.',
      category: 'cleanup',
      defaultCron: '20 4 * * *',
      task: upkeep('purge_security_events', ({ db }) => purgeEvents(db)),
    },
    {
      key: 'purge_app_logs',
      title: 'Log',
      description: 'Removes log records past their retention and above the row cap.',
      category: 'cleanup',
      defaultCron: '35 4 * * *',
      task: upkeep('purge_app_logs', ({ db }) => purgeLogs(db, { retentionDays: settings.logRetentionDays, maxRows: settings.logMaxRows })),
    },
    {
      key: 'purge_sessions',
      title: 'Ended sessions',
      description: 'Removes sessions past their lifetime and old counters of the sign-in limiter.',
      category: 'cleanup',
      defaultCron: '25 4 * * *',
      task: upkeep('purge_sessions', async ({ db }) => {
        await purgeSessions(db, settings);
        await purgeLimiter(db);
      }),
    },
    ...contentUpkeep({ settings }),
    ...searchUpkeep({ settings }),
  ];
}
