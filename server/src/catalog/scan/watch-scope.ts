import { commonFolder } from './service.ts';
import type { WatchBatch } from '@catalog/scanner';

export interface IncrementalRule {
  incremental: boolean;
  maxEvents: number;
}

/** What to scan after a batch: '' is the whole library, else the nearest folder above all that happened. */
export function scopeOfBatch({ events, paths }: WatchBatch, { incremental, maxEvents }: IncrementalRule): string {
  if (!incremental || paths === null || paths.length === 0 || events > maxEvents) return '';
  // The folder a name lies in: the name itself may be gone.
  return paths.map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))).reduce(commonFolder);
}
