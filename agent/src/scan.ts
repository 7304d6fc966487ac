/**
 * One scan of a root: unchanged folders cost one comparison; new and changed files are hashed. The first scan reports files as it finds
 * them. Later scans hold back new and vanished files until the end, so that a file which moved is reported as moved. A kill at any point
 * leaves the index as it was before the folder or the end of the scan, and the next scan finds the same changes again.
 */
import { existsSync, readlinkSync } from 'node:fs';
import {
  compileIgnore,
  diskPath,
  entryFactsAt,
  entryKindAt,
  entryKinds,
  type Hasher,
  hashPolicyVersion,
  hashRule,
  hasStableIds,
  isOnNetwork,
  libraryPatterns,
  needsContentHash,
  pathBytes,
  pathText,
  readRootIdentity,
  rootChange,
  type WalkBatch,
  walkInThread,
} from '@catalog/scanner';
import { resolveMoves } from './moves.ts';
import type { Policy } from './policy.ts';
import { entryOf, type FileRow, type Store } from './store.ts';

export interface ScanResult {
  folders: number;
  files: number;
  created: number;
  modified: number;
  moved: number;
  deleted: number;
  unreadable: number;
}

/** The scan ended without reporting deletions; the reason can be shown to people. */
class ScanStopped extends Error {}

interface Scan {
  store: Store;
  root: string;
  run: number;
  listed: boolean;
  stableIds: boolean;
  hasher: Hasher;
  ignore: ReturnType<typeof compileIgnore>;
  rule: ReturnType<typeof hashRule>;
  result: ScanResult;
  signal: AbortSignal | undefined;
}

const hashBatch = 256;

export async function scanRoot(store: Store, root: string, policy: Policy, hasher: Hasher, signal?: AbortSignal): Promise<ScanResult> {
  if (!existsSync(diskPath(root))) throw new ScanStopped(`The folder ${root} does not exist. Nothing was reported as deleted.`);
  const before = readRootIdentity(root);
  const network = isOnNetwork(root);
  const patterns = libraryPatterns({ presets: policy.presets, excludeGlobs: policy.exclude_globs, includeGlobs: policy.include_globs });
  const ignore = compileIgnore(patterns, pathBytes);
  const stableIds = hasStableIds(root);
  store.run('insert or ignore into roots (path) values (?)', root);
  const known = store.get<{ listed: number }>('select listed from roots where path = ?', root);
  const scan: Scan = {
    store,
    root,
    run: Number(store.meta('scan_run') ?? 0) + 1,
    listed: known?.listed === 1,
    stableIds,
    hasher,
    ignore,
    rule: hashRule('auto', { network, ceiling: policy.content_hash_max_bytes }),
    result: { folders: 0, files: 0, created: 0, modified: 0, moved: 0, deleted: 0, unreadable: 0 },
    signal,
  };
  store.transaction(() => {
    store.setMeta('scan_run', String(scan.run));
    for (const table of ['fresh', 'gone', 'marks']) store.run(`delete from ${table} where root = ?`, root);
  });
  const unreadable: string[] = [];
  const stamp = `${ignore.stamp} ${policy.content_hash_max_bytes}`;
  for await (const batch of walkInThread({ root, start: '', recursive: true, patterns, countPruned: false, network, stableIds, stamp })) {
    signal?.throwIfAborted();
    for (const { path, code } of batch.unreadable) if (code !== 'ENOENT' && code !== 'ENOTDIR') unreadable.push(path);
    await processBatch(scan, batch);
  }
  scan.result.unreadable = unreadable.length;
  finish(scan, unreadable, rootChange(before, readRootIdentity(root)));
  return scan.result;
}

