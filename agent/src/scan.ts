/**
 * One scan of a root: unchanged folders cost one comparison; new and changed files are hashed. The first scan reports files as it finds
 * them. Later scans hold back new and vanished files until the end, so that a file which moved is reported as moved. A kill at any point
 * leaves the index as it was before the folder or the end of the scan, and the next scan finds the same changes again.
 */
import { existsSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import {
  compileIgnore,
  diskPath,
  entryFactsAt,
  entryKindAt,
  entryKinds,
  type Hasher,
  hashRule,
  hasStableIds,
  isOnNetwork,
  libraryPatterns,
  pathBytes,
  pathText,
  type RootIdentity,
  readRootIdentity,
  rootChange,
  type StartWalk,
  type WalkBatch,
  walkInThreads,
} from '@catalog/scanner';
import { type AccessRecorder, forgetFolder, openAccess } from './access.ts';
import { drawUndrawable } from './drawing.ts';
import { hashRows, isSame, readRow } from './file-rows.ts';
import { resolveMoves } from './moves.ts';
import type { Pace } from './pace.ts';
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
  policy: Policy;
  pace: Pace | undefined;
  signal: AbortSignal | undefined;
  access: AccessRecorder | null;
  /** Folders and files that could not be read. They and everything below them are not reported as deleted. */
  unreadable: Set<string>;
}

/** A part of a root that a scan covers: a folder with everything below it, or only the files directly in it. */
export interface ScanScope {
  path: string;
  recursive: boolean;
}

const wholeRoot: ScanScope = { path: '', recursive: true };

interface ScanOptions {
  hasher: Hasher;
  pace?: Pace | undefined;
  signal?: AbortSignal | undefined;
  /** What a watch has reported; the whole root without them. Ignored until the root was scanned completely once. */
  scopes?: readonly ScanScope[] | undefined;
  /** Tests pass in failing ones. */
  startWalk?: StartWalk;
  resolvePath?: typeof resolvePath;
}

const hashBatch = 256;

/** The ignore rules of the policy. */
export function ignoreOf(policy: Policy) {
  const patterns = libraryPatterns({ presets: policy.presets, excludeGlobs: policy.exclude_globs, includeGlobs: policy.include_globs });
  return { patterns, ignore: compileIgnore(patterns, pathBytes) };
}

type IgnorePatterns = ReturnType<typeof ignoreOf>['patterns'];

export async function scanRoot(store: Store, root: string, policy: Policy, options: ScanOptions): Promise<ScanResult> {
  const { hasher, pace, signal } = options;
  if (!existsSync(diskPath(root))) throw new ScanStopped(`The folder ${root} does not exist. Nothing was reported as deleted.`);
  const before = readRootIdentity(root);
  const network = isOnNetwork(root);
  const { patterns, ignore } = ignoreOf(policy);
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
    policy,
    pace,
    signal,
    access: null,
    unreadable: new Set(),
  };
  store.transaction(() => {
    store.setMeta('scan_run', String(scan.run));
    for (const table of ['fresh', 'gone', 'marks']) store.run(`delete from ${table} where root = ?`, root);
  });
  scan.access = openAccess(store, root, policy);
  try {
    return await walkScopes(scan, { ...options, before, network, patterns });
  } finally {
    await scan.access?.close();
  }
}

async function walkScopes(
  scan: Scan,
  { before, network, patterns, ...options }: ScanOptions & { before: RootIdentity; network: boolean; patterns: IgnorePatterns },
): Promise<ScanResult> {
  const { store, root, policy, ignore, stableIds, signal, access, unreadable } = scan;
  const { startWalk = walkInThreads, resolvePath: resolve = resolvePath } = options;
  const stamp = `${ignore.stamp} ${policy.content_hash_max_bytes}${access ? ' permissions' : ''}`;
  const scopes = scan.listed ? (options.scopes ?? [wholeRoot]) : [wholeRoot];
  const isPart = !scopes.includes(wholeRoot);
  // An empty mount point has no files either: parts are scanned only of what was scanned as a whole.
  if (isPart && !isOnScannedDisks(scopes, root, store.meta(`identity ${root}`), before))
    throw new ScanStopped(`${root} is not the folder that was scanned before. Nothing was reported as deleted.`);
  for (const { path, recursive } of scopes) {
    const place = isPart ? placeOf(root, path, resolve) : 'inside';
    if (place === 'unknown') unreadable.add(path);
    if (place !== 'inside') continue;
    const walk = { root, start: path, recursive, patterns, countPruned: false, network, stableIds, stamp, ...access?.walkOptions };
    for await (const batch of startWalk(walk)) {
      signal?.throwIfAborted();
      for (const { path: folder, code } of batch.unreadable) if (code !== 'ENOENT' && code !== 'ENOTDIR') unreadable.add(folder);
      await processBatch(scan, batch);
    }
  }
  scan.result.unreadable = unreadable.size;
  finish(scan, scopes, rootChange(before, readRootIdentity(root)));
  if (!isPart) store.setMeta(`identity ${root}`, identityText(before));
  return scan.result;
}

