import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { isEnabled } from '../../settings/index.ts';
import { watchAgents } from './service.ts';

export const monitorMaintenance = ({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'watch_agents',
    title: 'Silent agents',
    description: 'Reports agents that are offline, and agents whose changes do not arrive, to the alert rules.',
    category: 'monitors',
    defaultCron: '*/5 * * * *',
    unavailable: isEnabled(settings, 'SVC_AGENTS_ENABLED') ? undefined : 'Agents are off. Set SVC_AGENTS_ENABLED to true to use them.',
    task: defineMaintenanceTask('watch_agents', async ({ db, progress }) => progress(await watchAgents(db, settings))),
  },
];
