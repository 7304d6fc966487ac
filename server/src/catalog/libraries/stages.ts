import { nullable } from '../../platform/schemas.ts';
import { type Static, Type } from 'typebox';

const Stage = Type.Object(
  {
    done: Type.Integer(),
    total: nullable(Type.Integer({ description: 'Null while nobody can know.' })),
    failed: Type.Integer(),
    rate: nullable(Type.Number({ description: 'Files a second.' })),
    state: Type.Enum(['waiting', 'running', 'paused', 'done', 'stopped', 'failed']),
  },
  { title: 'ScanStage' },
);
export type Stage = Static<typeof Stage>;

export const StagesOut = Type.Object(
  { walk: Stage, hash: Stage, extract: Stage, thumbnail: Stage, index: Stage },
  { title: 'ScanStages', description: 'Extraction, thumbnails and index go on after the scan itself has ended.' },
);
export const BackpressureOut = nullable(
  Type.Object({ state: Type.Enum(['tripped', 'recovering', 'paused']), reason: Type.String() }, { title: 'Backpressure' }),
);

export interface StagedRun {
  id: string;
  library_id: string;
  status: string;
  phase: string;
  stats: Record<string, unknown>;
}

/** What later wings know of a run; they hand it in, for this one knows nothing of them. */
export interface LaterStages {
  stages: { extract: Stage; thumbnail: Stage; index: Stage };
  backpressure: Static<typeof BackpressureOut>;
}
export type StageSource = (runs: readonly StagedRun[]) => Promise<Map<string, LaterStages>>;

const nothing: Stage = { done: 0, total: 0, failed: 0, rate: null, state: 'done' };
/** Where no later wing takes part. */
export const noLaterStages: StageSource = async () => new Map();

/** All five stages of each run. */
export async function stagesOf(runs: readonly StagedRun[], source: StageSource) {
  const later = await source(runs);
  return runs.map((run) => {
    const { stages, backpressure } = later.get(run.id) ?? {
      stages: { extract: nothing, thumbnail: nothing, index: nothing },
      backpressure: null,
    };
    return { stages: { ...ownStages(run), ...stages }, backpressure };
  });
}

const beforeWalk = new Set(['queued', 'checking']);

/** Walking and hashing, as the run itself counts them. */
function ownStages({ status, phase, stats }: StagedRun): { walk: Stage; hash: Stage } {
  const count = (name: string): number => (typeof stats[name] === 'number' ? (stats[name] as number) : 0);
  const open = status === 'running' || status === 'stopping';
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
