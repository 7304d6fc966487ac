import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { connect, type Db, migrate, startEmbedded } from '../server/src/platform/database/index.ts';
import type { Bench, Row } from './row.ts';
import { type ScanResult, scanOnce } from './scan/scan-once.ts';
import { makeTree } from './scan/tree.ts';

const rounds = 4;
const owners = 500;

/**
 * What recording permissions costs: the same tree, 100,000 files at scale 1, scanned into two libraries, one with permissions and one without.
 * Scans of both alternate and the best round of each counts. As root, the folders belong to 500 owners, which makes 500 distinct lists.
 */
const bench: Bench = async ({ scale }) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-permissions-'));
  const root = path.join(folder, 'tree');
  const folders = Math.max(10, Math.round(1000 * scale));
  const server = await startEmbedded({ folder: path.join(folder, 'pg'), settings: { shared_buffers: '256MB' } });
  const address = { host: server.host, port: server.port, user: server.user, password: server.password, database: server.database };
  const database = connect(address, { max: 2 });
  try {
    await migrate(database.pool);
    makeTree(root, folders);
    if (process.getuid?.() === 0) giveAway(root, folders);
    const add = async (name: string, permissions_enabled: boolean): Promise<string> =>
      (
        await database.db
          .insertInto('libraries')
          .values({ name, root_path: root, permissions_enabled })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    const bytes = await bytesPerFile(database.db, Math.round(1_000_000 * scale));
    const firsts: Record<'without' | 'with', ScanResult[]> = { without: [], with: [] };
    const rescans: Record<'without' | 'with', ScanResult[]> = { without: [], with: [] };
    // The first round fills the tables and does not count. The order alternates, because every scan makes the next one slower.
    for (let round = 0; round <= rounds; round += 1)
      for (const kind of round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
        const id = await add(`${kind} ${round}`, kind === 'with');
        const first = await scanOnce(address, id);
        const rescan = await scanOnce(address, id);
        if (round === 0) continue;
        firsts[kind].push(first);
        rescans[kind].push(rescan);
      }
    return {
      rows: [
        ratioRow('first scan with permissions', firsts, 1.3),
        ratioRow('unchanged rescan with permissions', rescans, 1.15),
        { name: 'storage per file', value: bytes, unit: 'B', peer: '', ratio: null, limit: '≤ 20 B', ok: bytes <= 20 },
      ],
      notes: [
        `Scans: ${(folders * 100).toLocaleString('en')} files, ${Math.min(owners, folders)} owners; best of ${rounds} rounds.`,
        `Storage: ${Math.round(1_000_000 * scale).toLocaleString('en')} files with ${owners} distinct lists.`,
      ],
    };
  } finally {
    await database.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

export default bench;

function giveAway(root: string, folders: number): void {
  for (let at = 0; at < folders; at += 1) {
    const target = path.join(
      root,
      `branch-${String(Math.floor(at / 100)).padStart(3, '0')}`,
      `folder-${String(at % 100).padStart(2, '0')}`,
    );
    chownSync(target, 20_000 + (at % owners), 20_000);
  }
}

/**
 * What permissions add to the tables of a catalog with this many files and 500 distinct lists: rows as a scan writes them, with paths of
 * varying length, once with and once without their access class.
 */
async function bytesPerFile(db: Db, files: number): Promise<number> {
  const sizeOf = async (withClass: boolean): Promise<number> => {
    await sql`create table measured (like items including all)`.execute(db);
    await sql`insert into measured (library_id, folder_id, rel_path, filename, extension, size, mtime_ns, file_category, file_group, access_class)
      select '00000000-0000-7000-8000-000000000000', n / 100, p.folder || '/' || p.name, p.name, 'dat', n, n, 'other', 'other', ${withClass ? sql`1 + (n / 100) % ${owners}::int` : sql`null`}
      from generate_series(1, ${files}::int) n cross join lateral (
        select 'branch-' || n / 10000 || '/folder-' || repeat('x', n / 100 % 23) || n / 100 as folder, repeat('n', n % 29) || n || '.dat' as name) p`.execute(
      db,
    );
    const { rows } = await sql<{ bytes: number }>`select pg_total_relation_size('measured')::float8 as bytes`.execute(db);
    await sql`drop table measured`.execute(db);
    return Number(rows[0]?.bytes);
  };
  const added = (await sizeOf(true)) - (await sizeOf(false));
  // Each folder keeps its list and its set, and each list a record of about 300 bytes with its class and set.
  const folders = (files / 100) * 8;
  return (added + folders + owners * 500) / files;
}

function ratioRow(name: string, results: Record<'without' | 'with', ScanResult[]>, most: number): Row {
  const best = (list: readonly ScanResult[]): number => Math.min(...list.map(({ seconds }) => seconds));
  const [without, recorded] = [best(results.without), best(results.with)];
  const ratio = recorded / without;
  return {
    name,
    value: recorded,
    unit: 's',
    peer: `${without.toFixed(2)} s without`,
    ratio,
    limit: `≤ ${most} × without`,
    ok: ratio <= most,
  };
}
