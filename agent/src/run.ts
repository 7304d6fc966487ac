/**
 * The agent while it runs: a scan of every root at its interval, and beside it the connection to the service, which sends the outbox, reports
 * health, fetches the policy and renews the certificate. Without a connection it goes on scanning; the outbox grows and is sent later.
 */
import { createHasher } from '@catalog/scanner';
import { type Client, createClient } from './client.ts';
import { createCommandRunner } from './commands.ts';
import { type AgentConfig, filesIn } from './config.ts';
import { renewIfDue } from './enrol.ts';
import { capabilities, healthOf } from './health.ts';
import { performInventory } from './inventory.ts';
import { notingContact } from './local-access.ts';
import { createLocalPage } from './local-page.ts';
import { type Log, pause, repeat } from './loop.ts';
import { createPace, type Pace } from './pace.ts';
import { fetchPolicy, type Policy, readPolicy } from './policy.ts';
import { pushAll } from './push.ts';
import { createFileReader, type FileReader } from './reading.ts';
import { type ReconcileResult, reconcileRoot } from './reconcile.ts';
import { requireRoots } from './roots.ts';
import { type ScanResult, type ScanScope, scanRoot } from './scan.ts';
import { createUpdater } from './self-update.ts';
import { openStore, type Store } from './store.ts';
import { confirmProgram, type Program } from './update.ts';
import { performUpload } from './upload.ts';
import { createVerify } from './verify-file.ts';
import { version } from './version.ts';
import { createRootWatcher, type RootWatcher } from './watching.ts';

interface Running {
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
}

type RootScan = { root: string } & (ScanResult | { error: string });

const updateSeconds = 21_600;

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
function scanChanges(agent: Running, policy: Policy, signal: AbortSignal): Promise<RootScan[]> {
  return alone(agent, () => scanNow(agent, policy, agent.watcher.take(), signal));
}

/** Reads everything that waits. Returns how many files were done. */
export async function readAll(agent: Running, policy: Policy, signal: AbortSignal): Promise<number> {
  let total = 0;
  for (let done = 1; done > 0 && !agent.reconciling; total += done) done = await agent.reader.readSome(policy, signal);
  return total;
}

