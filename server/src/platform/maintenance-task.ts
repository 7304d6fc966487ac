import { type TSchema, Type } from 'typebox';
import { defineTask, type Task, type TaskContext } from './queue/index.ts';

/**
 * A scheduled task that keeps the catalog healthy. A `fixed` task keeps its schedule even in maintenance mode and cannot be edited; the
 * others can be rescheduled, disabled and started by hand. `defaultCron: null` means that it only runs on demand, or once scheduled.
 */
export interface MaintenanceTask {
  key: string;
  title: string;
  description: string;
  category: 'cleanup' | 'integrity' | 'monitors' | 'system' | 'ondemand';
  defaultCron: string | null;
  fixed?: boolean;
  /** Why the task cannot run with the current settings, and what to change. It is then neither scheduled nor started by hand. */
  unavailable?: string | undefined;
  task: Task<TSchema>;
}

/**
 * A task of the maintenance queue without a payload. What `perform` returns is kept as the outcome of the run: a sentence, a record of counts,
 * or the number of rows removed or changed. A task that reports its counts by `progress` returns nothing.
 */
export function defineMaintenanceTask(name: string, perform: (context: TaskContext) => Promise<unknown>): Task {
  return defineTask({
    name,
    queue: 'maintenance',
    payload: Type.Object({}),
    attempts: 2,
    async perform(_payload, context) {
      const result = await perform(context);
      if (typeof result === 'string') context.progress({ outcome: result });
      else if (typeof result === 'number') context.progress({ [name.startsWith('purge_') ? 'removed' : 'changed']: result });
      else if (typeof result === 'object' && result !== null) context.progress(result as Record<string, unknown>);
    },
  });
}
