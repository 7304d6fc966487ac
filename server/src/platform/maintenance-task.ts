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

/** A task of the maintenance queue without a payload. */
export function defineMaintenanceTask(name: string, perform: (context: TaskContext) => Promise<unknown>): Task {
  return defineTask({
    name,
    queue: 'maintenance',
    payload: Type.Object({}),
    attempts: 2,
    async perform(_payload, context) {
      await perform(context);
    },
  });
}
