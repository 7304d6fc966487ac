import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { MaintenanceTask } from '../../platform/maintenance-task.ts';
import { defineTask } from '../../platform/queue/index.ts';
import { verifyContent } from './verify.ts';

export const integrityMaintenance = ({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'verify_content',
    title: 'Re-reading of stored files',
    description:
      'Reads files again and compares them with their content hash, up to the budget of the day. Does nothing until it is switched on under Reports.',
    category: 'integrity',
    defaultCron: '20 * * * *',
    task: defineTask({
      name: 'verify_content',
      queue: 'maintenance',
      payload: Type.Object({}),
      attempts: 1,
      ageExempt: true,
      async perform(_payload, { db, log, clock, signal, progress }) {
        const done = await verifyContent(db, { log, clock, signal, progress, workerLabels: settings.workerLabels });
        if (signal.aborted) throw signal.reason;
        progress({ ...done });
      },
    }),
  },
];
