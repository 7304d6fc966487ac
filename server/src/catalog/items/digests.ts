import { type DigestAlgorithm, digestAlgorithms, digestFile } from '@catalog/scanner';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { fieldProblem, problem } from '../../platform/problem.ts';
import { openItemFile } from './open-file.ts';
import { absolutePath } from './present.ts';
import type { ItemRow } from './store.ts';

const maxConcurrentDigests = 2;
const timeoutSeconds = 900;

/** Parses a list such as "md5,sha256" and removes duplicates. */
export function parseAlgorithms(text = 'md5,sha256'): DigestAlgorithm[] {
  const names = [...new Set(text.split(',').map((name) => name.trim().toLowerCase()))];
  const wrong = names.find((name) => !digestAlgorithms.includes(name as DigestAlgorithm));
  if (wrong !== undefined)
    throw fieldProblem(['query', 'algorithms'], `"${wrong.slice(0, 40)}" is not supported. Use ${digestAlgorithms.join(', ')}.`, 'enum');
  return names as DigestAlgorithm[];
}

/** Computes digests of whole files. They are cached in the item's metadata with the ETag of the file, and reused while the ETag is the same. */
export function createDigester({ db, maxBytes }: { db: Db; maxBytes: number }) {
  const limit = createLimiter(maxConcurrentDigests);
  return async (item: ItemRow, algorithms: readonly DigestAlgorithm[], disconnected: AbortSignal) => {
    if (item.source_agent_id) throw problem('library_agent_owned');
    // Opening it refuses paths that leave the library and gives the current ETag.
    const file = await openItemFile(item.root_path, item.rel_path);
    await file.close();
    if (file.size > maxBytes)
      throw problem('file_too_large', `The file has ${file.size} bytes. Digests are computed for files of up to ${maxBytes} bytes.`);
    const cached = cachedDigests(item.metadata['digests'], file.etag);
    const missing = algorithms.filter((name) => cached[name] === undefined);
    const fresh = missing.length > 0 ? await limit(() => computeDigests(absolutePath(item), missing, maxBytes, disconnected)) : {};
    const all: Partial<Record<DigestAlgorithm, string>> = { ...cached, ...fresh };
    if (missing.length > 0) await storeDigests(db, item.id, { ...all, of: file.etag });
    return { id: item.id, digests: Object.fromEntries(algorithms.map((name) => [name, all[name] ?? ''])), computed: missing };
  };
}

function cachedDigests(value: unknown, etag: string): Partial<Record<DigestAlgorithm, string>> {
  const cached = (value ?? {}) as Partial<Record<DigestAlgorithm | 'of', string>>;
  if (cached.of !== etag) return {};
  return Object.fromEntries(digestAlgorithms.filter((name) => typeof cached[name] === 'string').map((name) => [name, cached[name]]));
}

async function computeDigests(path: string, algorithms: readonly DigestAlgorithm[], maxBytes: number, disconnected: AbortSignal) {
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
  const result = await digestFile(path, algorithms, { maxBytes, signal: AbortSignal.any([disconnected, timeout]) }).catch(
    (error: unknown) => {
      if (timeout.aborted) throw problem('took_too_long', `Computing the digests took longer than ${timeoutSeconds / 60} minutes.`);
      if (disconnected.aborted) throw problem('bad_request', 'The client disconnected.');
      throw error;
    },
  );
  if (!('refused' in result)) return result.digests;
  switch (result.refused) {
    case 'too_large':
      throw problem('file_too_large');
    case 'changed':
      throw problem('conflict', 'The file changed while it was read. Try again.');
    case 'EACCES':
    case 'EPERM':
      throw problem('path_unreadable', 'The service has no permission to read this file. Allow its user account to read it.');
    default:
      throw problem('file_gone');
  }
}

async function storeDigests(db: Db, id: string, digests: Record<string, string>): Promise<void> {
  await sql`update items set metadata = jsonb_set(metadata, '{digests}', ${JSON.stringify(digests)}::jsonb) where id = ${id}`.execute(db);
}

/** Runs at most this many tasks at once; others wait in order. */
function createLimiter(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let working = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (working >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else working += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The slot passes to the next task, so the count stays the same.
      if (next) next();
      else working -= 1;
    }
  };
}
