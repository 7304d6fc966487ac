import { boolean, choice, decimal, integer } from '../kinds.ts';

/** How libraries are walked, hashed and watched. */
export const scanningSettings = {
  SVC_SCAN_BATCH_SIZE: integer({
    default: 500,
    min: 1,
    max: 100_000,
    unit: 'files',
    sentence: 'Files written to the database in one batch.',
  }),
  SVC_SCAN_HASH_FULL_MAX_BYTES: integer({
    default: 1_073_741_824,
    min: 0,
    unit: 'bytes',
    sentence: 'Files above this size get only a quick hash, no hash of their whole content.',
  }),
  SVC_SCAN_EMPTY_GUARD: boolean({
    default: true,
    sentence: 'Fail a full scan that finds nothing in a library that had files, instead of marking them all missing.',
  }),
  SVC_SCAN_VANISH_GUARD_PCT: decimal({
    default: 50,
    min: 0,
    max: 100,
    unit: 'percent',
    origin: 'added',
    sentence: 'Fail a full scan that would mark more than this share of a library of at least 100 items missing; 0 disables.',
  }),
  SVC_SCAN_CROSS_LIBRARY_MOVES: boolean({
    default: true,
    sentence: 'A file that moved to another library keeps its identity, tags and notes when its bytes confirm it.',
  }),
  SVC_STAGED_PIPELINE: boolean({ default: true, sentence: 'Start extraction when the scan ends, not while it walks.' }),
  SVC_WATCH_INCREMENTAL: boolean({ default: true, sentence: 'Answer a small batch of file events with a scan of only that folder.' }),
  SVC_WATCH_INCREMENTAL_MAX_EVENTS: integer({
    default: 64,
    min: 1,
    unit: 'events',
    sentence: 'A larger batch of file events starts a full scan.',
  }),
  SVC_HASH_BACKFILL_MAX_BYTES: integer({
    default: 21_474_836_480,
    min: 0,
    unit: 'bytes',
    sentence: 'Bytes the opt-in backfill of content hashes reads in one run.',
  }),
  SVC_HASH_BACKFILL_RATE_MBPS: decimal({
    default: 50,
    min: 0,
    unit: 'MB/s',
    sentence: 'Average reading speed of hash backfill and re-hash; 0 does not throttle.',
  }),
  SVC_RECYCLE_RETENTION_DAYS: integer({ default: 30, min: 0, unit: 'days', sentence: 'Deleted items can be restored for this long.' }),
  SVC_SIDECAR_METADATA_PRIORITY: choice(['fill', 'sidecar'], {
    default: 'fill',
    sentence: 'Whether sidecar files only fill an empty title and year, or replace them.',
  }),
  SVC_PROVENANCE_ENABLED: boolean({ default: true, sentence: 'Read from where a file was downloaded out of its extended attributes.' }),
};
