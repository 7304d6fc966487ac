import type { ShareEntry } from '../../api/types.ts';

/** What is typed in a row of the share map. */
export interface ShareFields {
  container_prefix: string;
  share_url: string;
  unc: string;
}

export interface ShareRow extends ShareFields {
  key: number;
  /** The stored entry that the row shows or changes; null for a new one. */
  before: ShareEntry | null;
}

export interface ShareChange {
  kind: 'added' | 'changed' | 'removed';
  entry: ShareEntry;
}

let rows = 0;
export const emptyRow = (): ShareRow => ({ key: rows++, before: null, container_prefix: '', share_url: '', unc: '' });
const fieldsOf = ({ container_prefix, share_url, unc }: ShareEntry): ShareFields => ({ container_prefix, share_url, unc: unc ?? '' });
export const toRow = (entry: ShareEntry): ShareRow => ({ ...emptyRow(), before: entry, ...fieldsOf(entry) });

/** Moves a row to a newer stored entry: fields that still equal `from` take the new value, edited ones keep what was typed. */
export function rebased(row: ShareRow, from: ShareFields, entry: ShareEntry): ShareRow {
  const stored = fieldsOf(entry);
  const field = (name: keyof ShareFields) => (row[name] === from[name] ? stored[name] : row[name]);
  return { ...row, before: entry, container_prefix: field('container_prefix'), share_url: field('share_url'), unc: field('unc') };
}

const isSame = (a: ShareEntry | undefined, b: ShareEntry | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);
const isUntouched = (row: ShareRow): boolean =>
  row.before !== null &&
  row.container_prefix === row.before.container_prefix &&
  row.share_url === row.before.share_url &&
  row.unc === (row.before.unc ?? '');

/** Returns whether the rows show exactly these entries, without edits. */
export const showOnly = (shown: readonly ShareRow[], entries: readonly ShareEntry[]): boolean =>
  shown.length === entries.length && shown.every((row, at) => isUntouched(row) && isSame(row.before ?? undefined, entries[at]));

/**
 * Merges the edits of this person with a map that somebody else has changed from `base` to `stored`, and lists their changes. Edited rows
 * keep what was typed, and others take the stored values. A row that this person removed comes back only if the other has changed it.
 */
export function mergeRows(
  typed: readonly ShareRow[],
  base: readonly ShareEntry[],
  stored: readonly ShareEntry[],
): { rows: ShareRow[]; changes: ShareChange[] } {
  const byFolder = (entries: readonly ShareEntry[]) => new Map(entries.map((entry) => [entry.container_prefix, entry]));
  const [then, now] = [byFolder(base), byFolder(stored)];
  const isNews = (entry: ShareEntry) => !isSame(entry, then.get(entry.container_prefix));
  const changes = [
    ...base.filter((entry) => !now.has(entry.container_prefix)).map((entry): ShareChange => ({ kind: 'removed', entry })),
    ...stored.filter(isNews).map((entry): ShareChange => ({ kind: then.has(entry.container_prefix) ? 'changed' : 'added', entry })),
  ];
  const kept = typed.flatMap((row) => {
    const entry = now.get(row.before?.container_prefix ?? row.container_prefix.trim());
    if (row.before) return entry ? [rebased(row, fieldsOf(row.before), entry)] : isUntouched(row) ? [] : [{ ...row, before: null }];
    return entry && isNews(entry) ? [{ ...row, before: entry }] : [row];
  });
  const shown = new Set(kept.map(({ before }) => before?.container_prefix));
  return { rows: [...kept, ...stored.filter((entry) => isNews(entry) && !shown.has(entry.container_prefix)).map(toRow)], changes };
}
