/**
 * The five stages of a scan: walk, hash, extract, thumbnail, index. The first two are counted by the run itself; the others continue after
 * the walk has ended, are counted by the extraction workers in scan_stages, and are read here for the console and the API.
 */
import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import { cachedFor } from '../../platform/cached-for.ts';
import type { Db } from '../../platform/database/index.ts';
import { nullable } from '../../platform/schemas.ts';

const Stage = Type.Object(
  {
    done: Type.Integer(),
    total: nullable(Type.Integer({ description: 'Null until the total is known.' })),
    failed: Type.Integer(),
    rate: nullable(Type.Number({ description: 'Files per second.' })),
    state: Type.Enum(['waiting', 'running', 'paused', 'done', 'stopped', 'failed']),
  },
  { title: 'ScanStage' },
);
type Stage = Static<typeof Stage>;

export const StagesOut = Type.Object(
  { walk: Stage, hash: Stage, extract: Stage, thumbnail: Stage, index: Stage },
  { title: 'ScanStages', description: 'Extraction, thumbnails and indexing continue after the scan itself has ended.' },
);

/** The states of the stages without their counts. An empty stage stays empty, because it counts as finished. */
export function withoutStageCounts<Stages extends Record<string, Stage>>(stages: Stages): Stages {
  const hide = (stage: Stage): Stage => ({ ...stage, done: 0, total: stage.total === 0 ? 0 : null, failed: 0, rate: null });
  return Object.fromEntries(Object.entries(stages).map(([name, stage]) => [name, hide(stage)])) as Stages;
}
export const BackpressureOut = nullable(
  Type.Object({ state: Type.Enum(['tripped', 'recovering', 'paused']), reason: Type.String() }, { title: 'Backpressure' }),
);
export type BackpressureReport = NonNullable<Static<typeof BackpressureOut>>;

/** Results of one extraction batch for the files of one run. */
export interface StageCounts {
  extracted: number;
  failed: number;
  thumbs_wanted: number;
  thumbs_done: number;
  thumbs_failed: number;
}

/** Adds a batch's counts. The rate is measured over the current burst of work: 30 s without a batch starts a new one. */
export async function addStageCounts(db: Db, runId: string, counts: StageCounts): Promise<void> {
  await sql`update scan_stages set extracted = extracted + ${counts.extracted}, failed = failed + ${counts.failed},
      thumbs_wanted = thumbs_wanted + ${counts.thumbs_wanted}, thumbs_done = thumbs_done + ${counts.thumbs_done},
      thumbs_failed = thumbs_failed + ${counts.thumbs_failed}, changed_at = now(),
      burst_at = case when changed_at < now() - interval '30 seconds' then now() else burst_at end,
      burst_done = case when changed_at < now() - interval '30 seconds' then 0 else burst_done + ${counts.extracted} end
    where run_id = ${runId}`.execute(db);
}

const backpressureKey = (worker: string): string => `extract_pressure:${worker}`;

/** Publishes a worker's backpressure to all processes, or withdraws it with null. A report that is not repeated expires after 90 s. */
export async function reportBackpressure(db: Db, worker: string, report: BackpressureReport | null): Promise<void> {
  if (report === null) await sql`delete from service_state where key = ${backpressureKey(worker)}`.execute(db);
  else
    await sql`insert into service_state (key, value) values (${backpressureKey(worker)}, ${JSON.stringify(report)}::jsonb)
      on conflict (key) do update set value = excluded.value, updated_at = now()`.execute(db);
}

/** The most severe report of all workers. */
export async function readBackpressure(db: Db, freshSeconds = 90): Promise<BackpressureReport | null> {
  const { rows } = await sql<{ value: BackpressureReport }>`select value from service_state where starts_with(key, 'extract_pressure:')
      and updated_at > now() - make_interval(secs => ${freshSeconds})
    order by array_position(array['paused', 'tripped', 'recovering'], value ->> 'state') limit 1`.execute(db);
  return rows[0]?.value ?? null;
}

interface StagedRun {
  id: string;
  library_id: string;
  status: string;
  phase: string;
  stats: Record<string, unknown>;
}

/** The stages of each run, in the order of the runs. Only callers who see everything are told how far the index is behind. */
export type ReadStages = (
  runs: readonly StagedRun[],
  seesEverything: boolean,
) => Promise<{ stages: Static<typeof StagesOut>; backpressure: BackpressureReport | null }[]>;

export function createStageReader(db: Db): ReadStages {
  // Many open pages poll at once.
  const shared = cachedFor(1000, async () => {
    const [backpressure, depth] = await Promise.all([readBackpressure(db), outboxDepth(db)]);
    return { backpressure, depth };
  });
  return async (runs, seesEverything) => {
    if (runs.length === 0) return [];
    const newest = await newestRuns(db, [...new Set(runs.map(({ library_id }) => library_id))]);
    const [rows, { backpressure, depth }] = await Promise.all([readStageRows(db, runs, newest), shared()]);
    return runs.map((run) => {
      const row = rows.get(run.id);
      return {
        stages: {
          ...scanStages(run),
          ...extractStages(run, row, backpressure?.state === 'paused'),
          // Waiting documents may belong to any library; the newest run, which people watch, shows them as its own.
          index: indexStage(run, seesEverything && newest.has(run.id) ? depth : 0),
        },
        backpressure: row?.waiting ? backpressure : null,
      };
    });
  };
}

interface StageRow extends StageCounts {
  run_id: string;
  queued: number;
  rate: number | null;
  waiting: boolean;
  claimed: boolean;
}

/**
 * The newest run of a library also counts what its predecessors left unread, or a second scan would make the library look finished. Whether
 * files still wait is read from extract_pending itself, because the counts lack a batch whose worker died.
 */
