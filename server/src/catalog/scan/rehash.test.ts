import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createFileHasher, createInlineHasher, digestFile, systemHashFileSystem } from '@catalog/scanner';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { addLibrary, items, scan, tree } from './library.fixture.ts';
import { backfillContentHashes, hashStatus, rehashLibrary, rehashSmallFiles, startRehash } from './rehash.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const options = {
  rateMbps: 0,
  hashFullMaxBytes: 1 << 30,
  createHasher: () => createInlineHasher(systemHashFileSystem),
  isOnNetwork: () => false,
};

test('a full content hash is skipped above the ceiling, of the library if it has one', async () => {
  const { db } = database;
  const root = tree({ 'big.bin': Buffer.alloc(300_000, 1), 'bigger.bin': Buffer.alloc(400_000, 1), 'small.txt': 'x' });
  const library = await addLibrary(db, root);
  await scan(db, library, { options: { hashFullMaxBytes: 350_000 } });
  let found = await items(db, library);
  expect(found['bigger.bin']).toMatchObject({ content_hash: null, policy_version: 'h1:quick' });
  expect(found['big.bin']!.content_hash).not.toBeNull();
  const own = await addLibrary(db, tree({ 'big.bin': Buffer.alloc(300_000, 1) }), { hash_full_max_bytes: 200_000 });
  await scan(db, own);
  found = await items(db, own);
  expect(found['big.bin']!.content_hash).toBeNull();
});

test('a large file gets its content hash in a later phase of the same scan', async () => {
  const { db } = database;
  const bytes = randomBytes(6_000_000);
  const library = await addLibrary(db, tree({ 'film.mkv': bytes }));
  const run = await scan(db, library);
  expect(run.stats).toMatchObject({ new: 1, content_hashed: 1 });
  expect((await items(db, library))['film.mkv']).toMatchObject({
    content_hash: createHash('sha256').update(bytes).digest('hex'),
    policy_version: 'h1:full',
  });
});

test('a library on a network file system is quick-hash-only by policy auto', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'big.bin': Buffer.alloc(300_000, 2), 'small.txt': 'x' }));
  await scan(db, library, { deps: { isOnNetwork: () => true } });
  const found = await items(db, library);
  expect(found['big.bin']).toMatchObject({ content_hash: null, policy_version: 'h1:quick' });
  expect(found['small.txt']!.content_hash).not.toBeNull();
});

test('rows of an older scheme are stale, are counted, and rehash recomputes hashes only', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'one', 'b.txt': 'two', 'c.txt': 'three' });
  const library = await addLibrary(db, root, { name: 'stale one' });
  await scan(db, library);
  const before = await items(db, library);
  await sql`update items set policy_version = 'h0:full', quick_hash = 'old', content_hash = 'old', metadata = '{"kept": true}' where library_id = ${library} and filename <> 'c.txt'`.execute(
    db,
  );
  const status = async () => (await hashStatus(db)).find(({ library_id }) => library_id === library);
  expect(await status()).toMatchObject({ name: 'stale one', agent_owned: false, stale: 2, rehash_pending: false, hash_scheme: 'h1' });
  writeFileSync(path.join(root, 'b.txt'), 'changed meanwhile');
  const outbox = async () => (await sql<{ n: number }>`select count(*) as n from index_outbox`.execute(db)).rows[0]!.n;
  const noted = await outbox();
  expect(await rehashLibrary(db, library, options)).toMatchObject({ hashed: 1, skipped: 1, cleared: 0 });
  expect((await items(db, library))['a.txt']).toMatchObject({
    content_hash: before['a.txt']!.content_hash,
    policy_version: 'h1:full',
    metadata: { kept: true },
  });
  expect(await outbox()).toBe(noted + 1);
  expect((await status())!.stale).toBe(1);
});

test('the nightly re-hash reads files up to 128 KiB of an older scheme, of all libraries on this machine, up to its limit', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'a.txt': 'one', 'b.txt': 'two', 'large.bin': Buffer.alloc(131_073, 1) }));
  await scan(db, library);
  await sql`update items set policy_version = 'h0:full' where status = 'active'`.execute(db);
  await sql`update items set policy_version = 'h1:full' where library_id <> ${library}`.execute(db);
  const stale = async () =>
    Object.entries(await items(db, library)).flatMap(([name, { policy_version }]) => (policy_version === 'h0:full' ? [name] : []));
  expect(await rehashSmallFiles(db, { ...options, maxFiles: 0 })).toMatchObject({ hashed: 0 });
  expect(await stale()).toHaveLength(3);
  expect(await rehashSmallFiles(db, { ...options, maxFiles: 1000 })).toMatchObject({ hashed: 2, skipped: 0 });
  expect(await stale()).toEqual(['large.bin']);
});