function finish(scan: Scan, unreadable: readonly string[], changed: string | null): void {
  const { store, root, result } = scan;
  if (changed !== null) throw new ScanStopped(`${changed} Nothing was reported as deleted.`);
  if (unreadable.includes('')) throw new ScanStopped(`The folder ${root} cannot be read. Nothing was reported as deleted.`);
  const had = store.get<{ n: number }>('select count(*) as n from files where root = ?', root)?.n ?? 0;
  if (had > 0 && result.files === 0)
    throw new ScanStopped(`The folder ${root} is empty, but ${had} files were known. Nothing was reported as deleted.`);
  store.transaction(() => {
    dropMissingFolders(scan, unreadable);
    const { moved, created, deleted } = resolveMoves(store, root);
    result.moved += moved;
    result.created += created;
    result.deleted += deleted;
    store.run(
      `insert into folders (root, path, fingerprint, seen) select root, path, fingerprint, ? from marks where root = ?
        on conflict (root, path) do update set fingerprint = excluded.fingerprint, seen = excluded.seen`,
      scan.run,
      root,
    );
    store.run('delete from marks where root = ?', root);
    store.run('update roots set listed = 1, last_scan_at = ?, last_error = null where path = ?', new Date().toISOString(), root);
  });
}

/** Folders that the walk did not meet are gone with their files, unless they are inside one that could not be read. */
function dropMissingFolders({ store, root, run }: Scan, unreadable: readonly string[]): void {
  for (const { path } of store.all<{ path: string }>('select path from folders where root = ? and seen < ?', root, run)) {
    if (unreadable.some((folder) => path === folder || path.startsWith(`${folder}/`))) continue;
    store.run('insert or ignore into gone (root, dir, name) select root, dir, name from files where root = ? and dir = ?', root, path);
    store.run('delete from folders where root = ? and path = ?', root, path);
  }
}

async function processBatch(scan: Scan, batch: WalkBatch): Promise<void> {
  const { store, root } = scan;
  const names = batch.names.split('\0');
  let start = 0;
  for (const folder of batch.folders) {
    const own = names.slice(start, start + folder.entries);
    const known = store.get<{ fingerprint: string | null }>(
      'select fingerprint from folders where root = ? and path = ?',
      root,
      folder.path,
    );
    scan.result.folders += 1;
    if (known?.fingerprint === folder.fingerprint) {
      store.run('update folders set seen = ? where root = ? and path = ?', scan.run, root, folder.path);
      scan.result.files +=
        store.get<{ n: number }>('select count(*) as n from files where root = ? and dir = ?', root, folder.path)?.n ?? 0;
    } else await processFolder(scan, folder, own, batch.rows, start);
    start += folder.entries;
  }
}

async function processFolder(
  scan: Scan,
  folder: WalkBatch['folders'][number],
  names: readonly string[],
  rows: Uint32Array,
  offset: number,
): Promise<void> {
  const { store, root } = scan;
  const known = new Map(
    store.all<FileRow>(`select ${store.columns} from files where root = ? and dir = ?`, root, folder.path).map((row) => [row.name, row]),
  );
  const changed: { row: FileRow; before: FileRow | undefined }[] = [];
  for (const [at, name] of names.entries()) {
    const kind = entryKindAt(rows, offset + at);
    if (kind !== entryKinds.file && kind !== entryKinds.symlink) continue;
    const path = folder.path === '' ? name : `${folder.path}/${name}`;
    if (scan.ignore.decide(path, false)?.excluded) continue;
    scan.result.files += 1;
    const row = readRow(scan, folder, name, entryFactsAt(rows, offset + at), kind === entryKinds.symlink);
    const before = known.get(name);
    known.delete(name);
    if (!before || !isSame(before, row, scan.stableIds)) changed.push({ row, before });
  }
  let complete = true;
  for (let at = 0; at < changed.length; at += hashBatch) {
    scan.signal?.throwIfAborted();
    const part = changed.slice(at, at + hashBatch);
    complete =
      (await hashRows(
        scan,
        part.map(({ row }) => row),
      )) && complete;
    store.transaction(() => storeRows(scan, part));
  }
  store.transaction(() => {
    for (const name of known.keys()) store.run('insert or ignore into gone (root, dir, name) values (?, ?, ?)', root, folder.path, name);
    markFolder(scan, folder.path, complete ? folder.fingerprint : null, scan.listed);
  });
}

