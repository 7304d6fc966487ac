import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { isSea } from 'node:sea';
import { availableCollectors } from './inventory-collectors.ts';
import type { Pace } from './pace.ts';
import { readPolicy } from './policy.ts';
import { isPortable, metering, powerSource } from './power.ts';
import type { ReadMeter } from './read-meter.ts';
import type { Store } from './store.ts';
import type { RootWatcher } from './watching.ts';

interface Reporting {
  store: Store;
  started: number;
  dataDir: string;
  pace: Pace;
  watcher: RootWatcher;
  readMeter: ReadMeter;
}

/** Names this run of the program: two that take turns with one identity are two machines. */
export const runId = randomUUID();

/** What the service shows about this agent. */
export async function healthOf({ store, started, dataDir, pace, watcher, readMeter }: Reporting): Promise<Record<string, unknown>> {
  const policy = readPolicy(dataDir)?.policy;
  return {
    uptime_s: Math.round((Date.now() - started) / 1000),
    suspended: store.meta('suspended') === 'true',
    outbox_pending: store.pending(),
    lag_seconds: Math.round(store.lagSeconds() * 10) / 10,
    read_bytes_per_second: readMeter.take(),
    index_items: store.get<{ n: number }>('select count(*) as n from files')?.n ?? 0,
    roots: store.all<{ path: string; last_scan_at: string | null; last_error: string | null }>(
      'select path, last_scan_at, last_error from roots',
    ),
    unread: store.get<{ n: number }>('select count(*) as n from unread')?.n ?? 0,
    undrawn: store.get<{ n: number }>('select count(*) as n from undrawn')?.n ?? 0,
    power: await powerSource(),
    held: policy ? await pace.sendingHeld(policy) : null,
    watch: watcher.report(),
    foreign_numbers_at: store.meta('foreign_numbers'),
    memory_bytes: process.memoryUsage().rss,
  };
}

let known: Promise<Record<string, unknown>> | undefined;

/** What the machine is and can do, found out once. */
export function capabilities(): Promise<Record<string, unknown>> {
  known ??= findCapabilities();
  return known;
}

async function findCapabilities(): Promise<Record<string, unknown>> {
  return {
    os: `${os.type()} ${os.release()}`,
    arch: process.arch,
    // A release can replace this program.
    self_update: isSea(),
    node: process.versions.node,
    cores: os.availableParallelism(),
    memory_bytes: os.totalmem(),
    // Where the system does not tell, the keys of the policy have no effect.
    tells_power: (await powerSource()) !== 'unknown',
    portable: await isPortable(),
    tells_metering: (await metering()) !== 'unknown',
    extract: true,
    inventory_collectors: availableCollectors(),
  };
}
