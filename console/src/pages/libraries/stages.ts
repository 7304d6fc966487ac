import type { Scan } from '../../api/types.ts';
import { formatBytes } from '../../format/numbers.ts';
import { serverText, t } from '../../language/text.ts';

/** The stages of a scan, in order. */
const NAMES = { walk: t('Walk'), hash: t('Hash'), extract: t('Contents'), thumbnail: t('Thumbnails'), index: t('Index') };
type Key = keyof typeof NAMES;
export type ScanStages = Scan['stages'];
type StageState = ScanStages[Key]['state'];

interface StageRow {
  name: string;
  /** Progress from 0 to 1, or null if unknown. */
  share: number | null;
  amount: string;
  /** The speed while running, otherwise the state. */
  detail: string;
  failed: number;
  tone: 'ok' | 'active' | 'warn' | 'idle' | 'danger';
}

const STATE_LABELS: Record<StageState, string> = {
  waiting: t('not started'),
  running: '',
  paused: t('paused'),
  done: t('done'),
  stopped: t('stopped'),
  failed: t('failed'),
};
const TONES = { waiting: 'idle', running: 'active', paused: 'warn', done: 'ok', stopped: 'idle', failed: 'danger' } as const;

function speed(key: Key, rate: number | null, scan: { bytes_per_s?: number | null }): string {
  if (key === 'hash' && scan.bytes_per_s) return `${formatBytes(scan.bytes_per_s)}/s`;
  return rate ? t('{n|# file/s|# files/s}', { n: Math.round(rate) }) : t('running');
}

/** One row per stage with amount, speed and state. In a stalled scan the running stages are shown as stalled. */
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
            ? t('{done} of {total}', { done, total })
            : t('{n|# file|# files}', { n: done }),
      detail: stalled ? t('stalled') : state === 'running' ? speed(key, rate, scan) : STATE_LABELS[state],
      failed,
      tone: stalled ? 'warn' : TONES[state],
    };
  });
}

/** Whether files are still being read, rendered or indexed, which continues after the walk. */
export function hasUnfinishedStages(stages: ScanStages | undefined): boolean {
  return (
    stages !== undefined &&
    Object.values(stages).some((stage) => ['running', 'waiting', 'paused'].includes(stage.state) && stage.total !== 0)
  );
}

/** Seconds until the slowest running stage is done; null if one of them has no known speed or total. */
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
  if (seconds < 60) return t('Less than a minute left');
  if (seconds < 5400) return t('About {seconds|# minute|# minutes} left', { seconds: Math.round(seconds / 60) });
  return t('About {seconds|# hour|# hours} left', { seconds: Math.round(seconds / 3600) });
}

const PHASES: Record<string, string> = {
  queued: t('start'),
  checking: t('initial checks'),
  walking: t('Walk'),
  comparing: t('Walk'),
  hashing: t('Hash'),
  moving: t('detecting moved files'),
  tombstones: t('marking missing files'),
  queueing: t('queueing files'),
};
export const phaseLabel = (phase: string): string => PHASES[phase] ?? phase;

const PRESSURE = {
  tripped: t('Reading contents is slowed down.'),
  recovering: t('Reading contents is resuming.'),
  paused: t('Reading contents is paused.'),
};

export const backpressureText = ({ state, reason }: NonNullable<Scan['backpressure']>): { title: string; reason: string } => ({
  title: PRESSURE[state],
  reason: serverText(reason),
});
