import { createHasher } from '@catalog/scanner';
import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, closeSync, rmSync, statSync, truncateSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connect, migrate, startEmbedded } from '../server/src/platform/database/index.ts';
import { workerNodeFlags } from '../server/src/platform/processes/index.ts';
import type { Bench, Row } from './row.ts';
import { type Health, startHealth } from './scan/health.ts';
import { cryptoSpeed, find, hashdeep, rclone } from './scan/peers.ts';
import { changeOneInHundred, growTree } from './scan/tree.ts';

interface Measured {
  seconds: number;
  cpu: number;
  rssMiB: number;
  status: string;
  error: string | null;
  stats: Record<string, number>;
}

const scanProcess = fileURLToPath(new URL('./scan/scan-process.ts', import.meta.url));
const rounds = 3;

/**
 * A generated tree of small files, a hundred to a folder (half a million at scale 1), scanned by a process of its own into a durable embedded
 * database, beside programs that only list or only hash and keep nothing. Peers and scans take turns, and the best round of each counts:
 * a busy machine slows both.
 */
const bench: Bench = async ({ scale }) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-scan-'));
  const root = path.join(folder, 'tree');
  const folders = Math.max(10, Math.round(5000 * scale));
  const server = await startEmbedded({ folder: path.join(folder, 'pg'), settings: { shared_buffers: '256MB' } });
  const address = { host: server.host, port: server.port, user: server.user, database: server.database };
  const database = connect(address, { max: 2 });
  let health: Health | undefined;
  try {
    await migrate(database.pool);
    const addLibrary = async (name: string, at: string): Promise<string> =>
      (await database.db.insertInto('libraries').values({ name, root_path: at }).returning('id').executeTakeFirstOrThrow()).id;
    const scan = (): Promise<Measured> => scanOnce(address, id);
    const few = Math.max(2, Math.round(folders / 5));

    // A library of a fifth of the files first: what a new file costs in a small catalog.
    const fewRoot = path.join(folder, 'few');
    growTree(fewRoot, few);
    const firstFew = await scanOnce(address, await addLibrary('few', fewRoot));
    const id = await addLibrary('bench', root);
    growTree(root, folders);
    const [listed, hashed] = [find(root), hashdeep(root)];
    const whole = await scan();
    const hashedAgain = hashdeep(root);
    const copied = rclone(root);
    const same: Measured[] = [];
    const finds = [listed];
    for (let round = 0; round < rounds; round += 1) {
      same.push(await scan());
      finds.push(find(root));
    }
    const together = { files: changeOneInHundred(root, folders, 'together'), run: await scan() };
    const everywhere = { files: changeOneInHundred(root, folders, 'everywhere'), run: await scan() };
    growTree(root, folders * 2, folders);
    // The app lives beside the second half, which races nobody, and beside the large file.
    health = await startHealth(address, folder);
    const twice = await health.during(scan());
    const twiceSame = await health.during(scan());
    const large = await hashLarge(folder, Math.round(4 * 1024 ** 3 * Math.min(1, scale)), health);
    const answers = health.spread();

    const count = (value: number): string => value.toLocaleString('en');
    const files = folders * 100;
    const unchanged = Math.min(...same.map(({ seconds }) => seconds));
    const fastest = (values: (number | null)[]): number | null =>
      values.reduce<number | null>((best, value) => (value === null ? best : best === null ? value : Math.min(best, value)), null);
    const first = whole.seconds;
    const perFile = (part: Measured): number => (part.seconds * 1e6) / part.stats['new']!;
    const rows: Row[] = [
      race(
        `unchanged rescan of ${count(files)} files`,
        unchanged,
        'find -printf',
        fastest(finds),
        1.5,
        `${count(same[0]!.stats['new']! + same[0]!.stats['changed']!)} rows written`,
      ),
      race(
        `first scan of ${count(files)} files, both hashes stored`,
        first,
        'hashdeep -j2',
        fastest([hashed, hashedAgain]),
        3,
        `${whole.cpu.toFixed(1)} s of processor beside the database's`,
      ),
      race('the same', first, 'rclone hashsum sha256', copied, 1),
      shown(
        '1 % changed, all in 1 % of the folders',
        together.run.seconds,
        's',
        'at most the unchanged rescan and a fiftieth of the first scan',
        together.run.seconds <= unchanged * 1.5 + first / 50,
        `${together.run.stats['changed']} of ${together.files} seen as changed`,
      ),
      shown(
        '1 % changed, one file in every folder',
        everywhere.run.seconds,
        's',
        '',
        true,
        `${everywhere.run.stats['changed']} of ${everywhere.files} seen as changed`,
      ),
      shown(`memory at ${count(files)} files`, whole.rssMiB, 'MiB', 'at most 400 MiB', whole.rssMiB <= 400),
      shown(
        `memory at ${count(files * 2)} files`,
        twice.rssMiB,
        'MiB',
        'at most 400 MiB',
        twice.rssMiB <= 400,
        `unchanged rescan ${twiceSame.rssMiB.toFixed(0)} MiB`,
      ),
      shown(`cost of a new file, first scan of ${count(few * 100)}`, perFile(firstFew), 'µs', '', true),
      shown(`cost of a new file, first scan of ${count(files)}`, perFile(whole), 'µs', '', true),
      shown(
        `cost of a new file, from ${count(files)} to ${count(files * 2)}`,
        perFile(twice),
        'µs',
        `at most 1.5 times that of ${count(few * 100)}`,
        perFile(twice) <= perFile(firstFew) * 1.5,
      ),
      shown(
        'unchanged rescan at twice the size',
        twiceSame.seconds / unchanged,
        'times',
        'at most 2.5 times',
        twiceSame.seconds <= unchanged * 2.5,
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
      shown(
        'GET /health during the second half, its rescan and the large file, p99',
        answers.p99,
        'ms',
        'at most 50 ms',
        answers.p99 <= 50,
        `${count(answers.count)} answers, the slowest ${round(answers.worst)} ms`,
      ),
    ];
    return {
      rows,
      notes: [
        `Load of the machine while this ran: ${os
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

function scanOnce(address: object, libraryId: string): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...workerNodeFlags, scanProcess, JSON.stringify(address), libraryId], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (piece: Buffer) => {
      text += piece.toString();
    });
    child.once('exit', (code) => {
      if (code !== 0) return reject(new Error(`The scan ended with code ${code}.`));
      const measured = JSON.parse(text) as Measured;
      if (measured.status === 'finished') resolve(measured);
      else reject(new Error(measured.error ?? `The scan ended as ${measured.status}.`));
    });
  });
}

async function hashLarge(folder: string, bytes: number, health: Health): Promise<{ bytes: number; speed: number; peer: number }> {
  const file = path.join(folder, 'large.bin');
  closeSync(openSync(file, 'w'));
  truncateSync(file, bytes);
  const { mtimeNs } = statSync(file, { bigint: true });
  const hasher = createHasher({ threads: 1 });
  await hasher.hash([{ path: scanProcess, size: 0, mtimeNs: '0', content: false }]);
  let [speed, peer] = [0, 0];
  for (let turn = 0; turn < 2; turn += 1) {
    peer = Math.max(peer, cryptoSpeed(bytes / 4));
    const started = performance.now();
    const [result] = await health.during(hasher.hash([{ path: file, size: bytes, mtimeNs: String(mtimeNs), content: true }]));
    if (result!.error !== undefined) throw new Error(`The large file could not be hashed: ${result!.error}.`);
    speed = Math.max(speed, bytes / ((performance.now() - started) / 1000));
  }
  await hasher.close();
  return { bytes, speed, peer };
}

const round = (value: number): number => Number(value.toPrecision(3));

function race(name: string, seconds: number, peer: string, peerSeconds: number | null, limit: number, detail = ''): Row {
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

function shown(name: string, value: number, unit: string, limit: string, ok: boolean, detail = ''): Row {
  return { name, value: round(value), unit, peer: '', ratio: null, limit, ok, detail };
}
