import { useQuery } from '@tanstack/react-query';
import {
  Activity,
  Bell,
  Calendar,
  ChartColumn,
  Ellipsis,
  FolderTree,
  House,
  Library,
  type LucideIcon,
  Map as MapIcon,
  Search,
  Settings,
  UserRound,
} from 'lucide-react';
import { Fragment } from 'react';
import { useLocation, useSearch } from 'wouter';
import { alerts as firingAlerts } from '../api/alerts.ts';
import * as catalog from '../api/catalog.ts';
import { classNames } from '../components/button.tsx';
import { LazyMenu } from '../components/lazy-menu.tsx';
import { t } from '../language/text.ts';
import { needsAttention } from '../pages/libraries/health.ts';
import { BellMenu } from './bell-menu.tsx';
import { BrandMark } from './brand.tsx';
import s from './rail.module.css';
import { useSession } from './session.tsx';

interface NavItem {
  href: string;
  label: string;
  icon: LucideIcon;
  match: RegExp;
  phone?: boolean;
  /** Says what a number at the entry counts. */
  marked?: (n: number) => string;
}

const NAV_ITEMS: readonly NavItem[] = [
  { href: '#/home', label: t('Home'), icon: House, match: /^\/home/, phone: true },
  { href: '#/', label: t('Search'), icon: Search, match: /^\/(search|passages|item|compare|$)/, phone: true },
  { href: '#/browse', label: t('Browse'), icon: FolderTree, match: /^\/browse/, phone: true },
  { href: '#/map', label: t('Map'), icon: MapIcon, match: /^\/map/ },
  { href: '#/timeline', label: t('Timeline'), icon: Calendar, match: /^\/timeline/ },
  {
    href: '#/libraries',
    label: t('Libraries'),
    icon: Library,
    match: /^\/libraries/,
    marked: (n) => t('{n|# needs attention|# need attention}', { n }),
  },
  { href: '#/reports', label: t('Reports'), icon: ChartColumn, match: /^\/reports/ },
  { href: '#/alerts', label: t('Alerts'), icon: Bell, match: /^\/alerts/, phone: true, marked: (n) => t('{n} firing', { n }) },
  { href: '#/jobs', label: t('Jobs'), icon: Activity, match: /^\/jobs/ },
];

/** Main navigation: a column on the left, or a bar at the bottom on phones. */
export function Rail() {
  const [location] = useLocation();
  // The map is a view of the search page.
  const query = useSearch();
  const path = location === '/' && new URLSearchParams(query).get('lens') === 'map' ? '/map' : location;
  const { me, can } = useSession();
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const waiting = (libraries.data ?? []).filter(needsAttention).length;
  const alerts = useQuery({
    queryKey: ['alerts', 'firing'],
    queryFn: () => firingAlerts({ state: 'firing' }),
    staleTime: 30_000,
    refetchInterval: 60_000,
  });
  const marks: Record<string, number> = { '#/libraries': waiting, '#/alerts': alerts.data?.firing ?? 0 };
  const initials = (me?.display_name || me?.username || t('You')).slice(0, 2).toUpperCase();

  return (
    <nav className={s.rail} aria-label={t('Main')}>
      <a className={s.brand} href="#/" aria-label={t('Catalog home')}>
        <BrandMark />
      </a>
      {NAV_ITEMS.map((item) => {
        const mark = marks[item.href] ?? 0;
        const current = item.match.test(path);
        const content = (
          <>
            <span className={s.icon}>
              <item.icon size={20} strokeWidth={1.75} aria-hidden />
              {mark > 0 && <span className={s.dot} />}
            </span>
            <span>{item.label}</span>
            {mark > 0 && <span className="visually-hidden">{item.marked?.(mark)}</span>}
          </>
        );
        const bell = item.href === '#/alerts' && mark > 0;
        return (
          <Fragment key={item.href}>
            {bell && (
              <BellMenu alerts={alerts.data?.items ?? []} className={classNames(s.nav, s.bell, 'sm-hide')} current={current}>
                {content}
              </BellMenu>
            )}
            <a
              href={item.href}
              className={classNames(s.nav, bell ? 'sm-only' : !item.phone && 'sm-hide')}
              aria-current={current ? 'page' : undefined}
            >
              {content}
            </a>
          </Fragment>
        );
      })}
      <span className="grow sm-hide" />
      {can('admin') && (
        <a
          className={classNames(s.nav, 'sm-hide')}
          href="#/admin"
          aria-current={/^\/(admin|taxonomy|presets|fields)/.test(path) ? 'page' : undefined}
        >
          <Settings size={20} strokeWidth={1.75} aria-hidden />
          <span>{t('Admin')}</span>
        </a>
      )}
      <a className={classNames(s.nav, 'sm-hide')} href="#/account" aria-current={/^\/account/.test(path) ? 'page' : undefined}>
        <span className={s.avatar}>{me ? initials : <UserRound size={16} aria-hidden />}</span>
        <span className="visually-hidden">{me ? t('Account: {username}', { username: me.username }) : t('Account')}</span>
      </a>
      <MoreMenu admin={can('admin')} />
    </nav>
  );
}

function MoreMenu({ admin }: { admin: boolean }) {
  return (
    <LazyMenu
      position="top-end"
      withinPortal
      target={
        <button type="button" className={classNames(s.nav, 'sm-only')}>
          <Ellipsis size={20} strokeWidth={1.75} aria-hidden />
          <span>{t('More')}</span>
        </button>
      }
    >
      {(Menu) => (
        <>
          <Menu.Item component="a" href="#/map">
            {t('Map')}
          </Menu.Item>
          <Menu.Item component="a" href="#/timeline">
            {t('Timeline')}
          </Menu.Item>
          <Menu.Item component="a" href="#/reports">
            {t('Reports')}
          </Menu.Item>
          <Menu.Item component="a" href="#/libraries">
            {t('Libraries')}
          </Menu.Item>
          <Menu.Item component="a" href="#/jobs">
            {t('Jobs')}
          </Menu.Item>
          {admin && (
            <Menu.Item component="a" href="#/admin">
              {t('Admin')}
            </Menu.Item>
          )}
          <Menu.Item component="a" href="#/account">
            {t('Account')}
          </Menu.Item>
        </>
      )}
    </LazyMenu>
  );
}
