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
    const firsts: Record<'without' | 'with', ScanResult[]> = { without: [], with: [] };
    const rescans: Record<'without' | 'with', ScanResult[]> = { without: [], with: [] };
    const grown = { without: 0, with: 0 };
    // The first round fills the tables and does not count. The order alternates, because every scan makes the next one slower.
    for (let round = 0; round <= rounds; round += 1)
      for (const kind of round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
        const id = await add(`${kind} ${round}`, kind === 'with');
        const before = await storedBytes(database.db);
        const first = await scanOnce(address, id);
        const rescan = await scanOnce(address, id);
        if (round === 0) continue;
        grown[kind] += (await storedBytes(database.db)) - before;
        firsts[kind].push(first);
        rescans[kind].push(rescan);
      }
    const bytes = (grown.with - grown.without) / (rounds * folders * 100);
    return {
      rows: [
        ratioRow('first scan with permissions', firsts, 1.3),
        ratioRow('unchanged rescan with permissions', rescans, 1.15),
        { name: 'storage per file', value: bytes, unit: 'B', peer: '', ratio: null, limit: '≤ 20 B', ok: bytes <= 20 },
      ],
      notes: [`${(folders * 100).toLocaleString('en')} files, ${Math.min(owners, folders)} owners; best of ${rounds} rounds.`],
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

/** Items with their indexes, and everything that permissions add. */
async function storedBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select sum(pg_total_relation_size(name::regclass))::float8 as bytes
    from unnest(array['items', 'folders', 'file_acls', 'access_paths', 'access_classes', 'permission_changes']) name`.execute(db);
  return Number(rows[0]?.bytes);
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