/** During the first scan a folder is complete at once; later its new and vanished files are resolved at the end. */
function markFolder({ store, root, run }: Scan, path: string, fingerprint: string | null, held: boolean): void {
  store.run(
    `insert into folders (root, path, fingerprint, seen) values (?, ?, ?, ?) on conflict (root, path) do update set fingerprint = excluded.fingerprint, seen = excluded.seen`,
    root,
    path,
    held ? null : fingerprint,
    run,
  );
  if (held && fingerprint !== null)
    store.run('insert or replace into marks (root, path, fingerprint) values (?, ?, ?)', root, path, fingerprint);
}

function readRow(
  scan: Scan,
  folder: WalkBatch['folders'][number],
  name: string,
  facts: ReturnType<typeof entryFactsAt>,
  isLink: boolean,
): FileRow {
  return {
    dir: folder.path,
    name,
    size: facts.size,
    mtime_ns: facts.mtimeNs,
    inode: facts.inode,
    device: folder.device,
    links: facts.links,
    ctime_ns: facts.ctimeNs,
    symlink_target: isLink ? readTarget(scan.root, folder.path, name) : null,
    quick_hash: null,
    content_hash: null,
    policy_version: null,
    hash_error: null,
  };
}

function readTarget(root: string, dir: string, name: string): string {
  try {
    return pathText(readlinkSync(diskPath(absolute(root, dir, name)), { encoding: 'buffer' }) as unknown as Buffer);
  } catch {
    // Deleted since the walk, or not readable: it is still a link.
    return '?';
  }
}

const absolute = (root: string, dir: string, name: string): string => `${root === '/' ? '' : root}/${dir === '' ? '' : `${dir}/`}${name}`;

function isSame(before: FileRow, now: FileRow, stableIds: boolean): boolean {
  return (
    before.size === now.size &&
    before.mtime_ns === now.mtime_ns &&
    before.symlink_target === now.symlink_target &&
    (now.symlink_target !== null || before.quick_hash !== null) &&
    (!stableIds || (before.inode === now.inode && before.links === now.links && before.ctime_ns === now.ctime_ns))
  );
}

/** Fills in the hashes. Returns false when a file could not be read, so that its folder is compared again. */
async function hashRows({ hasher, root, rule }: Scan, rows: readonly FileRow[]): Promise<boolean> {
  const files = rows.filter(({ symlink_target }) => symlink_target === null);
  const results = await hasher.hash(
    files.map(({ dir, name, size, mtime_ns }) => ({
      path: absolute(root, dir, name),
      size,
      mtimeNs: mtime_ns,
      content: needsContentHash(size, rule),
    })),
  );
  let complete = true;
  for (const [at, row] of files.entries()) {
    const result = results[at];
    if (!result || result.error !== undefined) {
      row.hash_error = result?.error ?? 'EIO';
      complete = false;
    } else {
      row.quick_hash = result.quick;
      row.content_hash = result.content;
      row.policy_version = hashPolicyVersion(result.content !== null);
    }
  }
  return complete;
}

function storeRows({ store, root, listed, result }: Scan, part: readonly { row: FileRow; before: FileRow | undefined }[]): void {
  for (const { row, before } of part) {
    // Deleted since the walk.
    if (row.hash_error === 'ENOENT') continue;
    if (before === undefined && listed) {
      store.put('fresh', root, row);
      continue;
    }
    store.put('files', root, row);
    if (before === undefined) result.created += 1;
    else result.modified += 1;
    store.add(entryOf(root, before === undefined ? 'created' : 'modified', row, listed ? {} : { initial: true }));
  }
}
