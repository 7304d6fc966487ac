import path from 'node:path';
import { defaultLimits, type SandboxPool, type SniffResult } from '@catalog/readers';
import { sql } from 'kysely';
import { classify, loadTaxonomy } from '../../catalog/taxonomy/index.ts';
import { type Db, one } from '../../platform/database/index.ts';

interface Candidate {
  id: string;
  library_id: string;
  root_path: string;
  rel_path: string;
  filename: string;
  size: number;
}

/**
 * Detects the type of up to `batch` files that have no extension and were not examined before, and classifies them by it. Examined files are
 * marked, so the function can be repeated. Returns how many files were examined, recognised and remain.
 */
export async function sniffContent(
  db: Db,
  pool: SandboxPool,
  options: {
    batch: number;
    readBytes: number;
    signal?: AbortSignal;
    /** Called per library with the recognised items, so that they are extracted like other files of their type. */
    recognised?(libraryId: string, ids: readonly string[]): Promise<unknown>;
  },
): Promise<{ sniffed: number; recognised: number; remaining: number }> {
  const waiting = sql`i.extension is null and i.status = 'active' and i.symlink_target is null and i.size > 0 and not i.metadata ? 'sniffed'
    and not exists (select from all_libraries a where a.id = i.library_id and a.source_agent_id is not null)`;
  const { rows } =
    await sql<Candidate>`select i.id, i.library_id, l.root_path, i.rel_path, i.filename, i.size from items i join libraries l on l.id = i.library_id where ${waiting} order by i.id limit ${options.batch}`.execute(
      db,
    );
  const { map } = await loadTaxonomy(db);
  const recognised: Candidate[] = [];
  for (const item of rows) {
    options.signal?.throwIfAborted();
    const job = {
      path: path.join(item.root_path, item.rel_path),
      root: item.root_path,
      filename: item.filename,
      extension: '',
      size: item.size,
      limits: { ...defaultLimits, timeoutSeconds: 30 },
    };
    const outcome = await pool.run<SniffResult>('sniff', job, { readBytes: options.readBytes }, options.signal);
    if (!outcome.ok && outcome.stopped) break;
    const found: SniffResult = outcome.ok ? outcome.result : { extension: null, mime: null };
    const kind = found.extension ? classify(`x.${found.extension}`, map) : null;
    await sql`update items set metadata = metadata || jsonb_build_object('sniffed', ${JSON.stringify(found)}::jsonb), file_category = coalesce(${kind?.category ?? null}, file_category), file_group = coalesce(${kind?.group ?? null}, file_group) where id = ${item.id}`.execute(
      db,
    );
    if (kind && kind.category !== 'other') recognised.push(item);
  }
  for (const [libraryId, items] of Map.groupBy(recognised, (item) => item.library_id))
    await options.recognised?.(
      libraryId,
      items.map(({ id }) => id),
    );
  const left = await sql<{ remaining: number }>`select count(*) as remaining from items i where ${waiting}`.execute(db);
  return { sniffed: rows.length, recognised: recognised.length, remaining: one(left.rows).remaining };
}

/** The extension that decides how a file is read: its own, or the one detected from its bytes. */
export function effectiveExtension(item: { extension: string | null; metadata: Record<string, unknown> }): string {
  return item.extension ?? (item.metadata['sniffed'] as SniffResult | undefined)?.extension ?? '';
}
