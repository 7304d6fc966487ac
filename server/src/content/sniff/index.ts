import { defaultLimits, type SandboxPool, type SniffResult } from '@catalog/readers';
import { sql } from 'kysely';
import { openItemFile } from '../../catalog/items/index.ts';
import { classify, loadTaxonomy } from '../../catalog/taxonomy/index.ts';
import { type Db, one } from '../../platform/database/index.ts';
import { Problem } from '../../platform/problem.ts';

interface Candidate {
  id: string;
  library_id: string;
  root_path: string;
  rel_path: string;
  filename: string;
  size: number;
}

interface SniffOptions {
  batch: number;
  readBytes: number;
  signal?: AbortSignal;
  /** The path by which the sandbox reaches a file. */
  reach(root: string, relPath: string): { path: string; release(): void };
  /** Called per library with the recognised items, so that they are extracted like other files of their type. */
  recognised?(libraryId: string, ids: readonly string[]): Promise<unknown>;
}

/**
 * Detects the type of up to `batch` files that have no extension and were not examined before, and classifies them by it. Examined files are
 * marked, so the function can be repeated; those that cannot be read now are left for later. Returns how many files were examined, recognised and remain.
 */
export async function sniffContent(
  db: Db,
  pool: SandboxPool,
  options: SniffOptions,
): Promise<{ sniffed: number; recognised: number; remaining: number }> {
  const waiting = sql`i.extension is null and i.status = 'active' and i.symlink_target is null and i.size > 0 and not i.metadata ? 'sniffed'
    and not exists (select from all_libraries a where a.id = i.library_id and a.source_agent_id is not null)`;
  const recognised: Candidate[] = [];
  let sniffed = 0;
  try {
    for (let after = '00000000-0000-0000-0000-000000000000', stopped = false; sniffed < options.batch && !stopped; ) {
      const { rows } = await sql<Candidate>`select i.id, i.library_id, l.root_path, i.rel_path, i.filename, i.size
        from items i join libraries l on l.id = i.library_id
        where ${waiting} and i.id > ${after} order by i.id limit ${options.batch - sniffed}`.execute(db);
      const last = rows.at(-1);
      if (!last) break;
      after = last.id;
      for (const item of rows) {
        options.signal?.throwIfAborted();
        const found = await examine(db, pool, item, options);
        if (found === 'unreadable') continue;
        stopped = found === 'stopped';
        if (found === 'stopped') break;
        sniffed += 1;
        if (found.category !== null && found.category !== 'other') recognised.push(item);
      }
    }
  } finally {
    // Later runs pass over them, also when this one ends early.
    for (const [libraryId, items] of Map.groupBy(recognised, (item) => item.library_id))
      await options.recognised?.(
        libraryId,
        items.map(({ id }) => id),
      );
  }
  const left = await sql<{ remaining: number }>`select count(*) as remaining from items i where ${waiting}`.execute(db);
  return { sniffed, recognised: recognised.length, remaining: one(left.rows).remaining };
}

/** Most files that cannot be read are on a disk that is away, so they are not passed to the sandbox one by one. */
async function examine(db: Db, pool: SandboxPool, item: Candidate, options: SniffOptions): ReturnType<typeof detectItemType> {
  try {
    await (await openItemFile(item.root_path, item.rel_path)).close();
  } catch (error) {
    if (error instanceof Problem) return 'unreadable';
    throw error;
  }
  const { path, release } = options.reach(item.root_path, item.rel_path);
  try {
    return await detectItemType(db, pool, { ...item, path }, options);
  } finally {
    release();
  }
}

/**
 * Detects the type of one file without an extension, and stores it with the category that follows from it. Nothing is stored about a
 * file that could not be read.
 */
export async function detectItemType(
  db: Db,
  pool: SandboxPool,
  item: { id: string; path: string; root_path: string; filename: string; size: number },
  { readBytes, signal }: { readBytes: number; signal?: AbortSignal },
): Promise<{ sniffed: SniffResult; category: string | null } | 'stopped' | 'unreadable'> {
  const { path: file, root_path: root, filename, size } = item;
  const job = { path: file, root, filename, extension: '', size, limits: { ...defaultLimits, timeoutSeconds: 30 } };
  const outcome = await pool.run<SniffResult>('sniff', job, { readBytes }, signal);
  if (!outcome.ok && outcome.stopped) return 'stopped';
  if (!outcome.ok && (outcome.unreadable || outcome.kind === 'dependency')) return 'unreadable';
  const sniffed: SniffResult = outcome.ok ? outcome.result : { extension: null, mime: null };
  const kind = sniffed.extension ? classify(`x.${sniffed.extension}`, (await loadTaxonomy(db)).map) : null;
  await sql`update items set metadata = metadata || jsonb_build_object('sniffed', ${JSON.stringify(sniffed)}::jsonb), file_category = coalesce(${kind?.category ?? null}, file_category), file_group = coalesce(${kind?.group ?? null}, file_group) where id = ${item.id} and extension is null`.execute(
    db,
  );
  return { sniffed, category: kind?.category ?? null };
}

/** Files of a library whose types were never detected, by id. */
export async function filesToDetect(db: Db, libraryId: string, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from items where library_id = ${libraryId} and id > ${after} and extension is null
    and status = 'active' and symlink_target is null and size > 0 and not metadata ? 'sniffed' order by id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The extension that decides how a file is read: its own, or the one detected from its bytes. */
export function effectiveExtension(item: { extension: string | null; metadata: Record<string, unknown> }): string {
  return item.extension ?? (item.metadata['sniffed'] as SniffResult | undefined)?.extension ?? '';
}

/** The extension that decides how a file is drawn: that of its bytes if they contradict its name. */
export function shownExtension(item: { extension: string | null; metadata: Record<string, unknown> }): string {
  const readAs = item.metadata['read_as'];
  return typeof readAs === 'string' ? readAs : effectiveExtension(item);
}
