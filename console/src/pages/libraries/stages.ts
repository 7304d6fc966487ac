import type { Scan } from '../../api/types.ts';
import { formatBytes, formatCount, pluralize } from '../../format/numbers.ts';

/** The stages every file of a scan goes through, in their order. */
const NAMES = { walk: 'Walk', hash: 'Hash', extract: 'Extract', thumbnail: 'Thumbnails', index: 'Index' } as const;
type Key = keyof typeof NAMES;
export type ScanStages = Scan['stages'];
type StageState = ScanStages[Key]['state'];

export interface StageRow {
  name: string;
  /** What is done of it, between 0 and 1; null while nobody can tell. */
  share: number | null;
  amount: string;
  /** The speed while it runs, else the word for how it is. */
  word: string;
  failed: number;
  tone: 'ok' | 'active' | 'warn' | 'idle' | 'danger';
}

const STATE_LABELS: Record<StageState, string> = {
  waiting: 'to come',
  running: '',
  paused: 'paused',
  done: 'done',
  stopped: 'stopped',
  failed: 'failed',
};
const TONES = { waiting: 'idle', running: 'active', paused: 'warn', done: 'ok', stopped: 'idle', failed: 'danger' } as const;

function speed(key: Key, rate: number | null, scan: { bytes_per_s?: number | null }): string {
  if (key === 'hash' && scan.bytes_per_s) return `${formatBytes(scan.bytes_per_s)}/s`;
  return rate ? `${formatCount(Math.round(rate))} ${key === 'index' ? 'docs' : 'files'}/s` : 'running';
}

/** One line for each stage: how much of how much, how fast, and how it is. A stalled scan stands still where it runs. */
export function stageRows(stages: ScanStages, scan: { stalled?: boolean; bytes_per_s?: number | null }): StageRow[] {
  return (Object.keys(NAMES) as Key[]).map((key) => {
    const { done, total, failed, rate, state } = stages[key];
    const stalled = state === 'running' && scan.stalled === true;
    return {
      name: NAMES[key],
      share: state === 'done' ? 1 : total ? Math.min(1, done / total) : state === 'running' ? null : 0,
      amount:
        state === 'waiting' && done === 0
          ? ''
          : total !== null && total > 0 && done < total
            ? `${formatCount(done)} of ${formatCount(total)}`
            : pluralize(done, 'file'),
      word: stalled ? 'stalled' : state === 'running' ? speed(key, rate, scan) : STATE_LABELS[state],
      failed,
      tone: stalled ? 'warn' : TONES[state],
    };
  });
}

/** Whether files of the run are still being read, drawn or indexed; that goes on after the walk has ended. */
export function hasUnfinishedStages(stages: ScanStages | undefined): boolean {
  return (
    stages !== undefined &&
    Object.values(stages).some((stage) => ['running', 'waiting', 'paused'].includes(stage.state) && stage.total !== 0)
  );
}

/** Seconds until the slowest stage is through, from the speeds told; null when one that runs has no speed or no end. */
export function secondsRemaining(stages: ScanStages): number | null {
  let longest: number | null = null;
  for (const { done, total, rate, state } of Object.values(stages)) {
    if (state !== 'running') continue;
    if (total === null || !rate) return null;
    longest = Math.max(longest ?? 0, (total - done) / rate);
  }
  return longest;
}

/** "About 6 minutes left". */
export function timeLeft(seconds: number | null): string | null {
  if (seconds === null || !Number.isFinite(seconds)) return null;
  if (seconds < 60) return 'Less than a minute left';
  if (seconds < 5400) return `About ${pluralize(Math.round(seconds / 60), 'minute')} left`;
  return `About ${pluralize(Math.round(seconds / 3600), 'hour')} left`;
}

const PHASES: Record<string, string> = {
  queued: 'the start',
  checking: 'the first check',
  walking: 'Walk',
  comparing: 'Walk',
  hashing: 'Hash',
  moving: 'finding moved files',
  tombstones: 'marking missing files',
  queueing: 'handing files on',
};
export const phaseLabel = (phase: string): string => PHASES[phase] ?? phase;

const PRESSURE = {
  tripped: 'Reading contents is slowed.',
  recovering: 'Reading contents picks up speed again.',
  paused: 'Reading contents is paused.',
} as const;

/** What holds the work back, in words. */
export const backpressureText = ({ state, reason }: NonNullable<Scan['backpressure']>): { title: string; reason: string } => ({
  title: PRESSURE[state],
  reason,
});
