import { Type } from 'typebox';
import type { Task } from '../../platform/queue/index.ts';

const payload = Type.Object({ export_id: Type.String({ format: 'uuid' }), byte_order_mark: Type.Boolean() });

/** What the queue needs to know of an export; the worker adds how it is performed. */
export const exportJob: Task<typeof payload> = {
  name: 'run_export',
  queue: 'exports',
  payload,
  attempts: 3,
  ageExempt: true,
  perform: () => Promise.reject(new Error('Exports run in a worker.')),
};
