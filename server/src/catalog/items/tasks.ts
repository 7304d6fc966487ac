import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import '../tables.ts';
import { purgeItemVersions } from './history.ts';
import { purgeRecycleBin } from './recycle.ts';

export const itemMaintenance = ({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'purge_recycle_bin',
    title: 'Recycle bin',
    description: 'Deletes items that have been in the recycle bin for longer than the retention. Files on disk are kept.',
    category: 'cleanup',
    defaultCron: '0 4 * * *',
    task: defineMaintenanceTask('purge_recycle_bin', ({ db }) => purgeRecycleBin(db, settings.recycleRetentionDays)),
  },
  {
    key: 'purge_item_versions',
    title: 'Item history',
    description: 'Deletes changes by extractors after the retention. Changes by people are kept.',
    category: 'cleanup',
    defaultCron: '15 4 * * *',
    task: defineMaintenanceTask('purge_item_versions', ({ db }) => purgeItemVersions(db, settings.auditRetentionDays)),
  },
];
