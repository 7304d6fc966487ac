import os from 'node:os';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { countThumbsDue } from '../../content/pipeline/index.ts';
import type { Visibility } from '../../people/access/index.ts';
import { type Db, one } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { probeDisks } from '../../platform/disk.ts';
import { nullable, Time } from '../../platform/schemas.ts';
import { readTraffic } from './machine.ts';

const windowDays = 7;
const upcomingPerQueue = 3;
/** Counting ends here, because the console asks every few seconds. */
const countedAtMost = 100_000;

const wholeCatalogOnly = 'Counts files of all libraries; null for callers who do not see everything.';

/** What the summary of the jobs says besides the jobs themselves, so that a dashboard needs one request. */
export const overviewFields = {
  priorities: Type.Record(Type.String(), Type.Array(Type.Object({ priority: Type.Integer(), waiting: Type.Integer() })), {
    description: 'How many jobs wait with each priority, by queue.',
  }),
  upcoming: Type.Array(Type.Object({ queue: Type.String(), task: Type.String(), priority: Type.Integer(), run_at: Time }), {
    description: 'The next three jobs of each queue.',
  }),
  extract: nullable(
    Type.Object(
      {
        waiting: Type.Integer({ description: 'Files whose content has not been read yet; counted up to 100,000.' }),
        running: Type.Integer(),
      },
      { description: wholeCatalogOnly },
    ),
  ),
  thumbs: nullable(
    Type.Object(
      {
        waiting: Type.Integer({
          description: 'Files whose thumbnail was left out for lack of space or removed, and is due again; counted up to 100,000.',
        }),
      },
      { description: wholeCatalogOnly },
    ),
  ),
  index: nullable(
    Type.Object(
      { waiting: Type.Integer({ description: 'Changes that the search index does not have yet; counted up to 100,000.' }) },
      { description: wholeCatalogOnly },
    ),
  ),
  scans_running: Type.Integer({ description: 'Scans of libraries of which the caller sees anything.' }),
  scan_throughput: nullable(
    Type.Object(
      {
        window_days: Type.Integer(),
        runs: Type.Integer(),
        files: Type.Integer(),
        bytes: Type.Number(),
        seconds: Type.Number(),
        files_per_min: Type.Number(),
        bytes_per_s: Type.Number(),
      },
      { description: 'Of all scans of the last days; null without the scope admin, because it counts hidden files.' },
    ),
  ),
  staged_pipeline: Type.Boolean(),
  disk: Type.Object({ status: Type.String(), low: Type.Array(Type.String()) }),
  resources: Type.Object({
    cpu: Type.Object({
      cores: Type.Integer(),
      load: Type.Number({ description: 'Average of the last minute on the machine of the app.' }),
    }),
    memory: Type.Object({ total: Type.Number(), free: Type.Number() }),
    io: nullable(
      Type.Object(
        { read_bytes: Type.Number(), write_bytes: Type.Number() },
        { description: 'Bytes of all disks since the machine of the app started.' },
      ),
    ),
    net: nullable(
      Type.Object(
        { rx_bytes: Type.Number(), tx_bytes: Type.Number() },
        { description: 'Bytes of all network interfaces since the machine of the app started.' },
      ),
    ),
    database: Type.Object({ connections: Type.Integer(), max_connections: Type.Integer(), active: Type.Integer() }),
  }),
};

export async function readOverview({ db, settings }: Pick<Dependencies, 'db' | 'settings'>, visibility: Visibility, isAdmin: boolean) {
  const [priorities, upcoming, waiting, scans, throughput, database, disks, traffic] = await Promise.all([
    waitingByPriority(db),
    nextJobs(db),
    visibility.unrestricted ? countWaiting(db, settings.thumbsEnabled) : null,
    countScans(db, visibility),
    isAdmin && visibility.unrestricted ? scanThroughput(db) : null,
    databaseLoad(db),
    probeDisks(settings),
    readTraffic(),
  ]);
  return {
    priorities,
    upcoming,
    extract: waiting && { waiting: waiting.extract, running: waiting.extracting },
    thumbs: waiting && { waiting: waiting.thumbs },
    index: waiting && { waiting: waiting.index },
    scans_running: scans,
    scan_throughput: throughput,
    staged_pipeline: settings.stagedPipeline,
    disk: { status: disks.status, low: disks.paths.flatMap(({ label, status }) => (status === 'ok' ? [] : [label])) },
    resources: {
      cpu: { cores: os.availableParallelism(), load: os.loadavg()[0] ?? 0 },
      memory: { total: os.totalmem(), free: os.freemem() },
      ...traffic,
      database,
    },
  };
}