/** Nothing else that reads or writes the whole index runs at the same time. */
function alone<T>(agent: Running, work: () => Promise<T>): Promise<T> {
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

function dueRoots({ store, config }: Running): string[] {
  const limit = Date.now() - reconcileEverySeconds * 1000;
  return config.roots.filter((root) => Date.parse(store.meta(`reconciled ${root}`) ?? '1970-01-01') < limit);
}

async function scanNow(
  { config, store, log, pace }: Running,
  policy: Policy,
  roots: ReadonlyMap<string, ScanScope[] | undefined>,
  signal?: AbortSignal,
): Promise<RootScan[]> {
  signal?.throwIfAborted();
  if (roots.size === 0) return [];
  const hasher = createHasher({
    threads: config.limits.hashThreads,
    bytesPerSecond: policy.read_bytes_per_second ?? config.limits.readBytesPerSecond,
  });
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

/** Runs until `stop` is aborted, or until the program was replaced by a newer one. */
export async function runAgent(agent: Running, stop: AbortController, program: Program | null): Promise<'stopped' | 'replaced'> {
  const { log, dataDir } = agent;
  const { signal } = stop;
  let replaced: string | null = null;
  /** A new program is kept once it has scanned and the service has heard of it. */
  const proven = new Set<'scanned' | 'heard'>();
  const prove = (what: 'scanned' | 'heard'): void => {
    if (program && proven.add(what).size === 2) confirmProgram(dataDir, program);
  };
  const wait = (seconds: number): Promise<void> => pause(seconds, signal);
  const page = createLocalPage(agent);
  const restart = (version: string): void => {
    replaced = version;
    log(version === 'before' ? 'The version before was put back and starts now.' : `Version ${version} is installed and starts now.`);
    // After the result of the command was sent.
    setTimeout(() => stop.abort(), 0);
  };
  const suspended = (): boolean => agent.store.meta('suspended') === 'true';
  const updater = createUpdater({ client: agent.client, releaseKey: agent.config.releaseKey, dataDir, program, restart });
  const kinds = { ...commandKinds(agent, wait), self_update: { lane: 'update', perform: updater.perform } };
  const commands = createCommandRunner({ client: agent.client, kinds, wait, log, signal });
  await Promise.all([
    repeat(signal, log, async () => {
      const stored = readPolicy(agent.dataDir);
      if (!stored) return 1;
      agent.watcher.follow(stored.policy);
      if (suspended()) return 1;
      if ((await scanAll(agent, stored.policy, signal)).some((result) => !('error' in result))) prove('scanned');
      return stored.policy.scan_interval_seconds ?? agent.config.limits.scanIntervalSeconds;
    }),
    repeat(signal, log, async () => {
      const stored = readPolicy(agent.dataDir);
      if (!stored?.policy.watch_mode || suspended()) return 2;
      await Promise.race([agent.watcher.changed(), pause(5, signal)]);
      await scanChanges(agent, stored.policy, signal);
      return 0;
    }),
    repeat(signal, log, async () => {
      const stored = readPolicy(agent.dataDir);
      if (stored && !agent.reconciling && !suspended()) await readAll(agent, stored.policy, signal);
      return 2;
    }),
    repeat(signal, log, async () => {
      await renewIfDue(agent.client, agent.config, agent.dataDir, new Date(Date.now() + agent.client.clockOffset() * 1000));
      const { policy } = await fetchPolicy(agent.client, agent.dataDir);
      agent.watcher.follow(policy);
      await page.follow(policy);
      return 60;
    }),
    repeat(signal, log, async () => {
      const stored = readPolicy(agent.dataDir);
      if (stored && (await agent.pace.sendingHeld(stored.policy)) !== null) return 10;
      await pushAll(agent.store, agent.client, { wait, signal, bytesPerSecond: uploadLimit(agent) });
      return 2;
    }),
    repeat(signal, log, async () => {
      const body = { version, health: await healthOf(agent), capabilities: await capabilities() };
      await agent.client.send('POST', '/heartbeat', { body, signal });
      prove('heard');
      return 30;
    }),
    repeat(signal, log, async () => {
      await reconcileRoots(agent, dueRoots(agent), signal);
      return 60;
    }),
    repeat(signal, log, async () => {
      await updater.update();
      return updateSeconds * (0.9 + Math.random() * 0.2);
    }),
    repeat(signal, log, async () => {
      await commands.poll();
      return 0.1;
    }),
  ]);
  await commands.idle();
  await page.close();
  return replaced === null ? 'stopped' : 'replaced';
}

function uploadLimit({ dataDir, config }: Running): number {
  return readPolicy(dataDir)?.policy.upload_bytes_per_second ?? config.limits.uploadBytesPerSecond;
}

/** What the service can ask for. */
function commandKinds(agent: Running, wait: (seconds: number) => Promise<void>): Parameters<typeof createCommandRunner>[0]['kinds'] {
  const { roots } = agent.config;
  const { store, config } = agent;
  const verify = createVerify({ store, roots, bytesPerSecond: config.limits.readBytesPerSecond });
  return {
    rescan: {
      lane: 'sweep',
      async perform({ payload }, { signal }) {
        const stored = readPolicy(agent.dataDir) ?? (await fetchPolicy(agent.client, agent.dataDir));
        return { roots: await scanAll(agent, stored.policy, signal, requireRoots(roots, payload['library_ref'])) };
      },
    },
    reconcile: {
      lane: 'sweep',
      async perform({ payload }, { signal }) {
        return { roots: await reconcileRoots(agent, requireRoots(roots, payload['library_ref']), signal) };
      },
    },
    stage_upload: {
      lane: 'transfer',
      perform: (command, context) => {
        const { store, client } = agent;
        return performUpload({ store, client, roots, bytesPerSecond: uploadLimit(agent), wait }, command, context);
      },
    },
    suspend: {
      lane: 'control',
      async perform({ payload }) {
        agent.store.setMeta('suspended', String(payload['suspended'] === true));
        return { suspended: payload['suspended'] === true };
      },
    },
    stat_check: { lane: 'check', perform: verify },
    rehash_check: { lane: 'check', perform: verify },
    inventory: { lane: 'inventory', perform: (command, context) => performInventory(agent.client, roots, command, context) },
  };
}