test('stale rows are counted without reading the others: the index of the present scheme is used', async () => {
  const { db } = database;
  await db.transaction().execute(async (trx) => {
    const library = await addLibrary(trx, tree({}));
    await sql`with f as (insert into folders (library_id, rel_path, path) values (${library}, 'many', 'x'::ltree) returning id)
      insert into items (library_id, folder_id, filename, size, mtime_ns, quick_hash, policy_version)
      select ${library}, f.id, n::text, 1, 0, 'q', case n when 7 then 'h0:quick' else 'h1:quick' end from f, generate_series(1, 2000) n`.execute(
      trx,
    );
    const read = async (): Promise<number> => {
      const { rows } = await sql<{ read: number }>`select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
        from pg_stat_xact_user_tables where relname = 'item_rows'`.execute(trx);
      return rows[0]!.read;
    };
    const before = await read();
    expect((await hashStatus(trx)).find(({ library_id }) => library_id === library)!.stale).toBe(1);
    expect((await read()) - before).toBeLessThan(100);
  });
});

test('on a quick-hash-only library an old-scheme content hash that the policy would not recompute is cleared', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'big.bin': Buffer.alloc(300_000, 3), 'small.txt': 'x' }), { hash_policy: 'quick_only' });
  await scan(db, library);
  await sql`update items set policy_version = 'h0:full', content_hash = 'old' where library_id = ${library}`.execute(db);
  expect(await rehashLibrary(db, library, options)).toMatchObject({ hashed: 2, cleared: 1 });
  const found = await items(db, library);
  expect(found['big.bin']).toMatchObject({ content_hash: null, policy_version: 'h1:quick' });
  expect(found['small.txt']!.content_hash).toBe(createHash('sha256').update('x').digest('hex'));
});

test('a re-hash is queued once; an agent-owned library returns 422', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'a.txt': 'x' }));
  const first = await startRehash(db, library);
  expect(first.job_id).toEqual(expect.any(String));
  expect(await startRehash(db, library)).toEqual({ job_id: null, already_queued: true });
  expect((await hashStatus(db)).find(({ library_id }) => library_id === library)!.rehash_pending).toBe(true);
  const agents = await addLibrary(db, '/elsewhere', { source_agent_id: '01890000-0000-7000-8000-000000000001' });
  await expect(startRehash(db, agents)).rejects.toMatchObject({ code: 'library_agent_owned' });
});

test('the backfill adds content hashes to quick-hash-only libraries within its budget, never above the ceiling', async () => {
  const { db } = database;
  const files = {
    'a.bin': Buffer.alloc(300_000, 4),
    'b.bin': Buffer.alloc(300_000, 5),
    'c.bin': Buffer.alloc(300_000, 6),
    'huge.bin': Buffer.alloc(600_000, 7),
  };
  const library = await addLibrary(db, tree(files), { hash_policy: 'quick_only', hash_full_max_bytes: 500_000 });
  await scan(db, library);
  await sql`update libraries set enabled = false where id <> ${library}`.execute(db);
  expect(await backfillContentHashes(db, { ...options, maxBytes: 650_000 })).toMatchObject({ hashed: 2, bytes: 600_000 });
  expect(await backfillContentHashes(db, { ...options, maxBytes: 650_000 })).toMatchObject({ hashed: 1 });
  expect(await backfillContentHashes(db, { ...options, maxBytes: 650_000 })).toMatchObject({ hashed: 0 });
  expect((await items(db, library))['huge.bin']!.content_hash).toBeNull();
});

test('the throttle pauses to keep the average rate', () => {
  const file = path.join(tree({ 'a.bin': Buffer.alloc(5_000_000, 1) }), 'a.bin');
  const { size, mtimeNs } = systemHashFileSystem.stat(systemHashFileSystem.open(file));
  let longest = 0;
  const wait = (milliseconds: number): void => {
    longest = Math.max(longest, milliseconds);
  };
  createFileHasher(systemHashFileSystem, { bytesPerSecond: 100, wait })({ path: file, size, mtimeNs, content: true });
  // Five megabytes at a hundred bytes per second take fifty thousand seconds, minus the time of reading.
  expect(longest).toBeGreaterThan(40_000_000);
  longest = 0;
  createFileHasher(systemHashFileSystem, { bytesPerSecond: 0, wait })({ path: file, size, mtimeNs, content: true });
  expect(longest).toBe(0);
});

test('digests are computed on demand below the ceiling', async () => {
  const root = tree({ 'a.txt': 'hello' });
  const file = path.join(root, 'a.txt');
  expect(await digestFile(file, ['md5', 'sha256'], { maxBytes: 100 })).toEqual({
    size: 5,
    digests: { md5: '5d41402abc4b2a76b9719d911017c592', sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824' },
  });
  expect(await digestFile(file, ['md5'], { maxBytes: 4 })).toEqual({ refused: 'too_large' });
  expect(await digestFile(root, ['md5'], { maxBytes: 4 })).toEqual({ refused: 'not_a_file' });
  expect(await digestFile(`${file}x`, ['md5'], { maxBytes: 4 })).toEqual({ refused: 'ENOENT' });
});
