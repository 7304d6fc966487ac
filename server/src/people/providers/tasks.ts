import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { endRemovedDirectories } from './directory-hosts.ts';
import { refreshOidcSessions } from './oidc/refresh.ts';
import { purgeLogoutTokens, purgeSignIns } from './oidc/sign-in-store.ts';

export const providerMaintenance = ({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'refresh_sign_ins',
    title: 'Rights from providers',
    description:
      'Reads roles and groups of people who signed in with an OpenID provider again, and ends sessions that the provider ended. Ends what people have from directories that were removed.',
    category: 'system',
    defaultCron: '*/15 * * * *',
    task: defineMaintenanceTask('refresh_sign_ins', async ({ db, log }) => {
      await purgeSignIns(db);
      await purgeLogoutTokens(db);
      const losing = await endRemovedDirectories({ db, settings }, { principalId: null, ip: '' });
      if (losing > 0)
        log.warning(`${losing} people lost the role or the groups that a directory gave, because it is no longer configured.`);
      await refreshOidcSessions({ db, log, settings });
    }),
  },
];
