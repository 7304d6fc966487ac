import { sql } from 'kysely';
import type { LaterStages, Stage, StagedRun, StageSource } from '../catalog/libraries/index.ts';
import { readPressure, readStageRows, type StageRow } from '../content/pipeline/index.ts';
import type { Db } from '../platform/database/index.ts';
import { outboxDepth } from '../search/projection/index.ts';

/** What extraction and index have done with the files of scans. Asked by many screens at once, so each look is shared for a second. */
export function createStageSource(db: Db): StageSource {
  const common = sharedLook(1000, async () => {
    const [pressure, depth] = await Promise.all([readPressure(db), outboxDepth(db)]);
    return { pressure, depth };
  });
  return async (runs) => {
    if (runs.length === 0) return new Map();
    const [rows, newest, { pressure, depth }] = await Promise.all([
      readStageRows(
        db,
        runs.map(({ id }) => id),
      ),
      newestRuns(db, [...new Set(runs.map(({ library_id }) => library_id))]),
      common(),
    ]);
    return new Map(
      runs.map((run): [string, LaterStages] => {
        const extraction = extractStages(run, rows.get(run.id), pressure?.state === 'paused');
        const index = indexStage(run, newest.has(run.id) ? depth : 0);
        return [run.id, { stages: { ...extraction, index }, backpressure: rows.get(run.id)?.waiting ? pressure : null }];
      }),
    );
  };
}

const isOpen = ({ status }: StagedRun): boolean => status === 'running' || status === 'stopping';

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

/** Documents that wait may belong to any library; the newest run shows them as its own, for it is what people watch. */
function indexStage(run: StagedRun, depth: number): Stage {
  const count = (name: string): number => (typeof run.stats[name] === 'number' ? (run.stats[name] as number) : 0);
  const touched = ['new', 'changed', 'returned', 'missing', 'moved'].reduce((sum, name) => sum + count(name), 0);
  return {
    done: Math.max(0, touched - depth),
    total: isOpen(run) ? null : touched,
    failed: 0,
    rate: null,
    state: depth > 0 && touched > 0 ? 'running' : isOpen(run) ? 'waiting' : 'done',
  };
}

async function newestRuns(db: Db, libraryIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select r.id from unnest(${[...libraryIds]}::uuid[]) l (id)
    cross join lateral (select id from scan_runs where library_id = l.id order by id desc limit 1) r`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Asked often, answered from the last look for a while. */
function sharedLook<T>(ms: number, look: () => Promise<T>): () => Promise<T> {
  let at = Number.NEGATIVE_INFINITY;
  let last: Promise<T> | undefined;
  return () => {
    if (!last || performance.now() - at > ms) {
      at = performance.now();
      last = look();
      // A failed look is not kept.
      last.catch(() => {
        last = undefined;
      });
    }
    return last;
  };
}
