import { problem, fieldProblem } from '../../platform/problem.ts';
import { digestFile, type DigestAlgorithm, digestAlgorithms } from '@catalog/scanner';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

import { openItemFile } from './open-file.ts';
import { absolutePath } from './present.ts';
import type { ItemRow } from './store.ts';

const maxConcurrentDigests = 2;
const timeoutSeconds = 900;

/** "md5,sha256" as a list; each name once. */
export function parseAlgorithms(text = 'md5,sha256'): DigestAlgorithm[] {
  const names = [...new Set(text.split(',').map((name) => name.trim().toLowerCase()))];
  const wrong = names.find((name) => !digestAlgorithms.includes(name as DigestAlgorithm));
  if (wrong !== undefined)
    throw fieldProblem(['query', 'algorithms'], `"${wrong.slice(0, 40)}" is not one of ${digestAlgorithms.join(', ')}.`, 'enum');
  return names as DigestAlgorithm[];
}

/**
 * Digests of the whole file. Those computed before are kept in the item's metadata together with what the file looked like, and hold only
 * while it still looks so.
 */
export function createDigester({ db, maxBytes }: { db: Db; maxBytes: number }) {
  const takeTurn = createLimiter(maxConcurrentDigests);
  return async (item: ItemRow, algorithms: readonly DigestAlgorithm[], gone: AbortSignal) => {
    if (item.source_agent_id) throw problem('library_agent_owned');
    // Opened as for a download first: a path that leads elsewhere is refused, and the tag tells the file's present state.
    const file = await openItemFile(item.root_path, item.rel_path);
    await file.close();
    if (file.size > maxBytes) throw problem('file_too_large', `The file has ${file.size} bytes; digests are computed up to ${maxBytes}.`);
    const kept = cachedDigests(item.metadata['digests'], file.etag);
    const missing = algorithms.filter((name) => kept[name] === undefined);
    const fresh = missing.length > 0 ? await takeTurn(() => computeDigests(absolutePath(item), missing, maxBytes, gone)) : {};
    const all = { ...kept, ...fresh };
    if (missing.length > 0) await storeDigests(db, item.id, { ...all, of: file.etag });
    return { id: item.id, digests: Object.fromEntries(algorithms.map((name) => [name, all[name]!])), computed: missing };
  };
}

function cachedDigests(value: unknown, etag: string): Partial<Record<DigestAlgorithm, string>> {
  const kept = (value ?? {}) as Partial<Record<DigestAlgorithm | 'of', string>>;
  if (kept.of !== etag) return {};
  return Object.fromEntries(digestAlgorithms.filter((name) => typeof kept[name] === 'string').map((name) => [name, kept[name]]));
}

async function computeDigests(path: string, algorithms: readonly DigestAlgorithm[], maxBytes: number, gone: AbortSignal) {
  const late = AbortSignal.timeout(timeoutSeconds * 1000);
  const answer = await digestFile(path, algorithms, { maxBytes, signal: AbortSignal.any([gone, late]) }).catch((error: unknown) => {
    if (late.aborted) throw problem('took_too_long', `The digests took longer than ${timeoutSeconds / 60} minutes.`);
    if (gone.aborted) throw problem('bad_request', 'The caller went away.');
    throw error;
  });
  if (!('refused' in answer)) return answer.digests;
  switch (answer.refused) {
    case 'too_large':
      throw problem('file_too_large');
    case 'changed':
      throw problem('conflict', 'The file changed while it was read. Try again.');
    case 'EACCES':
    case 'EPERM':
      throw problem('path_unreadable', 'The service may not read this file.');
    default:
      throw problem('file_gone');
  }
}

async function storeDigests(db: Db, id: string, digests: Record<string, string>): Promise<void> {
  await sql`update items set metadata = jsonb_set(metadata, '{digests}', ${JSON.stringify(digests)}::jsonb) where id = ${id}`.execute(db);
}

/** Lets so many work at once; the others wait in line. */
function createLimiter(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let working = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (working >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else working += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The place is handed on, not given back.
      if (next) next();
      else working -= 1;
    }
  };
}
