import { customFieldRoutes } from '../catalog/custom-fields/index.ts';
import { itemRoutes } from '../catalog/items/index.ts';
import { libraryContentRoutes, libraryRoutes, reprojectTask } from '../catalog/libraries/index.ts';
import { presetRoutes } from '../catalog/presets/index.ts';
import { reclassifyTask, taxonomyRoutes } from '../catalog/taxonomy/index.ts';
import type { App } from '../platform/http/index.ts';
import type { Parts } from '../platform/parts.ts';
import type { Task } from '../platform/queue/index.ts';

/** The catalog's rooms, for the assembly of the app. */
export const catalogRooms: ((app: App, parts: Parts) => void)[] = [
  taxonomyRoutes,
  presetRoutes,
  libraryRoutes,
  libraryContentRoutes,
  itemRoutes,
  customFieldRoutes,
];

/** The catalog's tasks, for the assembly of the worker. */
export function catalogTasks(_parts: Parts): Task[] {
  return [reclassifyTask, reprojectTask] as unknown as Task[];
}
