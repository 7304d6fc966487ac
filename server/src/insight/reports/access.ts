import { type RawBuilder, sql } from 'kysely';
import type { Action, ScopeNode, Visibility } from '../../people/access/index.ts';
import { problem } from '../../platform/problem.ts';

/** What a report may use: what the caller sees, or, for a file, what the caller sees and may download. */
export interface ReportAccess {
  unrestricted: boolean;
  /** Without an action: to see, or to see and download. */
  where(alias: string, action?: Action): RawBuilder<boolean>;
  /** The same condition over items. */
  whereItem(alias: string, action?: Action): RawBuilder<boolean>;
  /** `whereItem` in two disjoint parts: libraries that are fully accessible, and a condition for folders of others, or null. */
  split(alias: string): { whole: 'all' | string[]; rest: RawBuilder<boolean> | null };
  /** Everything below the folder is accessible. Kept totals may be shown only then. */
  seesWhole(libraryId: string, folder?: string): boolean;
  mayEnter(libraryId: string): boolean;
}

export function accessToView(visibility: Visibility): ReportAccess {
  return {
    unrestricted: visibility.unrestricted,
    where: (alias, action) => visibility.where(alias, action),
    whereItem: (alias, action) => visibility.whereItem(alias, action),
    split: (alias) => visibility.split(alias),
    seesWhole: (libraryId, folder) => visibility.seesWhole(libraryId, folder),
    mayEnter: (libraryId) => visibility.mayEnter(libraryId),
  };
}

/** Rejects a caller who may download nothing at all. */
export function accessToDownload(visibility: Visibility): ReportAccess {
  const downloads = visibility.scope('download');
  if (downloads === null || visibility.unrestricted) return accessToView(visibility);
  if (downloads.length === 0)
    throw problem('action_denied', 'Your permissions do not allow downloads, and an export is one. Ask an administrator for access.');
  const wholeOf = (forest: readonly ScopeNode[]): string[] =>
    forest.filter(({ path, children }) => path === '' && children.length === 0).map(({ libraryId }) => libraryId);
  const downloadable = new Set(wholeOf(downloads));
  const whole = wholeOf(visibility.scope() ?? []).filter((id) => downloadable.has(id));
  const where = (alias: string, action?: Action): RawBuilder<boolean> =>
    action ? visibility.where(alias, action) : sql<boolean>`(${visibility.where(alias)} and ${visibility.where(alias, 'download')})`;
  const whereItem = (alias: string, action?: Action): RawBuilder<boolean> =>
    action
      ? visibility.whereItem(alias, action)
      : sql<boolean>`(${visibility.whereItem(alias)} and ${visibility.whereItem(alias, 'download')})`;
  return {
    unrestricted: false,
    where,
    whereItem,
    split: (alias) => ({ whole, rest: sql<boolean>`(${whereItem(alias)} and ${sql.ref(`${alias}.library_id`)} <> all(${whole}::uuid[]))` }),
    // A folder below may be downloadable as a whole too; its files are then counted one by one.
    seesWhole: (libraryId) => whole.includes(libraryId),
    mayEnter: (libraryId) => visibility.mayEnter(libraryId) && downloads.some((node) => node.libraryId === libraryId),
  };
}
