import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { isEnabled } from '../../settings/index.ts';
import { advanceReleaseRollouts } from './rollouts.ts';

export const releaseMaintenance = ({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'advance_agent_updates',
    title: 'Updates of agents',
    description: 'Begins the next steps of rollouts of releases, and stops those whose agents fail.',
    category: 'monitors',
    defaultCron: '* * * * *',
    unavailable: isEnabled(settings, 'SVC_AGENTS_ENABLED') ? undefined : 'Agents are off. Set SVC_AGENTS_ENABLED to true to use them.',
    task: defineMaintenanceTask('advance_agent_updates', async ({ db, progress }) => progress(await advanceReleaseRollouts(db))),
  },
];
