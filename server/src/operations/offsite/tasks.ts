import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import type { Task } from '../../platform/queue/index.ts';
import { copyBackups } from './copy.ts';

type Deps = Pick<Dependencies, 'settings'>;

export const copyTask = ({ settings }: Deps): Task => ({
  ...defineMaintenanceTask('copy_backups', ({ db, log, clock, signal }) =>
    copyBackups({ db, settings, log, signal, now: clock.now(), outbound: createOutbound({ settings }) }),
  ),
  ageExempt: true,
});

export const offsiteMaintenance = (deps: Deps): MaintenanceTask[] => [
  {
    key: 'copy_backups',
    title: 'Copies of backups',
    description: 'Copies new backups to the targets outside this machine and removes old ones there.',
    category: 'system',
    defaultCron: '*/5 * * * *',
    task: copyTask(deps),
  },
];
