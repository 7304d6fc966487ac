import { sql } from 'kysely';
import type { ScanContext } from './context.ts';
import type { ScanGuard } from './present.ts';
import { hasNoOverlay } from './untouched.ts';

/** Why a run ended as failed, in words for people and a code for programs. `details` go to the run's stats. */
export class ScanFailure extends Error {
  readonly code: string;
  readonly details: Record<string, unknown>;
  constructor(code: string, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

const minGuardedItems = 100;
const sampleSize = 25;
const foldersShown = 20;

/** A full scan that meets nothing where there was something fails: an unmounted disk looks exactly like that. */
export async function guardEmpty(scan: ScanContext): Promise<void> {
  if (!scan.isFull || scan.forceEmpty || !scan.parts.options.emptyGuard || scan.counters.seen > 0) return;
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from items where library_id = ${scan.libraryId} and status = 'active'`.execute(scan.db);
  const populated = rows[0]!.n;
  if (populated === 0) return;
  throw new ScanFailure(
    'empty_scan',
    `The scan found no files, but the library holds ${populated}. Nothing was changed. Check that the disk is mounted; if the library is truly empty, scan again with force_empty=true.`,
    { guard: { kind: 'empty', would_vanish: populated, of: populated, ...(await describeLoss(scan, false)) } },
  );
}

/** A full scan that would tombstone most of a library fails too: a half-empty mount looks like that. */
export async function guardVanish(scan: ScanContext, vanished: number): Promise<void> {
  const limit = scan.parts.options.vanishGuardPct;
  if (!scan.isFull || scan.forceEmpty || limit === 0 || vanished === 0) return;
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from items where library_id = ${scan.libraryId} and status = 'active'`.execute(scan.db);
  const before = rows[0]!.n - scan.counters.new - scan.counters.returned;
  if (before < minGuardedItems || vanished * 100 <= before * limit) return;
  throw new ScanFailure(
    'vanish_guard',
    `${vanished} of ${before} files are not there any more, more than the ${limit} percent that may vanish at once. Nothing was marked missing. Check that the disk is whole; if the files are truly gone, scan again with force_empty=true.`,
    { guard: { kind: 'vanish', would_vanish: vanished, of: before, limit_pct: limit, ...(await describeLoss(scan, true)) } },
  );
}

/** What would vanish: the folders that lose most, the first paths, and how many carry something a person said. */
async function describeLoss(scan: ScanContext, ofGone: boolean): Promise<Pick<ScanGuard, 'folders' | 'sample' | 'annotated'>> {
  const lost = sql`
    from items i ${ofGone ? sql`join scan_missing g on g.item_id = i.id and g.run_id = ${scan.runId} and not g.excluded` : sql``}
    where i.library_id = ${scan.libraryId} and i.status = 'active'`;
  const folders = await sql<{ rel_path: string; count: number }>`
    select f.rel_path, c.count from (select i.folder_id, count(*) as count ${lost} group by i.folder_id) c join folders f on f.id = c.folder_id
    order by c.count desc, f.rel_path limit ${foldersShown}`.execute(scan.db);
  const sample = await sql<{ rel_path: string }>`select i.rel_path ${lost} order by i.rel_path limit ${sampleSize}`.execute(scan.db);
  const annotated = await sql<{ n: number }>`select count(*) as n ${lost} and not (${hasNoOverlay('i')})`.execute(scan.db);
  return { folders: folders.rows, sample: sample.rows.map(({ rel_path }) => rel_path), annotated: annotated.rows[0]!.n };
}
