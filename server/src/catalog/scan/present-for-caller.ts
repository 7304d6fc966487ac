import type { Visibility } from '../../people/access/index.ts';
import { decodeCursor } from '../../platform/schemas.ts';
import { accountingLine } from '../libraries/index.ts';
import { type ReadStages, withoutStageCounts } from '../stages/index.ts';
import type { DiffEntry } from './diff.ts';
import type { Explanation } from './explain.ts';
import type { PresentedScan } from './present.ts';

/** A run without the folder names that the caller may not see. */
export function presentRunFor(view: PresentedScan, visibility: Visibility) {
  const count = (name: string): number => (typeof view.stats[name] === 'number' ? (view.stats[name] as number) : 0);
  // An agent reports differences, which say nothing about the number of files on disk.
  const shown = { ...view, accounting: view.trigger === 'agent' ? null : accountingLine(count, view.pruned_files) };
  if (visibility.unrestricted) return shown;
  const allowed = (path: string): boolean => visibility.allows(view.library_id, path, 'search_metadata');
  return {
    ...shown,
    // Its counts and names are of files in the whole library. Who sees them all may decide to mark them as missing.
    guard: visibility.seesWhole(view.library_id) ? view.guard : null,
    scope: allowed(view.scope) || view.scope === '' ? view.scope : '…',
    scopes: view.scopes.filter((path) => path === '' || allowed(path)),
    pruned_paths: view.pruned_paths.filter(allowed),
    current_folder: view.current_folder !== null && allowed(view.current_folder) ? view.current_folder : null,
    stats: Object.fromEntries(Object.entries(view.stats).filter(([, value]) => typeof value === 'number' || typeof value === 'boolean')),
  };
}

const counters = [
  'seen',
  'new',
  'changed',
  'missing',
  'returned',
  'moved',
  'excluded',
  'excluded_gate',
  'excluded_filtered',
  'pruned_dirs',
  'permission_denied',
  'bytes_seen',
  'files_per_s',
  'bytes_per_s',
] as const;

/** Hides the counters from a caller who sees only part of the library, because they count all of its files. Errors name such counts too. */
export function withoutCounts<Run extends ReturnType<typeof presentRunFor> & Pick<Awaited<ReturnType<ReadStages>>[number], 'stages'>>(
  run: Run,
): Run {
  return {
    ...run,
    ...Object.fromEntries(counters.map((name) => [name, 0])),
    pruned_files: null,
    estimate: null,
    accounting: null,
    error: null,
    stats: {},
    stages: withoutStageCounts(run.stages),
  };
}

/** Null when the caller may not see the item. The old path of a move is removed when the caller may not see it. */
export function presentDifference(entry: DiffEntry, libraryId: string, visibility: Visibility): DiffEntry | null {
  if (!visibility.allows(libraryId, entry.rel_path, 'search_metadata')) return null;
  const { from_library_id, from_rel_path } = entry;
  if (from_rel_path === null || visibility.allows(from_library_id ?? libraryId, from_rel_path, 'search_metadata')) return entry;
  return { ...entry, from_rel_path: null, from_library_id: null };
}

export function presentExplanation(explanation: Explanation, visibility: Visibility): Explanation {
  const { moved_to, ...rest } = explanation;
  if (!moved_to || visibility.allows(moved_to.library_id, moved_to.rel_path, 'search_metadata')) return explanation;
  return { ...rest, reason: 'The file was moved to a folder you do not have access to.' };
}

/** Refuses a cursor that does not hold an id. */
export function checkIdCursor(cursor: string | undefined): { cursor?: string } {
  decodeCursor(cursor, (value): value is string => typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value));
  return cursor === undefined ? {} : { cursor };
}
