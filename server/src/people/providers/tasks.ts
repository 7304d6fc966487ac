import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { refreshOidcSessions } from './oidc/refresh.ts';
import { purgeLogoutTokens, purgeSignIns } from './oidc/sign-in-store.ts';

export const providerMaintenance = ({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'refresh_sign_ins',
    title: 'Rights from providers',
    description: 'Reads roles and groups of people who signed in with an OpenID provider again, and ends sessions that the provider ended.',
    category: 'system',
    defaultCron: '*/15 * * * *',
    task: defineMaintenanceTask('refresh_sign_ins', async ({ db, log }) => {
      await purgeSignIns(db);
      await purgeLogoutTokens(db);
      await refreshOidcSessions({ db, log, settings });
    }),
  },
];
