import { Menu } from '@mantine/core';
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
}

const NAV_ITEMS: readonly NavItem[] = [
  { href: '#/home', label: 'Home', icon: House, match: /^\/home/, phone: true },
  { href: '#/', label: 'Search', icon: Search, match: /^\/(search|passages|item|compare|$)/, phone: true },
  { href: '#/browse', label: 'Browse', icon: FolderTree, match: /^\/browse/, phone: true },
  { href: '#/map', label: 'Map', icon: MapIcon, match: /^\/map/ },
  { href: '#/timeline', label: 'Timeline', icon: Calendar, match: /^\/timeline/ },
  { href: '#/libraries', label: 'Libraries', icon: Library, match: /^\/libraries/ },
  { href: '#/reports', label: 'Reports', icon: ChartColumn, match: /^\/reports/ },
  { href: '#/alerts', label: 'Alerts', icon: Bell, match: /^\/alerts/, phone: true },
  { href: '#/jobs', label: 'Jobs', icon: Activity, match: /^\/jobs/ },
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
  const marks: Record<string, number> = { Libraries: waiting, Alerts: alerts.data?.firing ?? 0 };
  const words: Record<string, string> = { Libraries: 'need attention', Alerts: 'firing' };
  const initials = (me?.display_name || me?.username || 'You').slice(0, 2).toUpperCase();

  return (
    <nav className={s.rail} aria-label="Main">
      <a className={s.brand} href="#/" aria-label="Catalog home">
        <BrandMark />
      </a>
      {NAV_ITEMS.map((item) => {
        const mark = marks[item.label] ?? 0;
        const current = item.match.test(path);
        const content = (
          <>
            <span className={s.icon}>
              <item.icon size={20} strokeWidth={1.75} aria-hidden />
              {mark > 0 && <span className={s.dot} />}
            </span>
            <span>{item.label}</span>
            {mark > 0 && (
              <span className="visually-hidden">
                {mark} {words[item.label]}
              </span>
            )}
          </>
        );
        const bell = item.label === 'Alerts' && mark > 0;
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
          <span>Admin</span>
        </a>
      )}
      <a className={classNames(s.nav, 'sm-hide')} href="#/account" aria-current={/^\/account/.test(path) ? 'page' : undefined}>
        <span className={s.avatar}>{me ? initials : <UserRound size={16} aria-hidden />}</span>
        <span className="visually-hidden">{me ? `Account: ${me.username}` : 'Account'}</span>
      </a>
      <MoreMenu admin={can('admin')} />
    </nav>
  );
}

function MoreMenu({ admin }: { admin: boolean }) {
  return (
    <Menu position="top-end" withinPortal>
      <Menu.Target>
        <button type="button" className={classNames(s.nav, 'sm-only')}>
          <Ellipsis size={20} strokeWidth={1.75} aria-hidden />
          <span>More</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href="#/map">
          Map
        </Menu.Item>
        <Menu.Item component="a" href="#/timeline">
          Timeline
        </Menu.Item>
        <Menu.Item component="a" href="#/reports">
          Reports
        </Menu.Item>
        <Menu.Item component="a" href="#/libraries">
          Libraries
        </Menu.Item>
        <Menu.Item component="a" href="#/jobs">
          Jobs
        </Menu.Item>
        {admin && (
          <Menu.Item component="a" href="#/admin">
            Admin
          </Menu.Item>
        )}
        <Menu.Item component="a" href="#/account">
          Account
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
