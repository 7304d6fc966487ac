import { useQuery } from '@tanstack/react-query';
import * as fleet from '../../api/fleet.ts';
import { formatCount } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import s from './agents-tab.module.css';
import { lagBars, lagHours } from './lag.ts';

const height = 40;

/** How many changes waited at an agent in each hour of the last days. Hours in which it was away are empty. */
export function LagChart({ agentId }: { agentId: string }) {
  const { data } = useQuery({ queryKey: ['agents', 'lag', agentId], queryFn: () => fleet.lag(agentId), refetchInterval: 300_000 });
  if (!data || data.length === 0) return null;
  const { bars, most } = lagBars(data, Date.now());
  return (
    <figure className={s.lag}>
      <figcaption>
        {most === 0
          ? t('No change waited in the last two days')
          : t('Changes that waited in the last two days, at most {n}', { n: formatCount(most) })}
      </figcaption>
      <svg viewBox={`0 0 ${lagHours} ${height}`} preserveAspectRatio="none" aria-hidden>
        {bars.map(({ at, share }) => (
          <rect key={at} x={at + 0.1} width={0.8} y={height - Math.max(1, share * height)} height={Math.max(1, share * height)} />
        ))}
      </svg>
    </figure>
  );
}
