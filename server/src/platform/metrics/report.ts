/**
 * Metrics of several processes in one answer: each process stores its samples in the database every 15 seconds, and the app that is asked
 * adds them to its own. A process that has not reported for a minute is left out.
 */
import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../database/index.ts';
import type { Log } from '../log/index.ts';
import type { Metrics, Sample } from './registry.ts';

const intervalMs = 15_000;
const maxAgeSeconds = 60;

export interface MetricsReport {
  /** The samples of this process and those that others have stored. */
  read(): Promise<Sample[]>;
  /** Stores the samples now; otherwise they are stored every few seconds. */
  store(): Promise<void>;
  stop(): Promise<void>;
}

interface ReportOptions {
  db: Db;
  pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
  log: Log;
  metrics: Metrics;
  role: 'app' | 'worker';
}

export function startMetricsReport({ db, pool, log, metrics, role }: ReportOptions): MetricsReport {
  const name = `${role}-${hostname()}-${process.pid}`;
  const startedAt = Date.now() / 1000 - process.uptime();
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const own = (): Sample[] => {
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const gauges: [Sample['name'], number, Record<string, string>?][] = [
      ['catalog_process_resident_memory_bytes', rss],
      ['catalog_process_heap_bytes', heapUsed],
      ['catalog_process_cpu_seconds_total', (user + system) / 1e6],
      ['catalog_process_start_time_seconds', startedAt],
      ['catalog_process_event_loop_delay_seconds', delay.percentile(99) / 1e9],
      ['catalog_database_connections', pool.totalCount - pool.idleCount, { state: 'busy' }],
      ['catalog_database_connections', pool.idleCount, { state: 'idle' }],
      ['catalog_database_connections', pool.waitingCount, { state: 'waiting' }],
    ];
    return [
      ...metrics.samples().map((sample) => ({ ...sample, labels: { ...sample.labels, process: name } })),
      ...gauges.map(([metric, value, labels]) => ({ name: metric, value, labels: { ...labels, process: name } })),
    ];
  };
  const store = async (): Promise<void> => {
    await storeSamples(db, name, own());
    delay.reset();
  };
  const timer = setInterval(() => {
    store().catch((error: unknown) => log.debug('The metrics could not be stored; the next report replaces them.', { error }));
  }, intervalMs).unref();
  return {
    store,
    read: async () => [...own(), ...(await readSamples(db, name))],
    async stop() {
      clearInterval(timer);
      delay.disable();
      await removeSamples(db, name).catch((error: unknown) => log.debug('The metrics were not removed; they expire.', { error }));
    },
  };
}

async function storeSamples(db: Db, process: string, samples: readonly Sample[]): Promise<void> {
  await sql`with old as (delete from process_metrics where reported_at < now() - interval '10 minutes')
    insert into process_metrics (process, samples, reported_at) values (${process}, ${JSON.stringify(samples)}::jsonb, now())
    on conflict (process) do update set samples = excluded.samples, reported_at = excluded.reported_at`.execute(db);
}

/** What other processes have stored recently. */
async function readSamples(db: Db, except: string): Promise<Sample[]> {
  const { rows } = await sql<{ samples: Sample[] }>`select samples from process_metrics
    where process <> ${except} and reported_at > now() - ${maxAgeSeconds} * interval '1 second' order by process`.execute(db);
  return rows.flatMap(({ samples }) => samples);
}

async function removeSamples(db: Db, process: string): Promise<void> {
  await sql`delete from process_metrics where process = ${process}`.execute(db);
}
