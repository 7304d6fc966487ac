/**
 * Compares the index with what the service knows, folder by folder from the root downwards, and lists files only where digests differ. It
 * runs while nothing is scanned and the outbox is empty; a change that is applied meanwhile ends it, and the next attempt starts again.
 */
import { addToDigest, bucketOf, type Digest, digestText, emptyDigest, mergeDigest, reconcileLimits } from '@catalog/protocol';
import { type Client, ServiceProblem } from './client.ts';
import { readAgain } from './reading.ts';
import type { FileRow, Store } from './store.ts';

interface Folder {
  own: Digest;
  tree: Digest;
  files: number;
  children: Set<string>;
}

export interface ReconcileResult {
  root: string;
  status: 'match' | 'reconciled' | 'postponed' | 'unknown';
  upserted: number;
  tombstoned: number;
  /** Bytes of the requests, which a full list would exceed by far. */
  sent_bytes: number;
}

const sentFolders = 200;
const filesPerBucket = 64;
const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const relPathOf = ({ dir, name }: Pick<FileRow, 'dir' | 'name'>): string => (dir === '' ? name : `${dir}/${name}`);

export async function reconcileRoot(store: Store, client: Client, root: string, signal?: AbortSignal): Promise<ReconcileResult> {
  let bytes = 0;
  const post = async (path: string, body: object): Promise<unknown> => {
    signal?.throwIfAborted();
    bytes += Buffer.byteLength(JSON.stringify(body));
    return (await client.send('POST', `/reconcile/${path}`, { body, timeoutSeconds: 300, ...(signal ? { signal } : {}) })).body;
  };
  const result = (status: ReconcileResult['status'], counts = { upserted: 0, tombstoned: 0 }): ReconcileResult => ({
    root,
    status,
    upserted: counts.upserted,
    tombstoned: counts.tombstoned,
    sent_bytes: bytes,
  });
  const listed = store.get<{ listed: number }>('select listed from roots where path = ?', root)?.listed === 1;
  if (!listed || store.pending() > 0) return result('postponed');
  const folders = readFolders(store, root);
  const top = folders.get('') ?? newFolder();
  const total = store.get<{ n: number }>('select count(*) as n from files where root = ?', root)?.n ?? 0;
  const seq = store.get<{ seq: number }>("select seq from sqlite_sequence where name = 'outbox'")?.seq ?? 0;
  try {
    const body = { library_ref: root, digest: digestText(top.tree), row_count: total, seq_no: seq };
    const started = (await post('start', body)) as { status: string; session_id?: string };
    if (started.status === 'match') return result('match');
    const session = String(started.session_id);
    await descend(store, root, folders, (step, given) => post(`${session}/${step}`, given));
    return result('reconciled', (await post(`${session}/finish`, {})) as { upserted: number; tombstoned: number });
  } catch (error) {
    if (error instanceof ServiceProblem && error.status === 409) return result('postponed');
    if (error instanceof ServiceProblem && error.status === 404) return result('unknown');
    throw error;
  }
}

const newFolder = (): Folder => ({ own: emptyDigest(), tree: emptyDigest(), files: 0, children: new Set() });

/** All folders with their digests; the memory follows the number of folders, not of files. */
function readFolders(store: Store, root: string): Map<string, Folder> {
  const folders = new Map<string, Folder>();
  const open = (path: string): Folder => {
    const known = folders.get(path);
    if (known) return known;
    const added = newFolder();
    folders.set(path, added);
    if (path !== '') open(parentOf(path)).children.add(nameOf(path));
    return added;
  };
  open('');
  for (const row of store.each<FileRow>(`select ${store.columns} from files where root = ?`, root)) {
    const folder = open(row.dir);
    folder.files += 1;
    addToDigest(folder.own, row, relPathOf(row));
  }
  for (const [path, { own }] of folders)
    for (let at = path; ; at = parentOf(at)) {
      mergeDigest(open(at).tree, own);
      if (at === '') break;
    }
  return folders;
}

type Post = (step: string, body: object) => Promise<unknown>;

async function descend(store: Store, root: string, folders: ReadonlyMap<string, Folder>, post: Post): Promise<void> {
  let frontier = [''];
  while (frontier.length > 0) {
    const next: string[] = [];
    for (const part of portions(frontier, folders)) {
      const compared = part.map((path) => {
        const folder = folders.get(path) ?? newFolder();
        const children = [...folder.children].map((name) => {
          const child = folders.get(path === '' ? name : `${path}/${name}`) ?? newFolder();
          return [name, digestText(child.tree)];
        });
        return { path, digest: digestText(folder.own), children };
      });
      const { list, enter } = (await post('folders', { folders: compared })) as { list: string[]; enter: string[] };
      next.push(...enter);
      await listFolders(store, root, folders, list, post);
    }
    frontier = next;
  }
}

/** Parts of a level that one request can carry. */
function* portions(paths: readonly string[], folders: ReadonlyMap<string, Folder>): Generator<string[]> {
  let part: string[] = [];
  let children = 0;
  for (const path of paths) {
    const count = folders.get(path)?.children.size ?? 0;
    if (part.length > 0 && (part.length >= sentFolders || children + count > reconcileLimits.children)) {
      yield part;
      part = [];
      children = 0;
    }
    part.push(path);
    children += count;
  }
  if (part.length > 0) yield part;
}

async function listFolders(store: Store, root: string, folders: ReadonlyMap<string, Folder>, paths: readonly string[], post: Post) {
  let waiting: object[] = [];
  let files = 0;
  const flush = async (): Promise<void> => {
    if (waiting.length > 0) await post('rows', { folders: waiting });
    waiting = [];
    files = 0;
  };
  for (const path of paths) {
    const size = folders.get(path)?.files ?? 0;
    if (size > 2 * filesPerBucket) {
      await listBuckets(store, root, path, size, post);
      continue;
    }
    if (waiting.length >= sentFolders || files + size > reconcileLimits.files) await flush();
    waiting.push({ path, files: listed(store, root, path, filesOf(store, root, path)) });
    files += size;
  }
  await flush();
}

async function listBuckets(store: Store, root: string, path: string, size: number, post: Post): Promise<void> {
  const count = Math.min(reconcileLimits.buckets, 2 ** Math.ceil(Math.log2(size / filesPerBucket)));
  const buckets = Array.from({ length: count }, () => ({ digest: emptyDigest(), rows: [] as FileRow[] }));
  for (const row of filesOf(store, root, path)) {
    const bucket = buckets[bucketOf(row.name, count)];
    if (!bucket) continue;
    addToDigest(bucket.digest, row, relPathOf(row));
    bucket.rows.push(row);
  }
  const digests = buckets.map(({ digest }) => digestText(digest));
  const { differing } = (await post('buckets', { path, digests })) as { differing: number[] };
  for (const which of differing)
    await post('rows', {
      folders: [{ path, buckets: { count, which: [which] }, files: listed(store, root, path, buckets[which]?.rows ?? []) }],
    });
}

function filesOf(store: Store, root: string, path: string): FileRow[] {
  return store.all<FileRow>(`select ${store.columns} from files where root = ? and dir = ?`, root, path);
}

/** Files as they are sent. What was read from them is sent again, because the service may not have it. */
function listed(store: Store, root: string, path: string, rows: readonly FileRow[]): object[] {
  readAgain(
    store,
    root,
    path,
    rows.map(({ name }) => name),
  );
  return rows.map(({ dir: _dir, acl, ...facts }) => (acl === null ? facts : { ...facts, acl: store.acl(acl) }));
}
