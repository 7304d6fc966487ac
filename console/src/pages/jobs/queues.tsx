import { Clock } from 'lucide-react';
import { formatCount } from '../../format/numbers.ts';
import { StatusText } from '../../components/status.tsx';
import s from './jobs-page.module.css';
import { queueWord } from './queue-words.ts';
import { Sparkline, useTrail } from './sparkline.tsx';

/** What each queue is doing now. */
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
  const trail = useTrail(running + waiting, tick);
  const idle = running === 0 && waiting === 0;
  return (
    <section className={s.queue} aria-label={queueWord(name)}>
      <div className="row" style={{ justifyContent: 'space-between' }}>
        <span className="m5">{queueWord(name)}</span>
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
      <Sparkline values={trail} tone={idle ? 'idle' : 'active'} />
    </section>
  );
}