async function waitingByPriority(db: Db): Promise<Record<string, { priority: number; waiting: number }[]>> {
  const { rows } = await sql<{ queue: string; priority: number; waiting: number }>`select queue, priority, count(*) as waiting
    from jobs where state = 'todo' group by queue, priority order by queue, priority desc`.execute(db);
  const byQueue = Map.groupBy(rows, ({ queue }) => queue);
  return Object.fromEntries([...byQueue].map(([queue, found]) => [queue, found.map(({ priority, waiting }) => ({ priority, waiting }))]));
}

async function nextJobs(db: Db): Promise<{ queue: string; task: string; priority: number; run_at: string }[]> {
  const { rows } = await sql<{ queue: string; task: string; priority: number; run_at: Date }>`select queue, task, priority, run_at from (
      select queue, task, priority, run_at, row_number() over (partition by queue order by priority desc, run_at, id) as place
      from jobs where state = 'todo') as waiting
    where place <= ${upcomingPerQueue} order by queue, place`.execute(db);
  return rows.map((row) => ({ ...row, run_at: row.run_at.toISOString() }));
}

/** Thumbnails wait for nothing that happens by itself while they are switched off. */
async function countWaiting(
  db: Db,
  thumbsEnabled: boolean,
): Promise<{ extract: number; extracting: number; thumbs: number; index: number }> {
  const thumbs = thumbsEnabled ? await countThumbsDue(db, countedAtMost) : 0;
  const { rows } = await sql<{ extract: number; extracting: number; index: number }>`select
      (select count(*) from (select from extract_pending limit ${countedAtMost}) as counted) as extract,
      least(${countedAtMost}, (select count(*) from (select from index_outbox limit ${countedAtMost}) as counted)
        + (select coalesce(sum(cardinality(item_ids)), 0) from folder_moves))::bigint as index,
      (select count(*) from jobs where queue = 'extract' and state = 'doing') as extracting`.execute(db);
  return { ...one(rows), thumbs };
}

async function countScans(db: Db, visibility: Visibility): Promise<number> {
  const { rows } = await sql<{ library_id: string }>`select library_id from scan_runs where status in ('running', 'stopping')`.execute(db);
  return rows.filter(({ library_id }) => visibility.mayEnter(library_id)).length;
}

/** Of the scans that finished in the last week. */
async function scanThroughput(db: Db) {
  const { rows } = await sql<{ runs: number; files: number; bytes: number; seconds: number }>`select count(*) as runs,
      coalesce(sum((stats->>'seen')::bigint), 0)::float8 as files, coalesce(sum((stats->>'bytes_seen')::numeric), 0)::float8 as bytes,
      coalesce(sum(extract(epoch from finished_at - started_at)), 0)::float8 as seconds
    from scan_runs where status = 'finished' and finished_at > now() - ${windowDays} * interval '1 day'`.execute(db);
  const { runs, files, bytes, seconds } = one(rows);
  const per = (value: number, unit: number): number => (seconds > 0 ? (value / seconds) * unit : 0);
  return { window_days: windowDays, runs, files, bytes, seconds, files_per_min: per(files, 60), bytes_per_s: per(bytes, 1) };
}

async function databaseLoad(db: Db): Promise<{ connections: number; max_connections: number; active: number }> {
  const { rows } = await sql<{ connections: number; max_connections: number; active: number }>`select count(*) as connections,
      current_setting('max_connections')::int as max_connections, count(*) filter (where state = 'active') as active
    from pg_stat_activity where datname = current_database()`.execute(db);
  return one(rows);
}
