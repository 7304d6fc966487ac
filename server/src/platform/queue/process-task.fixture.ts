import { Type } from 'typebox';
import { defineTask, type Task } from './index.ts';

/** The task shared by the worker process and the test that starts it. */
export const processTask = (perform: Task['perform']) =>
  defineTask({
    name: 'scan_library',
    queue: 'scan',
    payload: Type.Object({ library_id: Type.String() }),
    attempts: 1,
    ageExempt: true,
    perform,
  });
