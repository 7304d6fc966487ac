import { Clock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formatCount } from '../../format/numbers.ts';
import { StatusText } from '../../components/status.tsx';
import s from './jobs-page.module.css';
import { queueLabel } from './job-labels.ts';

export function Queues({ queues, tick }: { queues: Record<string, Record<string, number>>; tick: number }) {
  return (
    <div className={s.queues}>
      {Object.entries(queues).map(([name, figures]) => (
        <Queue key={name} name={name} running={figures['doing'] ?? 0} waiting={figures['todo'] ?? 0} tick={tick} />
      ))}
    </div>
  );
}

function Queue({ name, running, waiting, tick }: { name: string; running: number; waiting: number; tick: number }) {
  const history = useHistory(running + waiting, tick);
  const idle = running === 0 && waiting === 0;
  return (
    <section className={s.queue} aria-label={queueLabel(name)}>
      <div className="row" style={{ justifyContent: 'space-between' }}>
        <span className="m5">{queueLabel(name)}</span>
        {idle ? (
          <StatusText tone="idle" icon={Clock} className="meta">
            Idle
          </StatusText>
        ) : null}
      </div>
      <div className={s.figure}>
        {formatCount(running)} <span className="meta muted">running</span>
      </div>
      <div className="meta muted">{formatCount(waiting)} waiting</div>
      <Sparkline values={history} tone={idle ? 'idle' : 'active'} />
    </section>
  );
}

const POINTS = 24;

/** The values of the last refreshes while the page is open. */
function useHistory(value: number, tick: number): number[] {
  const [history, setHistory] = useState<number[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one point per refresh, even if the value is unchanged
  useEffect(() => setHistory((now) => [...now, value].slice(-POINTS)), [tick]);
  return history;
}

/** Decorative: the numbers above it carry the same information. */
function Sparkline({ values, tone }: { values: number[]; tone: 'active' | 'idle' }) {
  const padded = values.length === 1 ? [...values, ...values] : values;
  const max = Math.max(1, ...padded);
  const points = padded
    .map((v, i) => `${((i / Math.max(1, padded.length - 1)) * 160).toFixed(1)},${(22 - (v / max) * 19).toFixed(1)}`)
    .join(' ');
  return (
    <svg className={s.spark} viewBox="0 0 160 24" preserveAspectRatio="none" aria-hidden>
      <polygon points={`0,24 ${points} 160,24`} fill={`var(--${tone}-soft)`} />
      <polyline points={points} fill="none" stroke={`var(--${tone}-fill)`} strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
