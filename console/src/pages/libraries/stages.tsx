import { FolderOpen, TriangleAlert } from 'lucide-react';
import { timeOfDay } from '../../format/dates.ts';
import { bytes, count, counted } from '../../format/numbers.ts';
import { StatusText } from '../../parts/status.tsx';
import s from './library-card.module.css';
import type { Scan } from '../../api/types.ts';

export interface Stage {
  name: string;
  unit: string;
  done: number;
  total: number | null;
  rate: string;
  state: 'waiting' | 'running' | 'done' | 'stalled';
}

/** The phases of a scan in their order; several belong to one stage people know. */
const PHASES = ['queued', 'checking', 'walking', 'comparing', 'hashing', 'moving', 'tombstones', 'queueing'];

/** What the four stages are at, read from the run and from what waits behind it. */
export function stagesOf(scan: Scan, waiting: { extract: number; index: number } | null): Stage[] {
  const at = Math.max(0, PHASES.indexOf(scan.phase));
  const stateFor = (from: string, to: string): Stage['state'] => {
    if (at > PHASES.indexOf(to)) return 'done';
    if (at < PHASES.indexOf(from)) return 'waiting';
    return scan.stalled ? 'stalled' : 'running';
  };
  const walk = stateFor('walking', 'comparing');
  const hash = stateFor('hashing', 'hashing');
  const hashed = typeof scan.stats['content_hashed'] === 'number' ? scan.stats['content_hashed'] : 0;
  const toHash = typeof scan.stats['content_to_hash'] === 'number' ? scan.stats['content_to_hash'] : null;
  const stages: Stage[] = [
    {
      name: 'Walk',
      unit: 'files',
      done: scan.seen,
      total: walk === 'done' ? scan.seen : (scan.estimate?.seen ?? null),
      rate: walk === 'running' ? `${count(Math.round(scan.files_per_s))} files/s` : '',
      state: walk,
    },
    {
      name: 'Hash',
      unit: 'files',
      done: hashed,
      total: toHash,
      rate: hash === 'running' && scan.bytes_per_s > 0 ? `${bytes(scan.bytes_per_s)}/s` : '',
      state: hash,
    },
  ];
  if (waiting) {
    stages.push(
      {
        name: 'Extract',
        unit: 'waiting',
        done: waiting.extract,
        total: null,
        rate: '',
        state: waiting.extract > 0 ? 'running' : 'waiting',
      },
      { name: 'Index', unit: 'waiting', done: waiting.index, total: null, rate: '', state: waiting.index > 0 ? 'running' : 'waiting' },
    );
  }
  return stages;
}

/** "About 6 minutes left", only when the last run gives a base for it. */
export function leftWords(seconds: number | null): string | null {
  if (seconds === null || !Number.isFinite(seconds)) return null;
  if (seconds < 60) return 'Less than a minute left';
  if (seconds < 5400) return `About ${counted(Math.round(seconds / 60), 'minute')} left`;
  return `About ${counted(Math.round(seconds / 3600), 'hour')} left`;
}

function secondsLeft(scan: Scan): number | null {
  const share = scan.estimate?.share;
  if (!scan.estimate || share === null || share === undefined) return null;
  return scan.estimate.seconds * (1 - share);
}

const TONES = { done: 'ok', running: 'active', waiting: 'idle', stalled: 'warn' } as const;

/** The stages of a scan, each with its own bar, count and rate. */
export function Stages({
  scan,
  startedAt,
  waiting,
}: {
  scan: Scan | null;
  startedAt: string;
  waiting: { extract: number; index: number } | null;
}) {
  if (!scan)
    return (
      <p className={`${s.line} ${s.plain}`} role="status">
        Started {timeOfDay(startedAt)}. Waiting for the first numbers…
      </p>
    );
  const left = leftWords(secondsLeft(scan));
  return (
    <>
      <div className="row g2 wrap" style={{ margin: '12px 0 4px', alignItems: 'baseline' }}>
        {scan.stalled ? (
          <StatusText tone="warn" icon={TriangleAlert}>
            Stalled at {scan.phase}. The worker gave no sign; it is restarted by itself.
          </StatusText>
        ) : (
          <b className="b">
            {scan.status === 'stopping' ? 'Stopping after the files in hand' : (left ?? `${counted(scan.seen, 'file')} so far`)}
          </b>
        )}
        <span className="meta muted">
          {left && !scan.stalled ? 'from the last run’s count · ' : ''}started {timeOfDay(scan.started_at)}
        </span>
      </div>
      {stagesOf(scan, waiting).map((stage) => {
        const share = stage.state === 'done' ? 1 : stage.total ? Math.min(1, stage.done / stage.total) : 0;
        return (
          <div key={stage.name} className={s.stage}>
            <span className={s.name}>{stage.name}</span>
            <div
              className={s.progress}
              data-tone={TONES[stage.state]}
              data-unknown={stage.state === 'running' && stage.total === null}
              role="progressbar"
              aria-label={stage.name}
              aria-valuemin={0}
              aria-valuemax={100}
              {...(stage.total === null && stage.state !== 'done' ? {} : { 'aria-valuenow': Math.round(share * 100) })}
            >
              <i style={{ width: stage.state === 'running' && stage.total === null ? '100%' : `${share * 100}%` }} />
            </div>
            <span className="num t2">
              {stage.state === 'waiting' && stage.done === 0
                ? ''
                : stage.total !== null && stage.state !== 'done'
                  ? `${count(stage.done)} of ${count(stage.total)}`
                  : `${count(stage.done)} ${stage.unit}`}
            </span>
            <span className="num muted">{stage.state === 'done' ? 'done' : stage.state === 'waiting' ? 'to come' : stage.rate}</span>
          </div>
        );
      })}
      {scan.current_folder && (
        <div className={s.line}>
          <StatusText tone="active" icon={FolderOpen}>
            Now in
          </StatusText>
          <bdi className="mono cut grow">{scan.current_folder}</bdi>
          <span className="sm-hide">first results are already in search</span>
        </div>
      )}
    </>
  );
}
