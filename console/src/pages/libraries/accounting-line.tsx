import { CircleCheck, CircleSlash, TriangleAlert } from 'lucide-react';
import { count } from '../../format/numbers.ts';
import { LinkButton } from '../../parts/button.tsx';
import { StatusText } from '../../parts/status.tsx';
import { openExplain } from '../../shell/overlays.ts';
import type { Accounting } from './health.ts';
import s from './library-card.module.css';

/** ✓ Adds up · 1,204,311 on disk = 1,180,002 seen + 24,300 excluded + 9 pruned. */
export function AccountingLine({ sums }: { sums: Accounting }) {
  if (!sums) return null;
  if (sums.kind === 'not-counted')
    return (
      <div className={s.line}>
        <StatusText tone="idle" icon={CircleSlash}>
          Pruned not counted
        </StatusText>
        <span className={s.op}>·</span>
        <span>
          <b>{count(sums.seen)}</b> seen
        </span>
        <span className={s.op}>+</span>
        <span>
          <b>{count(sums.excluded)}</b> excluded
        </span>
      </div>
    );
  return (
    <div className={s.line}>
      {sums.kind === 'adds-up' ? (
        <StatusText tone="ok" icon={CircleCheck}>
          Adds up
        </StatusText>
      ) : (
        <StatusText tone="warn" icon={TriangleAlert}>
          Off by {count(Math.abs(sums.by))}
        </StatusText>
      )}
      <span className={s.op}>·</span>
      <span>
        <b>{count(sums.onDisk)}</b> on disk
      </span>
      <span className={s.op}>=</span>
      <span>
        <b>{count(sums.seen)}</b> seen
      </span>
      <span className={s.op}>+</span>
      <span>
        <b>{count(sums.excluded)}</b> excluded
      </span>
      <span className={s.op}>+</span>
      <span>
        <b>{count(sums.pruned)}</b> pruned
      </span>
      {sums.kind === 'off' && <LinkButton onClick={openExplain}>Explain</LinkButton>}
    </div>
  );
}
