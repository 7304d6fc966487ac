import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import './tables.ts';
import { purgeLimiter } from './limiter.ts';
import { purgeSessions } from './sessions.ts';

export const identityMaintenance = ({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'purge_sessions',
    title: 'Ended sessions',
    description: 'Removes expired sessions and old counters of the sign-in limiter.',
    category: 'cleanup',
    defaultCron: '25 4 * * *',
    task: defineMaintenanceTask('purge_sessions', async ({ db }) => {
      await purgeSessions(db, settings);
      await purgeLimiter(db);
    }),
  },
];
