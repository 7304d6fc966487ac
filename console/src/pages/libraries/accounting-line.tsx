import { CircleCheck, CircleSlash } from 'lucide-react';
import { formatCount } from '../../format/numbers.ts';
import { StatusText } from '../../components/status.tsx';
import type { Accounting } from './health.ts';
import s from './library-card.module.css';

/** ✓ Adds up · 1,204,311 on disk = 1,180,002 seen + 24,300 excluded + 9 pruned. The tick shows only when everything was counted. */
export function AccountingLine({ sums }: { sums: Accounting | null }) {
  if (!sums) return null;
  return (
    <div className={s.line}>
      {sums.counted ? (
        <>
          <StatusText tone="ok" icon={CircleCheck}>
            Adds up
          </StatusText>
          <span className={s.op}>·</span>
          <span>
            <b>{formatCount(sums.onDisk)}</b> on disk
          </span>
          <span className={s.op}>=</span>
        </>
      ) : (
        <>
          <StatusText tone="idle" icon={CircleSlash}>
            Pruned not counted
          </StatusText>
          <span className={s.op}>·</span>
        </>
      )}
      <span>
        <b>{formatCount(sums.seen)}</b> seen
      </span>
      <span className={s.op}>+</span>
      <span>
        <b>{formatCount(sums.excluded)}</b> excluded
      </span>
      {sums.counted && (
        <>
          <span className={s.op}>+</span>
          <span>
            <b>{formatCount(sums.pruned)}</b> pruned
          </span>
        </>
      )}
    </div>
  );
}
