import { boolean, decimal, path } from '../kinds/index.ts';

/** What happens when a disk fills up. */
export const diskSettings = {
  SVC_DISK_MONITOR_ENABLED: boolean({ default: true, sentence: 'Look at free disk space every five minutes.' }),
  SVC_DISK_WARN_FREE_GB: decimal({ default: 20, min: 0, unit: 'GB', sentence: 'Warn below this free space.' }),
  SVC_DISK_MIN_FREE_GB: decimal({
    default: 5,
    min: 0,
    unit: 'GB',
    sentence: 'Critical below this free space: what can wait stops writing.',
  }),
  SVC_DISK_WARN_PCT_FREE: decimal({ default: 10, min: 0, max: 100, unit: 'percent', sentence: 'Warn below this share of free space.' }),
  SVC_DISK_CRIT_PCT_FREE: decimal({ default: 2, min: 0, max: 100, unit: 'percent', sentence: 'Critical below this share of free space.' }),
  SVC_DISK_PG_PATH: path({
    unset: 'the disk of the database is not watched',
    sentence: 'Folder of the database data; when its disk is critical, extraction pauses.',
  }),
  SVC_DISK_GC_TARGET_FREE_GB: decimal({
    default: 0,
    min: 0,
    unit: 'GB',
    sentence: 'At critical, remove the least used thumbnails until this much is free; 0 removes none.',
  }),
};
