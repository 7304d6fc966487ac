import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import type { Task } from '../../platform/queue/index.ts';
import { scheduleTask } from './runs.ts';
import { abandonedRuns, endRun, purgeRuns } from './runs-store.ts';

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
      const abandoned = await abandonedRuns(db);
      for (const { id, reason } of abandoned)
        await endRun(db, id, 'failed', reason ?? 'The worker was lost. The next run starts at its time.');
      const purged = await purgeRuns(db, keptRuns);
      if (abandoned.length + purged > 0) progress({ failed: abandoned.length, purged });
    }),
  },
];
