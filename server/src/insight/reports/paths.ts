import { findShare, joinToPrefix, type ShareMapEntry } from '../../catalog/libraries/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { ReportColumn } from './contract.ts';

/** The four forms of a path that every row about a file carries. */
export const pathColumns: readonly ReportColumn[] = [
  { key: 'path', label: 'Full path', type: 'text', sortBy: [{ key: 'rel_path', type: 'text' }] },
  { key: 'native_path', label: 'Native path', type: 'text', nullable: true, sortBy: [{ key: 'rel_path', type: 'text' }] },
  { key: 'share_url', label: 'Share address', type: 'text', nullable: true, sortBy: [{ key: 'rel_path', type: 'text' }] },
  { key: 'share_unc', label: 'UNC path', type: 'text', nullable: true, sortBy: [{ key: 'rel_path', type: 'text' }] },
];

export type PathForms = [path: string, native: string | null, url: string | null, unc: string | null];
export type FormPaths = (libraryId: string, relPath: string) => PathForms;

interface Prefixes {
  root: string;
  native: string | null;
  url: string | null;
  unc: string | null;
}

/** Reads the prefixes of all libraries once, so that forming the paths of a row costs no query. */
export async function createPathForms(db: Db, shareMap: readonly ShareMapEntry[]): Promise<FormPaths> {
  const rows = await db.selectFrom('libraries').select(['id', 'root_path', 'native_prefix', 'share_prefix']).execute();
  const prefixes = new Map<string, Prefixes>(
    rows.map((row) => {
      const { prefix: url, unc } = findShare(row, shareMap);
      return [row.id, { root: row.root_path, native: row.native_prefix, url, unc }];
    }),
  );
  const join = (prefix: string | null, relPath: string): string | null => (prefix === null ? null : joinToPrefix(prefix, relPath));
  return (libraryId, relPath) => {
    const prefix = prefixes.get(libraryId);
    // The library was deleted after its rows were read.
    if (!prefix) return [relPath, null, null, null];
    const { root, native, url, unc } = prefix;
    return [joinToPrefix(root, relPath), join(native, relPath), join(url, relPath), join(unc, relPath)];
  };
}
