import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { notFound, Problem, problem } from '../../platform/problem.ts';
import { type ItemRow, openItemFile, selectItems } from '../items/index.ts';
import { createNames } from './names.ts';
import { type ZipSource, zipStream } from './zip-stream.ts';

export const maxFiles = 5_000;

export interface LeftOut {
  filename: string;
  reason: string;
}

export interface ArchivePlan {
  items: ItemRow[];
  /** Size in the catalog; a file that has changed since has another one. */
  bytes: number;
  leftOut: LeftOut[];
}

/**
 * The files that the caller may download, in the given order. Items the caller cannot see are left out without a word, as everywhere.
 * Throws when nothing is left.
 */
export async function planArchive(db: Db, visibility: Visibility, ids: readonly string[]): Promise<ArchivePlan> {
  const unique = [...new Set(ids)];
  const rows = await selectItems(db, sql`where i.id = any(${unique}::uuid[])`, { metadata: false });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const items: ItemRow[] = [];
  const leftOut: LeftOut[] = [];
  for (const id of unique) {
    const item = byId.get(id);
    if (!item || !visibility.allows(item.library_id, item.rel_path, 'search_metadata')) continue;
    const reason = obstacle(item, visibility);
    if (reason === null) items.push(item);
    else leftOut.push({ filename: item.filename, reason });
  }
  if (items.length === 0 && leftOut.length === 0) throw notFound('item');
  if (items.length === 0 && leftOut.every(({ reason }) => reason === denied)) throw problem('action_denied');
  return { items, bytes: items.reduce((sum, { size }) => sum + size, 0), leftOut };
}

const denied = 'You may not download this file.';

function obstacle(item: ItemRow, visibility: Visibility): string | null {
  if (!visibility.allows(item.library_id, item.rel_path, 'download')) return denied;
  if (item.source_agent_id) return 'The file is on another computer.';
  return null;
}

/** The archive. A file that cannot be read is named in a text file at the end, so that the archive itself stays valid. */
export function archiveBytes({ items, leftOut }: ArchivePlan): AsyncGenerator<Buffer> {
  return zipStream(sources(items, [...leftOut]));
}

async function* sources(items: readonly ItemRow[], leftOut: LeftOut[]): AsyncGenerator<ZipSource> {
  const nameOf = createNames();
  for (const { filename, root_path, rel_path } of items) {
    try {
      const file = await openItemFile(root_path, rel_path);
      const bytes = file.size === 0 ? Readable.from([]) : untilShortened(file.read(0, file.size - 1), filename, leftOut);
      try {
        yield { name: nameOf(filename), modified: file.modified, size: file.size, bytes };
      } finally {
        // A download that is cancelled here has not started to read, so nothing else would close the file.
        await file.close();
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      leftOut.push({ filename, reason: error.message });
    }
  }
  if (leftOut.length === 0) return;
  const text = Buffer.from(`${leftOut.map(({ filename, reason }) => `${filename.toWellFormed()}: ${reason}`).join('\n')}\n`);
  yield { name: nameOf('Not included.txt'), modified: new Date(), size: text.length, bytes: once(text) };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** What could be read of a file that fails or becomes shorter stays in the archive, and the text file says so. */
async function* untilShortened(bytes: AsyncGenerator<Buffer>, filename: string, leftOut: LeftOut[]): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    leftOut.push({ filename, reason: `Incomplete. ${(error as Error).message}` });
  }
}
