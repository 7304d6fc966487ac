import { createSandboxPool, photoHashTaskModule, type SandboxPool } from '@catalog/readers';
import { addContentHashes } from '../../catalog/scan/index.ts';
import { visibilityOf } from '../../people/access/index.ts';
import { type Owner, principalOfOwner } from '../../people/identity/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { MaintenanceTask } from '../../platform/maintenance-task.ts';
import { permanentFailure, type Task } from '../../platform/queue/index.ts';
import { settleDuplicates } from '../copies/index.ts';
import { accessToView } from '../reports/index.ts';
import { firstId, proveJob, sampledCopies } from './prove.ts';
import { findSimilar } from './similar/find.ts';
import { similarJob } from './similar/job.ts';

const pageSize = 200;

export function proveTask({ settings }: Pick<Dependencies, 'settings'>): Task {
  const task: typeof proveJob = {
    ...proveJob,
    async perform({ owner, key }, { db, signal, progress, log }) {
      const pages = async function* (): AsyncGenerator<string[]> {
        for (let after = firstId; ; ) {
          const principal = await principalOfOwner(db, settings, owner as Owner);
          if (!principal) throw permanentFailure('The account or API key that asked for this no longer exists or is disabled.');
          const page = await sampledCopies(db, accessToView(await visibilityOf(db, principal)), key, after, pageSize);
          const last = page.at(-1);
          if (!last) return;
          after = last.id;
          yield page.map(({ id }) => id);
        }
      };
      const done = await addContentHashes(db, pages(), {
        rateMbps: settings.hashBackfillRateMbps,
        hashFullMaxBytes: settings.scanHashFullMaxBytes,
        workerLabels: settings.workerLabels,
        signal,
        progress,
      });
      if (signal.aborted) throw signal.reason;
      await settleDuplicates(db, { batches: 1_000, signal });
      log.info('Read sampled duplicates in full.', { ...done });
    },
  };
  return task as Task;
}

const openPool = (): SandboxPool => createSandboxPool({ size: 1, tasks: { photo: photoHashTaskModule } });

/** Opt-in: it has no schedule until an administrator gives it one or starts it by hand. */
export const similarMaintenance = (createPool = openPool): MaintenanceTask[] => [
  {
    key: similarJob.name,
    title: 'Similar photos',
    description: 'Compares photos by how they look, and groups those that are alike. Only new photos are read.',
    category: 'ondemand',
    defaultCron: null,
    task: {
      ...similarJob,
      async perform(_payload, { db, signal, progress, log }) {
        const pool = createPool();
        try {
          const done = await findSimilar(db, pool, { signal, progress });
          log.info('Compared photos.', { ...done });
        } finally {
          pool.close();
        }
      },
    },
  },
];
