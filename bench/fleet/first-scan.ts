import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultLimits, filesIn, writePrivate } from '../../agent/src/config.ts';
import { openStore } from '../../agent/src/store.ts';
import type { Db } from '../../server/src/platform/database/index.ts';
import type { Row } from '../row.ts';
import { scanOnce } from '../scan/scan-once.ts';
import { makeTree } from '../scan/tree.ts';

const program = fileURLToPath(new URL('../../agent/src/main.ts', import.meta.url));
const rounds = 2;
const maxResidentMb = 200;
/** Printed when the agent ends: the most memory that it had. */
const reportMemory = `data:text/javascript,process.on('exit',()=>process.stderr.write('maxRSS '+process.resourceUsage().maxRSS))`;

/** The first scan of an agent, with hashes and outbox, beside the first scan of the service. Both alternate, and the best round of each counts. */
export async function benchFirstScan(db: Db, address: object, folder: string, files: number): Promise<Row[]> {
  const root = join(folder, 'tree');
  const folders = Math.max(5, Math.round(files / 100));
  makeTree(root, folders);
  const agent: { seconds: number; residentMb: number; entries: number }[] = [];
  const central: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    agent.push(await scanByAgent(folder, root));
    const { id } = await db
      .insertInto('libraries')
      .values({ name: `first ${round}`, root_path: root })
      .returning('id')
      .executeTakeFirstOrThrow();
    central.push((await scanOnce(address, id)).seconds);
  }
  rmSync(root, { recursive: true });
  const seconds = Math.min(...agent.map((each) => each.seconds));
  const peer = Math.min(...central);
  const resident = Math.max(...agent.map(({ residentMb }) => residentMb));
  const complete = agent.every(({ entries }) => entries === folders * 100);
  return [
    {
      name: `first scan of ${folders * 100} files by an agent`,
      value: Math.round(seconds * 100) / 100,
      unit: 's',
      peer: `scan of the service ${Math.round(peer * 100) / 100} s`,
      ratio: Math.round((seconds / peer) * 100) / 100,
      limit: 'at most 1.3 times',
      ok: complete && seconds <= peer * 1.3,
      detail: complete ? 'every file is hashed and in the outbox' : 'files are missing in the outbox',
    },
    {
      name: 'resident memory of the agent',
      value: Math.round(resident),
      unit: 'MB',
      peer: '',
      ratio: null,
      limit: `at most ${maxResidentMb} MB`,
      ok: resident <= maxResidentMb,
    },
  ];
}

/** From the start of the program to its end. */
async function scanByAgent(folder: string, root: string): Promise<{ seconds: number; residentMb: number; entries: number }> {
  const dataDir = mkdtempSync(join(folder, 'agent-'));
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const paths = filesIn(dataDir);
  writePrivate(paths.key, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const config = {
    centralUrl: 'http://127.0.0.1:9',
    agentId: 'bench',
    name: 'bench',
    roots: [root],
    authorityFingerprint: null,
    limits: defaultLimits,
  };
  writePrivate(paths.config, JSON.stringify(config));
  const policy = { presets: [], exclude_globs: [], include_globs: [], content_hash_max_bytes: 1024 ** 3 };
  writePrivate(paths.policy, JSON.stringify({ etag: '', generation: 1, policy }));
  const started = performance.now();
  const errors = await new Promise<string>((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--import', reportMemory, program, '--data-dir', dataDir, 'scan'],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    child.once('close', (code) => (code === 0 ? resolve(text) : reject(new Error(`The agent ended with code ${code}: ${text}`))));
  });
  const seconds = (performance.now() - started) / 1000;
  const store = openStore(paths.index);
  const entries = store.pending();
  store.close();
  rmSync(dataDir, { recursive: true });
  return { seconds, residentMb: Number(/maxRSS (\d+)/.exec(errors)?.[1] ?? Number.NaN) / 1024, entries };
}
