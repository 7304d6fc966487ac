import { Type } from 'typebox';
import { defineTask, type Task, type TaskContext } from '../platform/queue/index.ts';

/** Most upkeep takes no payload: a name, a queue and what to do. */
export function upkeep(name: string, perform: (context: TaskContext) => Promise<unknown>): Task {
  return defineTask({
    name,
    queue: 'maintenance',
    payload: Type.Object({}),
    attempts: 2,
    async perform(_payload, context) {
      await perform(context);
    },
  }) as unknown as Task;
}
