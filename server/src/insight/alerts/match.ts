import { createHash } from 'node:crypto';
import { compileIgnore } from '@catalog/scanner';
import type { RuleRow } from './tables.ts';

export const fileEventTypes = ['created', 'modified', 'deleted', 'moved'] as const;
export type FileEventType = (typeof fileEventTypes)[number];

/** One row of the change log with the facts that rules look at. */
export interface ChangeRow {
  item_id: string;
  library_id: string;
  kind: 'added' | 'changed' | 'gone' | 'returned' | 'moved';
  rel_path: string;
  from_rel_path: string | null;
  old_content_hash: string | null;
  content_hash: string | null;
}

const typeOfKind: Record<ChangeRow['kind'], FileEventType> = {
  added: 'created',
  returned: 'created',
  changed: 'modified',
  gone: 'deleted',
  moved: 'moved',
};

export type MatchableRule = Pick<RuleRow, 'event_types' | 'library_id' | 'path_glob' | 'hash_change_only'>;

/** Compiles a rule once. The result tells the event type of a change that matches, or null. */
export function compileFileRule(rule: MatchableRule): (change: ChangeRow) => FileEventType | null {
  const types = new Set(rule.event_types);
  const glob = rule.path_glob ? compileIgnore([{ origin: { kind: 'exclude_globs' }, lines: [rule.path_glob] }]) : null;
  const covers = (path: string): boolean => glob === null || (glob.decideFromTop(path, false)?.excluded ?? false);
  return (change) => {
    const type = typeOfKind[change.kind];
    if (!types.has(type)) return null;
    if (rule.library_id !== null && rule.library_id !== change.library_id) return null;
    if (type === 'modified' && rule.hash_change_only && !hashDiffers(change)) return null;
    const fits = covers(change.rel_path) || (change.kind === 'moved' && change.from_rel_path !== null && covers(change.from_rel_path));
    return fits ? type : null;
  };
}

/** Both content hashes are known and differ. */
const hashDiffers = ({ old_content_hash, content_hash }: ChangeRow): boolean =>
  old_content_hash !== null && content_hash !== null && old_content_hash !== content_hash;

export const groupExtras = ['folder', 'extension', 'file'] as const;

/** What the extra grouping distinguishes, such as "folder 2024". Empty when there is none. */
export function subjectOf(groupBy: readonly string[], relPath: string): string {
  const name = relPath.slice(relPath.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const values: Record<string, string> = {
    folder: relPath.includes('/') ? relPath.slice(0, relPath.indexOf('/')) : '',
    extension: dot > 0 ? name.slice(dot + 1).toLowerCase() : '',
    file: relPath,
  };
  return groupExtras
    .filter((extra) => groupBy.includes(extra))
    .map((extra) => `${extra} ${values[extra]}`)
    .join(', ');
}

export function dedupKey(parts: {
  rule: string;
  eventType: string;
  library: string | null;
  subject: string;
  windowStart: Date | null;
}): string {
  return createHash('sha256')
    .update(JSON.stringify([parts.eventType, parts.library, parts.rule, parts.windowStart?.toISOString() ?? null, parts.subject]))
    .digest('hex');
}

const hourMs = 3_600_000;

/** The digest window (UTC) that contains a time. */
export function digestWindow(window: RuleRow['digest_window'], at: Date): { start: Date; end: Date } | null {
  if (window === null) return null;
  const length = window === 'hourly' ? hourMs : 24 * hourMs;
  const start = Math.floor(at.getTime() / length) * length;
  return { start: new Date(start), end: new Date(start + length) };
}
