import { boolean, choice, decimal, integer } from '../kinds.ts';

/** How libraries are scanned, hashed and watched. */
export const scanningSettings = {
  SVC_SCAN_BATCH_SIZE: integer({
    default: 500,
    min: 1,
    max: 100_000,
    unit: 'files',
    description: 'Number of files written to the database in one batch.',
  }),
  SVC_SCAN_HASH_FULL_MAX_BYTES: integer({
    default: 1_073_741_824,
    min: 0,
    unit: 'bytes',
    description: 'Largest file whose whole content is hashed. Larger files only get a quick hash.',
  }),
  SVC_SCAN_EMPTY_GUARD: boolean({
    default: true,
    description:
      'A full scan fails if it finds nothing on disk for a library that had files, not even excluded files, instead of marking them all as missing.',
  }),
  SVC_SCAN_VANISH_GUARD_PCT: decimal({
    default: 0,
    min: 0,
    max: 100,
    unit: 'percent',
    origin: 'added',
    description:
      'A full scan fails if it would mark more than this share of a library with at least 100 files as missing, until somebody confirms it. 0 is no limit. A library can have its own limit.',
  }),
  SVC_SCAN_CROSS_LIBRARY_MOVES: boolean({
    default: true,
    description: 'A file moved to another library keeps its identity, tags and notes if its content matches.',
  }),
  SVC_STAGED_PIPELINE: boolean({ default: true, description: 'Starts extraction after the scan instead of during it.' }),
  SVC_WATCH_INCREMENTAL: boolean({ default: true, description: 'Scans only the affected folders after a small batch of file changes.' }),
  SVC_WATCH_INCREMENTAL_MAX_EVENTS: integer({
    default: 64,
    min: 1,
    unit: 'events',
    description: 'A larger batch of file changes starts a full scan.',
  }),
  SVC_HASH_BACKFILL_MAX_BYTES: integer({
    default: 21_474_836_480,
    min: 0,
    unit: 'bytes',
    description: 'Number of bytes read by one run of the optional content hash backfill.',
  }),
  SVC_HASH_BACKFILL_RATE_MBPS: decimal({
    default: 50,
    min: 0,
    unit: 'MB/s',
    description: 'Average reading speed of hash backfill and re-hashing. 0 is unlimited.',
  }),
  SVC_RECYCLE_RETENTION_DAYS: integer({
    default: 30,
    min: 0,
    unit: 'days',
    description: 'How long items in the recycle bin can be restored.',
  }),
  SVC_SIDECAR_METADATA_PRIORITY: choice(['fill', 'sidecar'], {
    default: 'fill',
    description: 'Whether sidecar files only fill in a missing title and year (fill) or replace them (sidecar).',
  }),
  SVC_PROVENANCE_ENABLED: boolean({ default: true, description: 'Reads the download address of a file from its extended attributes.' }),
};
