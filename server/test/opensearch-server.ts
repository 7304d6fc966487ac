import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort, until } from './service.ts';

/** Set by `npm run test:engines` and `npm run bench`. Without it, the tests with a real OpenSearch are skipped. */
export const openSearchJars = process.env['OPENSEARCH_LIB'];

/** A real OpenSearch cluster on the loopback address, one process per node, with its own data folder. */
export interface OpenSearchCluster {
  urls: string[];
  /** The running processes. */
  pids(): number[];
  /** Ends the process of a node without letting it finish anything. */
  kill(node: number): Promise<void>;
  /** Starts a killed node with its data. */
  start(node: number): Promise<void>;
  close(): Promise<void>;
}

const source = new URL('../../scripts/opensearch/Node.java', import.meta.url).pathname;

/** Tests start faster without the optimizing compiler; benchmarks need it. */
export async function startOpenSearch(jars: string, { nodes = 1, heap = '512m', optimize = false } = {}): Promise<OpenSearchCluster> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-opensearch-'));
  const members: { name: string; http: number; transport: number }[] = [];
  for (let n = 0; n < nodes; n++) members.push({ name: `node${n}`, http: await freePort(), transport: await freePort() });
  const others = nodes === 1 ? [] : [members.map(({ name, transport }) => `${name}:${transport}`).join(',')];
  const urls = members.map(({ http }) => `http://127.0.0.1:${http}`);
  const children: (ChildProcess | null)[] = members.map(() => null);

  async function launch(node: number): Promise<void> {
    const { name, http, transport } = members[node]!;
    const options = [
      `-Xms${heap}`,
      `-Xmx${heap}`,
      '-XX:+UseSerialGC',
      ...(optimize ? [] : ['-XX:TieredStopAtLevel=1']),
      '-cp',
      path.join(jars, '*'),
      source,
    ];
    const started = spawn('java', [...options, path.join(folder, name), name, String(http), String(transport), ...others], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children[node] = started;
    let output = '';
    for (const stream of [started.stdout, started.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-4000)));
    let failure: string | null = null;
    started.once('error', (error) => (failure = error.message));
    started.once('close', (code) => (failure ??= `exited with code ${code}`));
    const isReady = async () => failure !== null || (await fetch(`${urls[node]}/_cluster/health?timeout=1s`)).ok;
    await until(isReady, 'OpenSearch to start', 400_000);
    if (failure !== null) throw new Error(`OpenSearch ${failure}: ${output}`);
  }

  async function kill(node: number): Promise<void> {
    const running = children[node];
    children[node] = null;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('close', resolve));
    running.kill('SIGKILL');
    await ended;
  }

  const close = async () => {
    for (const node of members.keys()) await kill(node);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(members.map((_, node) => launch(node)));
    if (nodes > 1)
      await until(
        async () => ((await (await fetch(`${urls[0]}/_cluster/health`)).json()) as { number_of_nodes: number }).number_of_nodes === nodes,
        'the cluster to form',
        120_000,
      );
  } catch (error) {
    await close();
    throw error;
  }
  return {
    urls,
    pids: () => children.flatMap((child) => (child?.pid === undefined ? [] : [child.pid])),
    kill,
    start: launch,
    close,
  };
}
