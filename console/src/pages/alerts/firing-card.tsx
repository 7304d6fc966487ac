import { Menu } from '@mantine/core';
import { type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { BellOff, Check, ChevronDown, RotateCcw } from 'lucide-react';
import { useRef } from 'react';
import * as api from '../../api/alerts.ts';
import type { Alert } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { StatusPill } from '../../components/status.tsx';
import { formatRecent } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import { useKeys } from '../../shell/keys.ts';
import { listProps } from '../../shell/list-keys.ts';
import s from './alerts-page.module.css';
import { eventIcon, ruleName, SEVERITIES, sentTo } from './labels.ts';

const SILENCE_HOURS = [1, 4, 24, 168];

export function FiringCard({
  query,
  admin,
  rules,
}: {
  query: UseQueryResult<{ items: Alert[]; firing: number }>;
  admin: boolean;
  rules: number | null;
}) {
  const items = query.data?.items;
  const list = useRef<HTMLUListElement>(null);
  /** Presses a button of the row that has the focus, or else of the first row that has the button. */
  const press = (action: 'acknowledge' | 'silence') => {
    const rows = [...(list.current?.querySelectorAll('li') ?? [])];
    const focused = rows.filter((row) => row.contains(document.activeElement));
    const button = (focused.length > 0 ? focused : rows)
      .map((row) => row.querySelector<HTMLButtonElement>(`[data-action="${action}"]`))
      .find((found) => found !== null);
    button?.click();
    return button !== undefined;
  };
  useKeys({ a: () => press('acknowledge'), s: () => press('silence') }, admin);
  return (
    <Card
      headingId="alerts-firing"
      title={
        <>
          <h2 className="h3" id="alerts-firing">
            {t('Firing')}
          </h2>
          {items && <span className="muted">{items.length}</span>}
        </>
      }
    >
      <ErrorNote error={query.error} />
      {items?.length === 0 && (
        <p className="t2">
          {rules === null ? t('Nothing is firing.') : t('Nothing is firing. {rules|# rule|# rules} checked every minute.', { rules })}
        </p>
      )}
      <ul className={s.list} ref={list} {...listProps}>
        {items?.map((alert) => (
          <FiringRow key={alert.id} alert={alert} admin={admin} />
        ))}
      </ul>
    </Card>
  );
}

function FiringRow({ alert, admin }: { alert: Alert; admin: boolean }) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ['alerts'] });
  const act = useMutation({
    mutationFn: async (action: 'acknowledge' | 'resend' | number) => {
      if (action === 'acknowledge') await api.acknowledgeAlert(alert.id);
      else if (action === 'resend') await api.resendAlert(alert.id);
      else
        await api.createSilence({
          alert_id: alert.id,
          ends_at: new Date(Date.now() + action * 3_600_000).toISOString(),
          reason: alert.title.slice(0, 200),
        });
    },
    onSuccess: async () => {
      await refresh();
      await client.invalidateQueries({ queryKey: ['alert-silences'] });
    },
  });
  const Icon = eventIcon(alert.event_type);
  const severity = SEVERITIES[alert.severity];
  const failed = alert.deliveries.some(({ state }) => state === 'failed');
  const told = sentTo(alert.deliveries);
  return (
    <li className={s.firing}>
      <Icon size={18} aria-hidden className={alert.severity === 'critical' ? 'danger' : undefined} />
      <div>
        <p className="row g2 wrap">
          <b className="m5 anywhere">{alert.title}</b>
          <StatusPill tone={severity.tone} icon={severity.icon}>
            {severity.label}
          </StatusPill>
        </p>
        {alert.message !== '' && alert.message !== alert.title && <p className="t2 anywhere">{alert.message}</p>}
        <p className={s.small}>
          {t('Since {opened_at}', { opened_at: formatRecent(alert.opened_at) })}
          {told && ` · ${told}`}
          {alert.held && ` · ${t('not sent: {held}', { held: alert.held })}`}
          {alert.acknowledged_by && ` · ${t('acknowledged by {acknowledged_by}', { acknowledged_by: alert.acknowledged_by })}`}
          {' · '}
          {t('Rule: {rule_name}', { rule_name: ruleName(alert.rule_name) })}
        </p>
        {failed && <p className={s.small}>{alert.deliveries.find(({ state }) => state === 'failed')?.last_error}</p>}
        <ErrorNote error={act.error} />
      </div>
      {admin && (
        <div className={s.buttons}>
          {failed && (
            <Button onClick={() => act.mutate('resend')} disabled={act.isPending}>
              <RotateCcw size={16} aria-hidden />
              {t('Send again')}
            </Button>
          )}
          {!alert.acknowledged_at && (
            <Button onClick={() => act.mutate('acknowledge')} disabled={act.isPending} data-action="acknowledge">
              <Check size={16} aria-hidden />
              {t('Acknowledge')}
            </Button>
          )}
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <Button disabled={act.isPending} data-action="silence">
                <BellOff size={16} aria-hidden />
                {t('Silence')}
                <ChevronDown size={14} aria-hidden />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {SILENCE_HOURS.map((hours) => (
                <Menu.Item key={hours} onClick={() => act.mutate(hours)}>
                  {hours < 24 ? t('For {hours|# hour|# hours}', { hours }) : t('For {hours|# day|# days}', { hours: hours / 24 })}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </div>
      )}
    </li>
  );
}