async function readStageRows(db: Db, runs: readonly StagedRun[], newest: ReadonlySet<string>): Promise<Map<string, StageRow>> {
  const { rows } =
    await sql<StageRow>`select n.run_id, coalesce(sum(s.queued), 0)::int as queued, coalesce(sum(s.extracted), 0)::int as extracted,
      coalesce(sum(s.failed), 0)::int as failed, coalesce(sum(s.thumbs_wanted), 0)::int as thumbs_wanted,
      coalesce(sum(s.thumbs_done), 0)::int as thumbs_done, coalesce(sum(s.thumbs_failed), 0)::int as thumbs_failed,
      sum(case when s.burst_done > 0 and s.changed_at > s.burst_at then (s.burst_done / extract(epoch from s.changed_at - s.burst_at))::float8 end) as rate,
      coalesce(bool_or(s.waiting), false) as waiting, coalesce(bool_or(s.claimed), false) as claimed
    from unnest(${runs.map(({ id }) => id)}::uuid[], ${runs.map(({ library_id }) => library_id)}::uuid[],
        ${runs.map(({ id }) => newest.has(id))}::boolean[]) n (run_id, library_id, newest)
      cross join lateral (select t.*, exists (select from extract_pending p where p.run_id = t.run_id) as waiting,
          exists (select from extract_pending p where p.run_id = t.run_id and p.claimed_at is not null) as claimed
        from scan_stages t where t.run_id = n.run_id
          or (n.newest and t.run_id in (select r.id from scan_runs r where r.library_id = n.library_id order by r.id desc limit ${olderRuns}))
      ) s
    where s.run_id = n.run_id or s.waiting
    group by n.run_id`.execute(db);
  return new Map(rows.map((row) => [row.run_id, row]));
}

/** How many older runs are looked at for files that still wait. */
const olderRuns = 20;

async function newestRuns(db: Db, libraryIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select r.id from unnest(${[...libraryIds]}::uuid[]) l (id)
    cross join lateral (select id from scan_runs where library_id = l.id order by id desc limit 1) r`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

async function outboxDepth(db: Db): Promise<number> {
  const { rows } = await sql<{ depth: number }>`select index_backlog() as depth`.execute(db);
  return rows[0]?.depth ?? 0;
}

const isOpen = ({ status }: StagedRun): boolean => status === 'running' || status === 'stopping';

function counter(run: StagedRun): (name: string) => number {
  return (name) => (typeof run.stats[name] === 'number' ? (run.stats[name] as number) : 0);
}

const beforeWalk = new Set(['queued', 'checking']);

/** Walking and hashing, as the run counts them. */
function scanStages(run: StagedRun): { walk: Stage; hash: Stage } {
  const { status, phase, stats } = run;
  const count = counter(run);
  const open = isOpen(run);
  const ended = status === 'finished' ? 'done' : status === 'stopped' ? 'stopped' : 'failed';
  const unreadable = Object.values((stats['unreadable'] as Record<string, number> | undefined) ?? {}).reduce((sum, n) => sum + n, 0);
  const estimate = (stats['estimate'] as { seen: number } | undefined)?.seen;
  const walked = !open || !(beforeWalk.has(phase) || phase === 'walking');
  const hashed = walked && phase !== 'hashing';
  const [seen, fresh] = [count('seen'), count('new') + count('changed')];
  const seconds = count('walk_seconds') || count('elapsed');
  return {
    walk: {
      done: seen,
      total: walked ? seen : estimate === undefined ? null : Math.max(estimate, seen),
      failed: unreadable,
      rate: seen > 0 ? count('files_per_s') : null,
      state: !open ? ended : walked ? 'done' : beforeWalk.has(phase) ? 'waiting' : 'running',
    },
    hash: {
      done: Math.max(0, fresh - count('hash_errors')),
      total: hashed ? fresh : null,
      failed: count('hash_errors'),
      rate: fresh > 0 && seconds > 0 ? fresh / seconds : null,
      state: !open ? ended : hashed ? 'done' : beforeWalk.has(phase) ? 'waiting' : 'running',
    },
  };
}

function extractStages(run: StagedRun, row: StageRow | undefined, paused: boolean): { extract: Stage; thumbnail: Stage } {
  const idle = isOpen(run) ? 'waiting' : 'done';
  if (!row) {
    const none: Stage = { done: 0, total: isOpen(run) ? null : 0, failed: 0, rate: null, state: idle };
    return { extract: none, thumbnail: none };
  }
  const state: Stage['state'] = !row.waiting ? idle : paused ? 'paused' : row.claimed ? 'running' : 'waiting';
  const total = Math.max(row.queued, row.extracted);
  return {
    extract: {
      done: row.waiting ? Math.min(row.extracted, total) : total,
      total: isOpen(run) ? null : total,
      failed: row.failed,
      rate: row.waiting ? row.rate : null,
      state,
    },
    thumbnail: {
      done: row.thumbs_done,
      total: row.waiting || isOpen(run) ? null : row.thumbs_wanted,
      failed: row.thumbs_failed,
      rate: row.waiting && row.rate !== null && row.extracted > 0 ? (row.rate * row.thumbs_done) / row.extracted : null,
      state,
    },
  };
}

function indexStage(run: StagedRun, depth: number): Stage {
  const count = counter(run);
  const touched = ['new', 'changed', 'returned', 'missing', 'moved'].reduce((sum, name) => sum + count(name), 0);
  return {
    done: Math.max(0, touched - depth),
    total: isOpen(run) ? null : touched,
    failed: 0,
    rate: null,
    state: depth > 0 && touched > 0 ? 'running' : isOpen(run) ? 'waiting' : 'done',
  };
}
