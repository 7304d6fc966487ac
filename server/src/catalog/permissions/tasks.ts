import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { deleteUnusedClasses, markUnusedClasses, purgePermissionChanges } from './store.ts';

const dayMs = 86_400_000;

export const permissionMaintenance = ({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'purge_permission_snapshots',
    title: 'Permission history',
    description: 'Keeps the newest snapshots of the permissions of each file and folder.',
    category: 'cleanup',
    defaultCron: '20 4 * * *',
    task: defineMaintenanceTask('purge_permission_snapshots', ({ db }) => purgePermissionChanges(db, settings.permissionSnapshotsRetain)),
  },
  {
    key: 'purge_access_classes',
    title: 'Unused access classes',
    description: 'Deletes combinations of permissions that no file has had for a day.',
    category: 'cleanup',
    defaultCron: '40 4 * * *',
    task: defineMaintenanceTask('purge_access_classes', async ({ db }) => {
      const now = new Date();
      const deleted = await deleteUnusedClasses(db, new Date(now.getTime() - dayMs));
      await markUnusedClasses(db, now);
      return deleted;
    }),
  },
];
