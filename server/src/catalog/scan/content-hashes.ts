import { hashPolicyVersion } from '@catalog/scanner';
import { sql } from 'kysely';

import { fullPath, type ScanContext } from './context.ts';
import { withHeartbeat } from './progress.ts';

interface UnhashedItem {
  id: string;
  rel_path: string;
  size: number;
  mtime_ns: string;
}

/**
 * Content hashes that were put off because the file is large, or that a changed policy asks for. A file that changed meanwhile keeps its
 * old facts and no content hash: the next scan sees it as changed.
 */
export async function hashContents(scan: ScanContext): Promise<void> {
  if (!scan.hashRule.full) return;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const due = await pageUnhashed(scan, after);
    if (due.length === 0) return;
    after = due.at(-1)!.id;
    const waiting = due.map(async ({ id, rel_path, size, mtime_ns }) => {
      const [result] = await scan.hasher.hash([{ path: fullPath(scan, rel_path), size, mtimeNs: mtime_ns, content: true }]);
      if (result!.error !== undefined || result!.content === null) return;
      await sql`
        update items set quick_hash = ${result!.quick}, content_hash = ${result!.content}, policy_version = ${hashPolicyVersion(true)}
        where id = ${id} and size = ${size} and mtime_ns = ${mtime_ns}`.execute(scan.db);
      scan.counters.content_hashed += 1;
    });
    const failed = (await withHeartbeat(scan.breathe, Promise.allSettled(waiting))).find(({ status }) => status === 'rejected') as
      | PromiseRejectedResult
      | undefined;
    if (failed) throw failed.reason;
  }
}

async function pageUnhashed(scan: ScanContext, after: string): Promise<UnhashedItem[]> {
  const { scopeFolder: scope, scopeFile } = scan;
  const within =
    scopeFile !== null
      ? sql`rel_path = ${scope === '' ? scopeFile : `${scope}/${scopeFile}`}`
      : !scan.recursive
        ? sql`folder_id = (select f.id from folders f where f.library_id = ${scan.libraryId} and f.rel_path = ${scope})`
        : scope === ''
          ? sql`true`
          : sql`rel_path >= ${`${scope}/`} and rel_path < ${`${scope}0`}`;
  const { rows } = await sql<UnhashedItem>`
    select id, rel_path, size, mtime_ns::text from items
    where library_id = ${scan.libraryId} and content_hash is null and symlink_target is null and status = 'active' and hash_error is null
      and quick_hash is not null and size <= ${scan.hashRule.ceiling} and ${within} and id > ${after}
    order by id limit 16`.execute(scan.db);
  return rows;
}
