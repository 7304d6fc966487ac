import { Type } from 'typebox';
import { defineTask, type Task } from './index.ts';

/** The task that a worker process and the test beside it both know. */
export const processTask = (perform: Task['perform']) =>
  defineTask({
    name: 'scan_library',
    queue: 'scan',
    payload: Type.Object({ library_id: Type.String() }),
    attempts: 1,
    ageExempt: true,
    perform,
  });
