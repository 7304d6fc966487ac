import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import type { Task } from '../../platform/queue/index.ts';
import { readDirectoryConfig, readDirectoryLabels } from '../providers/index.ts';
import { retireSources } from './store.ts';
import { syncDirectories } from './sync.ts';

/** Reads nothing while the sync is off, because it can be switched on in the console without a restart. */
export function directorySyncTask({ settings }: Pick<Dependencies, 'settings'>): Task {
  return defineMaintenanceTask('directory_sync', async ({ db, log, signal, progress }) => {
    const { enabled, endpoints } = await readDirectoryConfig({ db, settings });
    const results = enabled ? await syncDirectories({ db, settings, log }, { signal, report: progress }) : [];
    const failed = results.filter(({ error }) => error !== null);
    // A worker elsewhere need not know the directories of the environment, so those that the app knows count as well.
    const known = await readDirectoryLabels(db);
    const labels = [...endpoints.map(({ label }) => label), ...(known ?? [])];
    // One that cannot be read may have been given another label, and keeps its objects.
    const retired = failed.length === 0 && known !== null ? await retireSources(db, labels) : 0;
    if (retired > 0) log.warning(`${retired} objects are marked as deleted, because their directory is no longer configured.`);
    progress({ directories: results });
    if (results.length > 0 && failed.length === results.length)
      throw new Error(`No directory could be read: ${failed.map(({ error }) => error).join(' ')}`);
  });
}

export const directoryMaintenance = (deps: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'directory_sync',
    title: 'Directory sync',
    description: 'Reads the users, groups and computers of the directories, so that file permissions can be shown with names.',
    category: 'system',
    defaultCron: '40 3 * * *',
    task: directorySyncTask(deps),
  },
];
