import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { purgePermissionChanges } from './store.ts';

export const permissionMaintenance = ({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'purge_permission_snapshots',
    title: 'Permission history',
    description: 'Keeps the newest snapshots of the permissions of each file and folder.',
    category: 'cleanup',
    defaultCron: '20 4 * * *',
    task: defineMaintenanceTask('purge_permission_snapshots', ({ db }) => purgePermissionChanges(db, settings.permissionSnapshotsRetain)),
  },
];
