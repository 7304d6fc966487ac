import type { Parts } from '../platform/parts.ts';
import type { Task } from '../platform/queue/index.ts';
import { catalogTasks } from './catalog.ts';
import { maintenanceTasks } from './maintenance.ts';

/** Every kind of job the worker knows. A room's tasks are made by a function of the parts, so that a task reaches settings and services. */
export function assembleTasks(parts: Parts): Task[] {
  return [...catalogTasks(parts), ...maintenanceTasks(parts).map(({ task }) => task)];
}
