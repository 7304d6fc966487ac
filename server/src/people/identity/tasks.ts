import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import './tables.ts';
import { purgeInvitations } from './invitations.ts';
import { purgeLimiter } from './limiter.ts';
import { purgeSessions } from './sessions.ts';
import { purgeStreamTokens } from './stream-tokens.ts';

export const identityMaintenance = ({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'purge_sessions',
    title: 'Ended sessions',
    description: 'Removes expired sessions and invitations, and old counters of the sign-in limiter.',
    category: 'cleanup',
    defaultCron: '25 4 * * *',
    task: defineMaintenanceTask('purge_sessions', async ({ db }) => {
      await purgeSessions(db, settings);
      await purgeLimiter(db);
      await purgeInvitations(db);
      await purgeStreamTokens(db);
    }),
  },
];
