import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createHasher } from '@catalog/scanner';
import { settleFolderMoves } from '../server/src/catalog/scan/settle-folder-moves.ts';
import { connect, migrate, startEmbedded } from '../server/src/platform/database/index.ts';
import type { Bench, Row } from './row.ts';
import { type HealthProbe, startHealthProbe } from './scan/health.ts';
import { type ScanResult, scanOnce } from './scan/scan-once.ts';
import { changeOneInHundred, makeTree } from './scan/tree.ts';

const rounds = 5;
const renameRounds = 3;

/**
 * Scans a generated tree of small files, 100 per folder and half a million at scale 1, into a durable embedded database. Compares the scan with
 * programs that only list or only hash files. Peers and scans alternate and the best round of each counts, so that other load on the machine
 * affects both alike.
 */
const bench: Bench = async ({ scale }) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-scan-'));
  const root = path.join(folder, 'tree');
  const folders = Math.max(10, Math.round(5000 * scale));
  const server = await startEmbedded({ folder: path.join(folder, 'pg'), settings: { shared_buffers: '256MB' } });
  const address = { host: server.host, port: server.port, user: server.user, password: server.password, database: server.database };
  const database = connect(address, { max: 2 });
  let health: HealthProbe | undefined;
  try {
    await migrate(database.pool);
    const addLibrary = async (name: string, at: string): Promise<string> =>
      (await database.db.insertInto('libraries').values({ name, root_path: at }).returning('id').executeTakeFirstOrThrow()).id;
    const scan = (): Promise<ScanResult> => scanOnce(address, id);
    const smallFolders = Math.max(2, Math.round(folders / 5));

    // First a fifth of the files, to measure the cost of a new file in a small catalog.
    const smallRoot = path.join(folder, 'small');
    makeTree(path.join(smallRoot, 'before'), smallFolders);
    const smallId = await addLibrary('small', smallRoot);
    const smallFirst = await scanOnce(address, smallId);
    const smallRescans: ScanResult[] = [];
    const renames: ScanResult[] = [];
    const settled: number[] = [];
    for (let round = 0; round < renameRounds; round += 1) {
      smallRescans.push(await scanOnce(address, smallId));
      const names = ['before', 'after'].map((name) => path.join(smallRoot, name));
      const [from = '', to = ''] = round % 2 === 0 ? names : names.toReversed();
      renameSync(from, to);
      renames.push(await scanOnce(address, smallId));
      const started = performance.now();
      await settleFolderMoves(database.db);
      settled.push((performance.now() - started) / 1000);
    }
    const smallRescan = Math.min(...smallRescans.map(({ seconds }) => seconds));
    const renamed = renames.reduce((best, each) => (each.seconds < best.seconds ? each : best));
    const id = await addLibrary('bench', root);
    makeTree(root, folders);
    const [listed, hashed] = [find(root), hashdeep(root)];
    const firstScan = await scan();
    const hashedAgain = hashdeep(root);
    const rcloneSeconds = rclone(root);
    const rescans: ScanResult[] = [];
    const finds = [listed];
    for (let round = 0; round < rounds; round += 1) {
      rescans.push(await scan());
      finds.push(find(root));
    }
    const clustered = { files: changeOneInHundred(root, folders, 'clustered'), run: await scan() };
    const scattered = { files: changeOneInHundred(root, folders, 'scattered'), run: await scan() };
    makeTree(root, folders * 2, folders);
    // The app runs only from here on, so that it does not slow down the scans that are compared with peers.
    health = await startHealthProbe(address, folder);
    const doubled = await health.during(scan());
    const doubledRescans: ScanResult[] = [];
    for (let round = 0; round < rounds; round += 1) doubledRescans.push(await health.during(scan()));
    const doubledRescan = doubledRescans.reduce((best, each) => (each.seconds < best.seconds ? each : best));
    const large = await hashLarge(folder, Math.round(4 * 1024 ** 3 * Math.min(1, scale)), health);
    const responses = health.latency();

    const count = (value: number): string => value.toLocaleString('en');
    const files = folders * 100;
    const unchanged = Math.min(...rescans.map(({ seconds }) => seconds));
    const fastest = (values: (number | null)[]): number | null =>
      values.reduce<number | null>((best, value) => (value === null ? best : best === null ? value : Math.min(best, value)), null);
    const first = firstScan.seconds;
    const written = rescans[0] === undefined ? 0 : countOf(rescans[0], 'new') + countOf(rescans[0], 'changed');
    const perFile = (result: ScanResult): number => (result.seconds * 1e6) / countOf(result, 'new');
    const rows: Row[] = [
      compare(
        `unchanged rescan of ${count(files)} files`,
        unchanged,
        'find -printf',
        fastest(finds),
        1.3,
        `${count(written)} rows written`,
      ),
      compare(
        `first scan of ${count(files)} files, both hashes stored`,
        first,
        `hashdeep -j${cores}`,
        fastest([hashed, hashedAgain]),
        3,
        `${firstScan.cpu.toFixed(1)} s of CPU time without the database`,
      ),
      compare('first scan compared with rclone', first, 'rclone hashsum sha256', rcloneSeconds, 1),
      single(
        'rescan after 1 % changed, all in 1 % of the folders',
        clustered.run.seconds,
        's',
        'at most 1.5 unchanged rescans plus 1/50 of the first scan',
        clustered.run.seconds <= unchanged * 1.5 + first / 50,
        `${countOf(clustered.run, 'changed')} of ${clustered.files} changes detected`,
      ),
      single(
        'rescan after 1 % changed, one file in every folder',
        scattered.run.seconds,
        's',
        '',
        true,
        `${countOf(scattered.run, 'changed')} of ${scattered.files} changes detected`,
      ),
      {
        name: `rename of a folder of ${count(smallFolders * 100)} files`,
        value: round(renamed.seconds),
        unit: 's',
        peer: `unchanged rescan of it ${round(smallRescan)} s`,
        ratio: round(renamed.seconds / smallRescan),
        limit: 'at most 2 unchanged rescans',
        ok: renamed.seconds <= smallRescan * 2,
        detail: `${count(renamed.stats['moved'] ?? 0)} moves, ${round(renamed.seconds / smallFirst.seconds)} times the first scan`,
      },
      single(
        'background work after a rename: change log and queue of the index',
        (Math.min(...settled) * 1e6) / (smallFolders * 100),
        'µs a file',
        '',
        true,
      ),
      single(`memory at ${count(files)} files`, firstScan.rssMiB, 'MiB', 'at most 400 MiB', firstScan.rssMiB <= 400),
      single(
        `memory at ${count(files * 2)} files`,
        doubled.rssMiB,
        'MiB',
        'at most 400 MiB',
        doubled.rssMiB <= 400,
        `unchanged rescan ${doubledRescan.rssMiB.toFixed(0)} MiB`,
      ),
      single(`cost of a new file, first scan of ${count(smallFolders * 100)}`, perFile(smallFirst), 'µs', '', true),
      single(`cost of a new file, first scan of ${count(files)}`, perFile(firstScan), 'µs', '', true),
      single(
        `cost of a new file, from ${count(files)} to ${count(files * 2)}`,
        perFile(doubled),
        'µs',
        `at most 1.5 times that of the first ${count(smallFolders * 100)}`,
        perFile(doubled) <= perFile(smallFirst) * 1.5,
      ),
      single(
        'unchanged rescan at twice the size',
        doubledRescan.seconds / unchanged,
        'times',
        'at most 2.5 times',
        doubledRescan.seconds <= unchanged * 2.5,
      ),
      {
        name: `content hash of one file of ${(large.bytes / 1024 ** 3).toFixed(1)} GiB`,
        value: round(large.speed / 1e9),
        unit: 'GB/s',
        peer: `node:crypto on a buffer ${round(large.peer / 1e9)} GB/s`,
        ratio: round(large.speed / large.peer),
        limit: 'at least 0.8 times',
        ok: large.speed >= large.peer * 0.8,
      },
      single(
        'GET /health during scan, rescan and hash of a large file, p99',
        responses.p99,
        'ms',
        'at most 50 ms',
        responses.p99 <= 50,
        `${count(responses.count)} responses, slowest ${round(responses.max)} ms`,
      ),
    ];
    return {
      rows,
      notes: [
        `System load during the run: ${os
          .loadavg()
          .map((value) => value.toFixed(1))
          .join(' ')} on ${os.availableParallelism()} cores.`,
      ],
    };
  } finally {
    health?.close();
    await database.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
export default bench;

/** The seconds a command takes; null if it is not installed or fails. */
function timeCommand(command: string, args: readonly string[]): number | null {
  const devNull = openSync('/dev/null', 'w');
  const started = performance.now();
  const { status } = spawnSync(command, args, { stdio: ['ignore', devNull, 'ignore'] });
  const seconds = (performance.now() - started) / 1000;
  closeSync(devNull);
  return status === 0 ? seconds : null;
}

const find = (root: string): number | null => timeCommand('find', [root, '-printf', '%p %s %T@ %n %i\\n']);
const cores = Math.max(1, os.cpus().length);
const hashdeep = (root: string): number | null => timeCommand('hashdeep', ['-c', 'sha256', `-j${cores}`, '-r', root]);
/** The faster of its default number of parallel reads and one per core. */
function rclone(root: string): number | null {
  const runs = [8, cores].map((checkers) =>
    timeCommand('rclone', ['hashsum', 'sha256', root, '--config', '/dev/null', '--checkers', String(checkers)]),
  );
  const times = runs.filter((seconds) => seconds !== null);
  return times.length > 0 ? Math.min(...times) : null;
}

/** Bytes per second that node:crypto hashes from memory. */
function cryptoSpeed(bytes: number): number {
  const buffer = Buffer.alloc(1 << 20, 7);
  const hash = createHash('sha256');
  const started = performance.now();
  for (let done = 0; done < bytes; done += buffer.length) hash.update(buffer);
  hash.digest();
  return bytes / ((performance.now() - started) / 1000);
}

/** Compares the hash of one large sparse file with node:crypto; the best of two rounds counts. */
async function hashLarge(folder: string, bytes: number, health: HealthProbe): Promise<{ bytes: number; speed: number; peer: number }> {
  const file = path.join(folder, 'large.bin');
  closeSync(openSync(file, 'w'));
  truncateSync(file, bytes);
  const { mtimeNs } = statSync(file, { bigint: true });
  const hasher = createHasher({ threads: 1 });
  // Starts the thread.
  await hasher.hash([{ path: import.meta.filename, size: 0, mtimeNs: '0', content: false }]);
  let [speed, peer] = [0, 0];
  for (let turn = 0; turn < 2; turn += 1) {
    peer = Math.max(peer, cryptoSpeed(bytes / 4));
    const started = performance.now();
    const [result] = await health.during(hasher.hash([{ path: file, size: bytes, mtimeNs: String(mtimeNs), content: true }]));
    if (result?.error !== undefined) throw new Error(`The large file could not be hashed: ${result.error}.`);
    speed = Math.max(speed, bytes / ((performance.now() - started) / 1000));
  }
  await hasher.close();
  return { bytes, speed, peer };
}

const countOf = (result: ScanResult, key: 'new' | 'changed'): number => result.stats[key] ?? 0;
const round = (value: number): number => Number(value.toPrecision(3));

function compare(name: string, seconds: number, peer: string, peerSeconds: number | null, limit: number, detail = ''): Row {
  const ratio = peerSeconds === null ? null : round(seconds / peerSeconds);
  return {
    name,
    value: round(seconds),
    unit: 's',
    peer: peerSeconds === null ? `${peer} is not installed` : `${peer} ${round(peerSeconds)} s`,
    ratio,
    limit: `at most ${limit} times`,
    ok: ratio === null || ratio <= limit,
    detail,
  };
}

function single(name: string, value: number, unit: string, limit: string, ok: boolean, detail = ''): Row {
  return { name, value: round(value), unit, peer: '', ratio: null, limit, ok, detail };
}
