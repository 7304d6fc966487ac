import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  createInlineHasher,
  createInlinePermissionReader,
  createInlineWalk,
  createWalkFileSystem,
  systemHashFileSystem,
} from '@catalog/scanner';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import type { Db } from '../../platform/database/index.ts';
import type { ScanDependencies, ScanOptions } from './context.ts';
import { performScan, scanDependencies } from './run.ts';
import { createScanRun, type RunRow } from './run-store.ts';
import type { ScanScope } from './scopes.ts';

/** Creates a temporary folder tree that is deleted when the test ends. A name that ends in a slash is an empty folder. */
export function tree(files: Record<string, string | Buffer> = {}): string {
  const root = mkdtempSync(path.join(os.tmpdir(), 'library-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  write(root, files);
  return root;
}

export function write(root: string, files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) {
    const target = path.join(root, name);
    if (name.endsWith('/')) mkdirSync(target, { recursive: true });
    else {
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, content);
    }
  }
}

let count = 0;
/** Inserts a library with this root. `fields` are further columns. */
export async function addLibrary(db: Db, root: string, fields: Record<string, unknown> = {}): Promise<string> {
  count += 1;
  const row = await db
    .insertInto('libraries')
    .values({ name: `library ${count}`, root_path: root, ...fields })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export interface ScanCall {
  scope?: string;
  recursive?: boolean;
  scopes?: ScanScope[];
  forceEmpty?: boolean;
  deps?: Partial<Omit<ScanDependencies, 'db' | 'options'>>;
  options?: Partial<ScanOptions>;
  signal?: AbortSignal;
}

/** Walks and hashes without threads, which start slowly. */
export const inline: Partial<ScanDependencies> = {
  startWalk: createInlineWalk(createWalkFileSystem({ network: false, stableIds: true, permissions: true })),
  createHasher: () => createInlineHasher(systemHashFileSystem),
  createPermissionReader: () => createInlinePermissionReader(),
};

export async function scan(db: Db, libraryId: string, call: ScanCall = {}): Promise<RunRow> {
  const run = await createScanRun(db, {
    libraryId,
    trigger: 'manual',
    scopes: call.scopes ?? [{ path: call.scope ?? '', depth: call.recursive === false ? 'folder' : 'tree' }],
    forceEmpty: call.forceEmpty ?? false,
  });
  return performScan(scanDependencies({ db, ...inline, ...call.deps, options: call.options ?? {} }), run.id, call.signal);
}

export interface ShownItem {
  id: string;
  library_id: string;
  rel_path: string;
  status: string;
  size: number;
  mtime_ns: string;
  nlink: number | null;
  symlink_target: string | null;
  quick_hash: string | null;
  content_hash: string | null;
  policy_version: string | null;
  hash_error: string | null;
  file_category: string;
  file_group: string;
  tags: string[];
  user_metadata: Record<string, unknown>;
  metadata: Record<string, unknown>;
  title: string | null;
  year: number | null;
  sidecar_of: string | null;
}

/** The items of a library by path. */
export async function items(db: Db, libraryId: string): Promise<Record<string, ShownItem>> {
  const { rows } = await sql<ShownItem>`
    select id, library_id, rel_path, status, size, mtime_ns::text, nlink, symlink_target, quick_hash, content_hash, policy_version, hash_error, file_category,
      file_group, tags, user_metadata, metadata, title, year, sidecar_of
    from items where library_id = ${libraryId} order by rel_path`.execute(db);
  return Object.fromEntries(rows.map((row) => [row.rel_path, row]));
}

export async function statuses(db: Db, libraryId: string): Promise<Record<string, string>> {
  return Object.fromEntries(Object.entries(await items(db, libraryId)).map(([name, { status }]) => [name, status]));
}
