import { FolderOpen, TriangleAlert } from 'lucide-react';
import type { ScanProgress, ScanStage } from '../../api/types.ts';
import { timeOfDay } from '../../format/dates.ts';
import { bytes, count, counted, duration } from '../../format/numbers.ts';
import { StatusText } from '../../parts/status.tsx';
import s from './library-card.module.css';

const NAMES = [
  ['walk', 'Walk', 'files'],
  ['hash', 'Hash', 'files'],
  ['extract', 'Extract', 'files'],
  ['index', 'Index', 'docs'],
] as const;

function rateWords(stage: ScanStage): string {
  if (stage.state === 'done' || (stage.total !== null && stage.done >= stage.total && stage.total > 0)) return 'done';
  if (stage.state === 'stalled') return 'stalled';
  if (!stage.rate) return '';
  return stage.unit === 'bytes' ? `${bytes(stage.rate)}/s` : `${count(Math.round(stage.rate))} ${stage.unit ?? 'files'}/s`;
}

/** Older answers have one counter only; it is the walk. */
function stagesOf(progress: ScanProgress): NonNullable<ScanProgress['stages']> {
  if (progress.stages) return progress.stages;
  return { walk: { done: progress.seen ?? 0, total: null, rate: progress.rate ?? null, unit: 'files' } };
}

/** "About 6 minutes left", only when the last run gives a base for it. */
export function leftWords(seconds: number | null | undefined): string | null {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return null;
  if (seconds < 60) return 'Less than a minute left';
  if (seconds < 5400) return `About ${counted(Math.round(seconds / 60), 'minute')} left`;
  return `About ${counted(Math.round(seconds / 3600), 'hour')} left`;
}

/** The four stages of a scan, each with its own bar, count and rate. */
export function Stages({ progress, startedAt }: { progress: ScanProgress | null; startedAt: string }) {
  if (!progress)
    return (
      <p className={`${s.line} ${s.plain}`} role="status">
        Started {timeOfDay(startedAt)}. Waiting for the first numbers…
      </p>
    );
  const stages = stagesOf(progress);
  const left = leftWords(progress.estimate_seconds);
  return (
    <>
      <div className="row g2 wrap" style={{ margin: '12px 0 4px', alignItems: 'baseline' }}>
        {progress.stalled ? (
          <StatusText tone="warn" icon={TriangleAlert}>
            Stalled{progress.stalled_seconds ? ` for ${duration(progress.stalled_seconds)}` : ''}
            {progress.phase ? ` at ${progress.phase}` : ''}. It is restarted by itself.
          </StatusText>
        ) : (
          <b className="b">
            {left ?? (progress.status === 'stopping' ? 'Stopping after the files in hand' : `${count(progress.seen ?? 0)} files so far`)}
          </b>
        )}
        <span className="meta muted">
          {left ? 'from the last run’s count · ' : ''}started {timeOfDay(startedAt)}
        </span>
      </div>
      {NAMES.map(([key, name, unit]) => {
        const stage = stages[key];
        if (!stage) return null;
        const share = stage.total ? Math.min(1, stage.done / stage.total) : stage.state === 'done' ? 1 : 0;
        const done = rateWords(stage) === 'done';
        return (
          <div key={key} className={s.stage}>
            <span className={s.name}>{name}</span>
            <div
              className={s.progress}
              data-tone={done ? 'ok' : stage.state === 'stalled' ? 'warn' : stage.state === 'waiting' ? 'idle' : 'active'}
              role="progressbar"
              aria-label={name}
              aria-valuenow={Math.round(share * 100)}
              aria-valuemin={0}
              aria-valuemax={100}
            >
              <i style={{ width: `${share * 100}%` }} />
            </div>
            <span className="num t2">
              {stage.total !== null && !done ? `${count(stage.done)} of ${count(stage.total)}` : `${count(stage.done)} ${unit}`}
            </span>
            <span className="num muted">{rateWords(stage)}</span>
          </div>
        );
      })}
      {progress.current_folder && (
        <div className={s.line}>
          <StatusText tone="active" icon={FolderOpen}>
            Now in
          </StatusText>
          <bdi className="mono cut grow">{progress.current_folder}</bdi>
          <span className="sm-hide">first results are already in search</span>
        </div>
      )}
    </>
  );
}
