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

/** The row over another stored entry: a field that is as it was in `from` follows, and one that was typed since stays. */
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

/** Whether the rows show exactly these entries. */
export const showOnly = (shown: readonly ShareRow[], entries: readonly ShareEntry[]): boolean =>
  shown.length === entries.length && shown.every((row, at) => isUntouched(row) && isSame(row.before ?? undefined, entries[at]));

/**
 * The rows after somebody else has changed the map from `base` to `stored`, and what they changed. What was typed stays. A row that was not
 * touched follows, and one that was removed here returns only if it was changed there.
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
