import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { isEnabled } from '../../settings/index.ts';
import { advanceRollouts } from './rollouts.ts';

export const configMaintenance = ({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'advance_agent_rollouts',
    title: 'Rollouts to agents',
    description: 'Begins the next steps of rollouts, and stops those whose agents fail.',
    category: 'monitors',
    defaultCron: '* * * * *',
    unavailable: isEnabled(settings, 'SVC_AGENTS_ENABLED') ? undefined : 'Agents are off. Set SVC_AGENTS_ENABLED to true to use them.',
    task: defineMaintenanceTask('advance_agent_rollouts', async ({ db, progress }) => progress(await advanceRollouts(db))),
  },
];
