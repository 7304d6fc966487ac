import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort, until } from './service.ts';

/** A real Meilisearch server on a free port of the loopback address, with its own data folder. */
export interface MeilisearchServer {
  url: string;
  key: string;
  /** Ends the process without letting it finish anything. */
  kill(): Promise<void>;
  /** Starts it again with the same data and port. Rejects with its output if it refuses to start. */
  start(options?: { upgrade?: boolean }): Promise<void>;
  /** Marks the data as written by another version of the server, which must be stopped. */
  pretendVersion(version: string): void;
  /** Deletes all data; the server must be stopped. */
  wipe(): void;
  close(): Promise<void>;
}

/** Set by `npm test` and `npm run bench` when they find the program. */
export const meilisearchProgram = process.env['MEILISEARCH_BIN'];

export async function startMeilisearch(program: string): Promise<MeilisearchServer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-meilisearch-'));
  const data = path.join(folder, 'data');
  const port = await freePort();
  const [url, key] = [`http://127.0.0.1:${port}`, 'a master key of sixteen or more bytes'];
  let child: ChildProcess | null = null;

  async function start({ upgrade = false } = {}): Promise<void> {
    let output = '';
    const options = ['--no-analytics', '--http-addr', `127.0.0.1:${port}`, '--db-path', data, '--master-key', key, '--log-level', 'WARN'];
    const started = spawn(program, [...options, ...(upgrade ? ['--upgrade-db'] : [])], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    for (const stream of [started.stdout, started.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    let failure: string | null = null;
    started.once('error', (error) => (failure = error.message));
    started.once('close', (code) => (failure ??= `exited with code ${code}`));
    const isReady = async () => failure !== null || (await fetch(`${url}/health`)).ok;
    await until(isReady, 'Meilisearch to start');
    if (failure !== null) throw new Error(`Meilisearch ${failure}: ${output}`);
  }

  async function kill(): Promise<void> {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('close', resolve));
    running.kill('SIGKILL');
    await ended;
  }

  const close = async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    key,
    kill,
    start,
    pretendVersion: (version) => writeFileSync(path.join(data, 'VERSION'), version),
    wipe: () => rmSync(data, { recursive: true, force: true }),
    close,
  };
}
