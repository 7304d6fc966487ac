import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { MaintenanceTask } from '../../platform/maintenance-task.ts';
import { defineTask, type Task } from '../../platform/queue/index.ts';
import { waitForRebuild } from '../projection/index.ts';

/** Only the projector writes to the index; the job requests a rebuild and waits. */
function rebuildTask({ settings }: Pick<Dependencies, 'settings'>): Task {
  return defineTask({
    name: 'rebuild_chunks_index',
    queue: 'index',
    payload: Type.Object({}),
    attempts: 1,
    ageExempt: true,
    async perform(_payload, context) {
      await waitForRebuild(context, settings.searchRebuildWaitS, 'passage_index_rebuild');
    },
  });
}

export const passageIndexMaintenance = (deps: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'rebuild_chunks_index',
    title: 'Rebuild the passage index',
    description: 'Builds a new passage index beside the current one and swaps them. Searches continue meanwhile.',
    category: 'ondemand',
    defaultCron: null,
    task: rebuildTask(deps),
  },
];
