import type { TSchema } from 'typebox';
import type { Task } from '../../platform/queue/index.ts';

/**
 * A task that keeps the house in order. `fixed` ones (monitors, ticks) run on their own schedule always, also in maintenance mode, and
 * cannot be edited; the others can be rescheduled, disabled and run by hand. `defaultCron: null` means only on demand or once scheduled.
 */
export interface MaintenanceTask {
  key: string;
  title: string;
  description: string;
  category: 'cleanup' | 'integrity' | 'monitors' | 'system' | 'ondemand';
  defaultCron: string | null;
  fixed?: boolean;
  task: Task<TSchema>;
}
