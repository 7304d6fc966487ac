import { hashPolicyVersion } from '@catalog/scanner';
import { type RawBuilder, sql } from 'kysely';
import { isBelow } from '../paths/index.ts';
import { type DiskScope, fullPath, type ScanContext } from './context.ts';
import { withHeartbeat } from './heartbeat.ts';

interface UnhashedItem {
  id: string;
  rel_path: string;
  size: number;
  mtime_ns: string;
}

/**
 * Computes the content hashes of large files, and those a changed policy requires. A file that changes meanwhile gets none; the next scan
 * sees it as changed. One that cannot be read to its end is stored with the error and tried again by later scans.
 */
export async function hashContents(scan: ScanContext): Promise<void> {
  if (!scan.hashRule.full) return;
  for (const scope of scan.scopes) await hashScope(scan, scope);
}

async function hashScope(scan: ScanContext, scope: DiskScope): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = await pageUnhashed(scan, scope, after);
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
    const hashing = page.map(async ({ id, rel_path, size, mtime_ns }) => {
      const [result] = await scan.hasher.hash([{ path: fullPath(scan, rel_path), size, mtimeNs: mtime_ns, content: true }]);
      if (!result) return;
      if (result.error !== undefined) return storeError(scan, { id, size, mtime_ns }, result.error);
      if (result.content === null) return;
      await sql`
        update items set quick_hash = ${result.quick}, content_hash = ${result.content}, policy_version = ${hashPolicyVersion(true)}, hash_error = null
        where id = ${id} and size = ${size} and mtime_ns = ${mtime_ns}`.execute(scan.db);
      scan.counters.content_hashed += 1;
    });
    const failed = (await withHeartbeat(scan.heartbeat, Promise.allSettled(hashing))).find(({ status }) => status === 'rejected') as
      | PromiseRejectedResult
      | undefined;
    if (failed) throw failed.reason;
  }
}

/** A condition on items `i` of the library: a scan of this scope has looked for their files. */
export function isInScope(libraryId: string, { folder, file, depth }: DiskScope): RawBuilder<boolean> {
  if (depth === 'tree' && file === null) return folder === '' ? sql<boolean>`true` : isBelow('i', folder, libraryId);
  const here = sql<boolean>`i.folder_id = (select f.id from folders f where f.library_id = ${libraryId} and f.rel_path = ${folder})`;
  return file === null ? here : sql<boolean>`${here} and i.filename = ${file}`;
}

/** A file that has changed or is gone is left to the next scan. */
async function storeError(scan: ScanContext, { id, size, mtime_ns }: Omit<UnhashedItem, 'rel_path'>, code: string): Promise<void> {
  if (code === 'changed' || code === 'ENOENT') return;
  scan.counters.hash_errors += 1;
  await sql`update items set hash_error = ${code} where id = ${id} and size = ${size} and mtime_ns = ${mtime_ns} and hash_error is distinct from ${code}`.execute(
    scan.db,
  );
}

/** A watch scans a folder whenever something in it changes, and a large file would be read up to its bad sector each time. */
const mayBeTried = ({ depth }: DiskScope): RawBuilder<boolean> =>
  depth === 'changes' ? sql<boolean>`i.hash_error is null` : sql<boolean>`true`;

async function pageUnhashed(scan: ScanContext, scope: DiskScope, after: string): Promise<UnhashedItem[]> {
  const { rows } = await sql<UnhashedItem>`
    select id, rel_path, size, mtime_ns::text from items i
    where library_id = ${scan.libraryId} and content_hash is null and symlink_target is null and status = 'active' and ${mayBeTried(scope)}
      and quick_hash is not null and size <= ${scan.hashRule.ceiling} and ${isInScope(scan.libraryId, scope)} and id > ${after}
    order by id limit 16`.execute(scan.db);
  return rows;
}
