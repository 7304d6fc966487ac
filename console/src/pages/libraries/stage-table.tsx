import { FolderOpen, Gauge, TriangleAlert } from 'lucide-react';
import type { Library, Scan } from '../../api/types.ts';
import { Note, StatusText } from '../../components/status.tsx';
import { formatTime } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import s from './library-card.module.css';
import { backpressureText, phaseLabel, type ScanStages, secondsRemaining, stageRows, timeLeft } from './stages.ts';

/** A running scan: time left, stages and current folder. */
export function RunningStages({ scan, last }: { scan: Scan | null; last: Library['last_scan'] }) {
  const stages = scan?.stages ?? last?.stages;
  if (!scan || !stages)
    return (
      <p className={`${s.line} ${s.plain}`} role="status">
        {last ? t('Started {time}. Waiting for progress…', { time: formatTime(last.started_at) }) : t('Waiting for progress…')}
      </p>
    );
  const fromLast = scan.estimate && scan.estimate.share !== null ? scan.estimate.seconds * (1 - scan.estimate.share) : null;
  const left = timeLeft(fromLast ?? secondsRemaining(stages));
  return (
    <>
      <div className="row g2 wrap" style={{ margin: '12px 0 4px', alignItems: 'baseline' }}>
        {scan.stalled ? (
          <StatusText tone="warn" icon={TriangleAlert}>
            {scan.stalled_since
              ? t('Stalled since {time} at {phase}.', { time: formatTime(scan.stalled_since), phase: phaseLabel(scan.phase) })
              : t('Stalled at {phase}.', { phase: phaseLabel(scan.phase) })}{' '}
            {t('The worker is not responding and will be restarted.')}
          </StatusText>
        ) : (
          <b className="b">
            {scan.status === 'stopping'
              ? t('Stopping after the current files')
              : (left ?? t('{seen|# file|# files} so far', { seen: scan.seen }))}
          </b>
        )}
        <span className="meta muted">
          {left && !scan.stalled && fromLast !== null && `${t('based on the last scan')} · `}
          {t('started {time}', { time: formatTime(scan.started_at) })}
        </span>
      </div>
      <StageTable stages={stages} scan={scan} />
      <BackpressureNote backpressure={scan.backpressure} />
      {scan.current_folder && (
        <div className={s.line}>
          <StatusText tone="active" icon={FolderOpen}>
            {t('Current folder')}
          </StatusText>
          <bdi className="mono cut grow">{scan.current_folder}</bdi>
          <span className="sm-hide">{t('First results are already searchable')}</span>
        </div>
      )}
    </>
  );
}

/** After the walk: all names are searchable while contents, thumbnails and the index are still processed. */
export function BackgroundStages({ last }: { last: NonNullable<Library['last_scan']> }) {
  if (!last.stages) return null;
  const left = timeLeft(secondsRemaining(last.stages));
  return (
    <>
      <div className="row g2 wrap" style={{ margin: '12px 0 4px', alignItems: 'baseline' }}>
        <b className="b">{left ?? t('All file names are searchable')}</b>
        <span className="meta muted">
          {left ? t('All file names are searchable; contents and thumbnails follow') : t('contents and thumbnails follow')}
        </span>
      </div>
      <StageTable stages={last.stages} scan={{}} />
      <BackpressureNote backpressure={last.backpressure} />
    </>
  );
}

function BackpressureNote({ backpressure }: { backpressure: Scan['backpressure'] | undefined }) {
  if (!backpressure) return null;
  const { title, reason } = backpressureText(backpressure);
  return (
    <div style={{ marginTop: 8 }}>
      <Note tone="warn" icon={Gauge}>
        <b className="b">{title}</b> <span className="t2">{reason}</span>
      </Note>
    </div>
  );
}

function StageTable({ stages, scan }: { stages: ScanStages; scan: { stalled?: boolean; bytes_per_s?: number | null } }) {
  return stageRows(stages, scan).map((line) => (
    <div key={line.name} className={s.stage}>
      <span className={s.name}>{line.name}</span>
      <div
        className={s.progress}
        data-tone={line.tone}
        data-unknown={line.share === null}
        role="progressbar"
        aria-label={line.name}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={`${line.amount} ${line.detail}`.trim() || t('not started')}
        {...(line.share === null ? {} : { 'aria-valuenow': Math.round(line.share * 100) })}
      >
        <i style={{ width: line.share === null ? '100%' : `${line.share * 100}%` }} />
      </div>
      <span className="num t2">
        {line.amount}
        {line.failed > 0 && (
          <span className={s.failed}>
            {' · '}
            {t('{failed} failed', { failed: line.failed })}
          </span>
        )}
      </span>
      <span className="num muted">{line.detail}</span>
    </div>
  ));
}