const identityText = ({ device, inode, mounts }: RootIdentity): string => JSON.stringify([device, inode, ...mounts]);

/** Whether the root is the one with this identity, and so is every disk that holds files of these parts. Others may come and go. */
function isOnScannedDisks(scopes: readonly ScanScope[], root: string, identity: string | null, now: RootIdentity): boolean {
  if (identity === null) return false;
  const [device, inode, ...mounts] = JSON.parse(identity) as [string, string, ...[string, string][]];
  if (device !== now.device || inode !== now.inode) return false;
  const before = new Map(mounts);
  const changed = [...new Set([...before.keys(), ...now.mounts.keys()])].filter((point) => before.get(point) !== now.mounts.get(point));
  const real = pathText(realpathSync(diskPath(root), 'buffer')).replace(/\/$/, '');
  return changed.every((point) => {
    const at = point.startsWith(`${real}/`) ? point.slice(real.length + 1) : '';
    return at !== '' && !scopes.some(({ path, recursive }) => isBelow(path, at) || (recursive && isBelow(at, path)));
  });
}

const isBelow = (path: string, folder: string): boolean => folder === '' || path === folder || path.startsWith(`${folder}/`);

const resolvePath = (path: string): string =>
  realpathSync(diskPath(path), 'buffer').toString('latin1').replaceAll(sep, '/').replace(/\/$/, '');

/**
 * `elsewhere`: the folder is gone, or reached through a link, which a walk from the root would not follow. `unknown`: the disk has failed, or
 * a folder above it may no longer be entered; a watch goes on reporting changes in it.
 */
function placeOf(root: string, path: string, resolve: typeof resolvePath): 'inside' | 'elsewhere' | 'unknown' {
  if (path === '') return 'inside';
  try {
    return resolve(`${root}/${path}`) === `${resolve(root)}/${pathBytes(path).toString('latin1')}` ? 'inside' : 'elsewhere';
  } catch (error) {
    return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '') ? 'elsewhere' : 'unknown';
  }
}

function finish(scan: Scan, scopes: readonly ScanScope[], changed: string | null): void {
  const { store, root, result, unreadable } = scan;
  const isWhole = scopes.includes(wholeRoot);
  if (changed !== null) throw new ScanStopped(`${changed} Nothing was reported as deleted.`);
  if (unreadable.has('')) throw new ScanStopped(`The folder ${root} cannot be read. Nothing was reported as deleted.`);
  const had = isWhole ? (store.get<{ n: number }>('select count(*) as n from files where root = ?', root)?.n ?? 0) : 0;
  if (had > 0 && result.files === 0 && unreadable.size > 0)
    throw new ScanStopped(`Nothing in the folder ${root} can be read. Nothing was reported as deleted.`);
  if (had > 0 && result.files === 0)
    throw new ScanStopped(`The folder ${root} is empty, but ${had} files were known. Nothing was reported as deleted.`);
  store.transaction(() => {
    const dropped = scopes.flatMap(({ path, recursive }) => (recursive ? dropMissingFolders(scan, path) : []));
    const { moved, created, deleted } = resolveMoves(store, root);
    for (const path of dropped) store.add({ event_type: 'folder', library_ref: root, rel_path: path, acl: null });
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
    if (isWhole) {
      readUnopened(store, root);
      drawUndrawable(store, root);
      store.run('update roots set listed = 1, last_scan_at = ?, last_error = null where path = ?', new Date().toISOString(), root);
    }
  });
}

/** Files that could not be opened may be where the index has them now. Those that are gone are not. */
function readUnopened(store: Store, root: string): void {
  store.run(
    `insert or ignore into unread (root, dir, name)
      select root, dir, name from unopened u where root = ? and exists (select 1 from files f where f.root = u.root and f.dir = u.dir and f.name = u.name)`,
    root,
  );
  store.run('delete from unopened where root = ?', root);
}

/**
 * Folders below `top` that the walk did not meet are gone with their files, unless they are inside one that could not be read. Returns those
 * whose access lists were reported.
 */
