import os from 'node:os';
import type { Store } from './store.ts';

/** What the service shows about this agent. */
export function healthOf({ store, started }: { store: Store; started: number }): Record<string, unknown> {
  return {
    uptime_s: Math.round((Date.now() - started) / 1000),
    outbox_pending: store.pending(),
    index_items: store.get<{ n: number }>('select count(*) as n from files')?.n ?? 0,
    roots: store.all<{ path: string; last_scan_at: string | null; last_error: string | null }>(
      'select path, last_scan_at, last_error from roots',
    ),
    memory_bytes: process.memoryUsage().rss,
  };
}

export function capabilities(): Record<string, unknown> {
  return {
    os: `${os.type()} ${os.release()}`,
    arch: process.arch,
    node: process.versions.node,
    cores: os.availableParallelism(),
    memory_bytes: os.totalmem(),
  };
}
