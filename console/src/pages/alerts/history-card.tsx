import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { BellOff, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import * as api from '../../api/alerts.ts';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { formatRecent } from '../../format/dates.ts';
import { formatDuration } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import { readOnlyListProps } from '../../shell/list-keys.ts';
import s from './alerts-page.module.css';
import { outcomeText } from './labels.ts';

const PERIODS = [
  { value: '1', label: t('Last day') },
  { value: '7', label: t('Last 7 days') },
  { value: '30', label: t('Last 30 days') },
];

export function HistoryCard() {
  const [days, setDays] = useState('7');
  const past = useQuery({
    queryKey: ['alerts', 'resolved', days],
    queryFn: () => api.alerts({ state: 'resolved', days: Number(days), limit: 100 }),
    refetchInterval: 30_000,
  });
  return (
    <Card
      title={t('History')}
      headingId="alerts-history"
      aside={<NativeSelect aria-label={t('Period')} data={PERIODS} value={days} onChange={(event) => setDays(event.currentTarget.value)} />}
    >
      <ErrorNote error={past.error} />
      {past.data?.items.length === 0 && <p className="t2">{t('No alert ended in this time.')}</p>}
      <ul className={s.list} {...readOnlyListProps}>
        {past.data?.items.map((alert) => (
          <li key={alert.id} className={s.past}>
            <span className="muted sm-hide">{formatRecent(alert.opened_at)}</span>
            {alert.outcome === 'silenced' || alert.outcome === 'inhibited' ? (
              <BellOff size={16} aria-hidden />
            ) : (
              <CircleCheck size={16} aria-hidden className="ok" />
            )}
            <span className="cut" title={alert.title}>
              {alert.title}
            </span>
            <span className="t2 sm-hide">{outcomeText(alert)}</span>
            <span className="t2 num">
              {alert.resolved_at && formatDuration((new Date(alert.resolved_at).getTime() - new Date(alert.opened_at).getTime()) / 1000)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