function dropMissingFolders({ store, root, run, unreadable }: Scan, top: string): string[] {
  const below = "(? = '' or path = ? or (path >= ? || '/' and path < ? || '0'))";
  const dropped: string[] = [];
  for (const { path, acl } of store.all<{ path: string; acl: number | null }>(
    `select path, acl from folders where root = ? and seen < ? and ${below}`,
    root,
    run,
    top,
    top,
    top,
    top,
  )) {
    if (isInOrBelow(path, unreadable)) continue;
    store.run('insert or ignore into gone (root, dir, name) select root, dir, name from files where root = ? and dir = ?', root, path);
    store.run('delete from folders where root = ? and path = ?', root, path);
    if (acl !== null) dropped.push(path);
  }
  return dropped;
}

/** Whether the set holds this path or a folder above it. */
function isInOrBelow(path: string, set: ReadonlySet<string>): boolean {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) if (set.has(at)) return true;
  return false;
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
    await scan.pace?.turn(scan.policy, scan.signal);
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
  const listed: { before: FileRow; row: FileRow }[] = [];
  let complete = true;
  const files = names.flatMap((name, at) => {
    const kind = entryKindAt(rows, offset + at);
    if (kind === entryKinds.unreadable) {
      // It may be a file or a folder.
      scan.unreadable.add(folder.path === '' ? name : `${folder.path}/${name}`);
      known.delete(name);
      complete = false;
    }
    if (kind !== entryKinds.file && kind !== entryKinds.symlink) return [];
    const path = folder.path === '' ? name : `${folder.path}/${name}`;
    return scan.ignore.decide(path, false)?.excluded ? [] : [{ name, index: offset + at, isLink: kind === entryKinds.symlink }];
  });
  const acls = await scan.access?.files(
    folder,
    files.map(({ name }) => name),
    rows,
    files.map(({ index }) => index),
  );
  for (const [at, { name, index, isLink }] of files.entries()) {
    scan.result.files += 1;
    const row = readRow(scan.root, folder, name, entryFactsAt(rows, index), isLink, acls?.[at] ?? null);
    const before = known.get(name);
    known.delete(name);
    if (!before || !isSame(before, row, scan.stableIds)) changed.push({ row, before });
    else if (before.acl !== row.acl || before.allocated !== row.allocated) listed.push({ before, row });
  }
  const reportFolder = scan.access?.folder(folder) ?? (() => forgetFolder(store, root, folder.path));
  let isReported = false;
  const write = (work: () => void): void =>
    store.transaction(() => {
      if (!isReported) reportFolder();
      isReported = true;
      work();
    });
  for (let at = 0; at < listed.length; at += hashBatch) write(() => storeSideFacts(scan, listed.slice(at, at + hashBatch)));
  for (let at = 0; at < changed.length; at += hashBatch) {
    scan.signal?.throwIfAborted();
    const part = changed.slice(at, at + hashBatch);
    complete =
      (await hashRows(
        scan,
        part.map(({ row }) => row),
      )) && complete;
    write(() => storeRows(scan, part));
  }
  write(() => {
    for (const name of known.keys()) store.run('insert or ignore into gone (root, dir, name) values (?, ?, ?)', root, folder.path, name);
    markFolder(scan, folder.path, complete ? folder.fingerprint : null, scan.listed);
  });
}

/** Reports access lists and sizes on disk of files of which nothing else has changed. They are not hashed or read again. */
function storeSideFacts({ store, root }: Scan, files: readonly { before: FileRow; row: FileRow }[]): void {
  for (const { before, row } of files) {
    const { acl, allocated } = row;
    store.run('update files set acl = ?, allocated = ? where root = ? and dir = ? and name = ?', acl, allocated, root, row.dir, row.name);
    store.add(entryOf(root, 'modified', { ...before, acl, allocated }, { ...(before.acl === acl ? {} : { acl }), initial: true }));
  }
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

function storeRows({ store, root, listed, result }: Scan, part: readonly { row: FileRow; before: FileRow | undefined }[]): void {
  const reading = store.meta('reading') !== null;
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
    // What was read from the earlier bytes is void where reading has been switched off.
    const isVoid =
      before !== undefined &&
      !reading &&
      store.run('delete from reads where root = ? and dir = ? and name = ?', root, row.dir, row.name) > 0;
    const unlisted = before !== undefined && before.acl !== null && row.acl === null;
    const more = { ...(listed ? {} : { initial: true }), ...(isVoid ? { extracted: null } : {}), ...(unlisted ? { acl: null } : {}) };
    store.add(entryOf(root, before === undefined ? 'created' : 'modified', row, more));
  }
}
