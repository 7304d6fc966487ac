/** The parts of an agent, and the work that needs all of them: scans, reading and comparisons, which never run at the same time. */
import { createHasher } from '@catalog/scanner';
import { type Client, createClient } from './client.ts';
import { type AgentConfig, filesIn } from './config.ts';
import { notingContact } from './local-access.ts';
import { type Log, pause } from './loop.ts';
import { createPace, type Pace } from './pace.ts';
import { type Policy, readPolicy } from './policy.ts';
import { createReadMeter, type ReadMeter } from './read-meter.ts';
import { createFileReader, type FileReader } from './reading.ts';
import { type ReconcileResult, reconcileRoot } from './reconcile.ts';
import { type ScanResult, type ScanScope, scanRoot } from './scan.ts';
import { openStore, type Store } from './store.ts';
import { createRootWatcher, type RootWatcher } from './watching.ts';

export interface Running {
  config: AgentConfig;
  dataDir: string;
  store: Store;
  client: Client;
  log: Log;
  started: number;
  /** The last scan that was started: scans run one after the other, whoever asks for them. */
  scanning: Promise<unknown>;
  /** Nothing may be added to the outbox meanwhile. */
  reconciling: boolean;
  pace: Pace;
  watcher: RootWatcher;
  reader: FileReader;
  readMeter: ReadMeter;
}

type RootScan = { root: string } & (ScanResult | { error: string });

export function openAgent(config: AgentConfig, dataDir: string, log: Log): Running {
  const store = openStore(filesIn(dataDir).index);
  const pace = createPace({ wait: (seconds, signal) => pause(seconds, signal) });
  return {
    config,
    dataDir,
    store,
    client: notingContact(createClient(config, dataDir), store),
    log,
    started: Date.now(),
    scanning: Promise.resolve(),
    reconciling: false,
    pace,
    watcher: createRootWatcher(store, config.roots, log),
    reader: createFileReader(store, dataDir, pace, log),
    readMeter: createReadMeter(),
  };
}

export function closeAgent({ watcher, reader, store }: Running): void {
  watcher.close();
  reader.close();
  store.close();
}

/** Scans roots once, after a scan that is running. A root that cannot be scanned is noted and does not stop the others. */
export function scanAll(agent: Running, policy: Policy, signal?: AbortSignal, roots = agent.config.roots): Promise<RootScan[]> {
  return alone(agent, () => scanNow(agent, policy, new Map(roots.map((root) => [root, undefined])), signal));
}

/** Scans what the watches have reported. */
export function scanChanges(agent: Running, policy: Policy, signal: AbortSignal): Promise<RootScan[]> {
  return alone(agent, () => scanNow(agent, policy, agent.watcher.take(), signal));
}

/** Reads everything that waits, and draws what the service knows. Returns how many files were read. */
export async function readAll(agent: Running, policy: Policy, signal: AbortSignal): Promise<number> {
  let total = 0;
  for (let done = 1; done > 0 && !agent.reconciling; total += done) done = await agent.reader.readSome(policy, signal);
  for (let done = 1; done > 0 && !agent.reconciling && (await agent.pace.sendingHeld(policy)) === null; )
    done = await agent.reader.drawSome(policy, agent.client, signal);
  return total;
}

/** Nothing else that reads or writes the whole index runs at the same time. */
export function alone<T>(agent: Running, work: () => Promise<T>): Promise<T> {
  const turn = agent.scanning.catch(() => {}).then(work);
  agent.scanning = turn;
  return turn;
}

/** Compares roots with the service, one after the other, and remembers when. */
export async function reconcileRoots(agent: Running, roots: readonly string[], signal?: AbortSignal): Promise<ReconcileResult[]> {
  const { store, client, log } = agent;
  const results: ReconcileResult[] = [];
  for (const root of roots) {
    agent.reconciling = true;
    const result = await alone(agent, () => reconcileRoot(store, client, root, signal)).finally(() => {
      agent.reconciling = false;
    });
    if (result.status === 'match' || result.status === 'reconciled') store.setMeta(`reconciled ${root}`, new Date().toISOString());
    if (result.status === 'reconciled') log(`Compared ${root}: ${result.upserted} files corrected, ${result.tombstoned} gone.`);
    results.push(result);
  }
  return results;
}

const reconcileEverySeconds = 86_400;

export function dueRoots({ store, config }: Running): string[] {
  const limit = Date.now() - reconcileEverySeconds * 1000;
  return config.roots.filter((root) => Date.parse(store.meta(`reconciled ${root}`) ?? '1970-01-01') < limit);
}

async function scanNow(
  { config, store, log, pace, readMeter }: Running,
  policy: Policy,
  roots: ReadonlyMap<string, ScanScope[] | undefined>,
  signal?: AbortSignal,
): Promise<RootScan[]> {
  signal?.throwIfAborted();
  if (roots.size === 0) return [];
  const hasher = readMeter.count(
    createHasher({
      threads: config.limits.hashThreads,
      bytesPerSecond: policy.read_bytes_per_second ?? config.limits.readBytesPerSecond,
    }),
  );
  const results: RootScan[] = [];
  try {
    for (const [root, scopes] of roots) {
      try {
        const result = await scanRoot(store, root, policy, { hasher, pace, signal, scopes });
        if (scopes === undefined || result.created + result.modified + result.moved + result.deleted > 0)
          log(
            `Scanned ${root}: ${result.files} files, ${result.created} new, ${result.modified} changed, ${result.moved} moved, ${result.deleted} deleted.`,
          );
        results.push({ root, ...result });
      } catch (error) {
        if (signal?.aborted) throw error;
        const message = error instanceof Error ? error.message : String(error);
        store.run('update roots set last_error = ? where path = ?', message, root);
        results.push({ root, error: message });
        log(`The scan of ${root} stopped. ${message}`);
      }
    }
  } finally {
    await hasher.close();
  }
  return results;
}

export function uploadLimit({ dataDir, config }: Running): number {
  return readPolicy(dataDir)?.policy.upload_bytes_per_second ?? config.limits.uploadBytesPerSecond;
}
