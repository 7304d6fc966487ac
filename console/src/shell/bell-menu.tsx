import type { ReactNode } from 'react';
import type { Alert } from '../api/types.ts';
import { LazyMenu } from '../components/lazy-menu.tsx';
import { formatRecent } from '../format/dates.ts';
import { t } from '../language/text.ts';
import { eventIcon, SEVERITIES } from '../pages/alerts/labels.ts';
import s from './bell-menu.module.css';

const SHOWN = 5;

/** The bell of the rail while something fires: a menu with what it is. Without a firing alert the rail has a plain link. */
export function BellMenu({
  alerts,
  className,
  current,
  children,
}: {
  alerts: readonly Alert[];
  className: string;
  current: boolean;
  children: ReactNode;
}) {
  const open = alerts.filter(({ acknowledged_at }) => acknowledged_at === null);
  return (
    <LazyMenu
      position="right-start"
      withinPortal
      width={360}
      target={
        <button type="button" className={className} aria-current={current ? 'page' : undefined}>
          {children}
        </button>
      }
    >
      {(Menu) => (
        <>
          {open.slice(0, SHOWN).map((alert) => {
            const Icon = eventIcon(alert.event_type);
            return (
              <Menu.Item key={alert.id} component="a" href="#/alerts" leftSection={<Icon size={18} aria-hidden />}>
                <span className={s.title}>{alert.title}</span>
                <span className={s.when}>
                  {t('{label}, since {opened_at}', { label: SEVERITIES[alert.severity].label, opened_at: formatRecent(alert.opened_at) })}
                </span>
              </Menu.Item>
            );
          })}
          <Menu.Divider />
          <Menu.Item component="a" href="#/alerts">
            {open.length > SHOWN ? t('All alerts, {open} more', { open: open.length - SHOWN }) : t('All alerts')}
          </Menu.Item>
        </>
      )}
    </LazyMenu>
  );
}
