import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { connect, migrate, startEmbedded } from '../server/src/platform/database/index.ts';
import { searchByPrincipal } from './permissions/search.ts';
import { bytesPerFile } from './permissions/storage.ts';
import type { Bench, Row } from './row.ts';
import { type ScanResult, scanOnce } from './scan/scan-once.ts';
import { makeTree } from './scan/tree.ts';

const rounds = 4;
const owners = 500;
/** Parts to measure, for a machine on which all of them would take too long: scans, storage, search. */
const parts = (process.env['BENCH_PARTS'] ?? 'scans,storage,search').split(',');

/**
 * What recording permissions costs: the same tree, 100,000 files at scale 1, scanned into two libraries, one with permissions and one without.
 * Scans of both alternate and the best round of each counts. As root, the folders belong to 500 owners, which makes 500 distinct lists.
 * Storage and search are measured with a million files at scale 1. BENCH_PARTS chooses among scans, storage and search.
 */
const bench: Bench = async ({ scale }) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-permissions-'));
  const root = path.join(folder, 'tree');
  const folders = Math.max(10, Math.round(1000 * scale));
  const files = Math.round(1_000_000 * scale);
  const server = await startEmbedded({ folder: path.join(folder, 'pg'), settings: { shared_buffers: '256MB' } });
  const address = { host: server.host, port: server.port, user: server.user, password: server.password, database: server.database };
  const database = connect(address, { max: 2 });
  try {
    await migrate(database.pool);
    const rows: Row[] = [];
    if (parts.includes('storage')) rows.push(await storageRow(database.db, files));
    if (parts.includes('search')) rows.push(...(await searchByPrincipal(files)));
    const notes = [`Storage and search: ${files.toLocaleString('en')} files, ${owners} distinct lists; 10,000 principals in the search.`];
    if (!parts.includes('scans')) return { rows, notes };
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
    rows.unshift(ratioRow('first scan with permissions', firsts, 1.3), ratioRow('unchanged rescan with permissions', rescans, 1.15));
    notes.unshift(`Scans: ${(folders * 100).toLocaleString('en')} files, ${Math.min(owners, folders)} owners; best of ${rounds} rounds.`);
    return { rows, notes };
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

async function storageRow(db: Parameters<typeof bytesPerFile>[0], files: number): Promise<Row> {
  const { bytes, detail } = await bytesPerFile(db, files, owners);
  return {
    name: 'storage per file',
    value: Math.round(bytes * 10) / 10,
    unit: 'B',
    peer: '',
    ratio: null,
    limit: '≤ 20 B',
    ok: bytes <= 20,
    detail,
  };
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
