import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import type { Task } from '../../platform/queue/index.ts';
import { settleAbandonedRuns } from './deliver.ts';
import { scheduleTask } from './runs.ts';
import { purgeRuns } from './runs-store.ts';

const keptRuns = 200;

export const scheduleTasks = (deps: Dependencies): Task[] => [scheduleTask(deps)];

export const scheduleMaintenance: MaintenanceTask[] = [
  {
    key: 'reconcile_schedules',
    title: 'Runs of report schedules',
    description: `Marks runs as failed whose job was given up, and keeps the newest ${keptRuns} runs of each schedule.`,
    category: 'system',
    defaultCron: '*/10 * * * *',
    fixed: true,
    task: defineMaintenanceTask('reconcile_schedules', async ({ db, progress }) => {
      const failed = await settleAbandonedRuns(db);
      const purged = await purgeRuns(db, keptRuns);
      if (failed + purged > 0) progress({ failed, purged });
    }),
  },
];
