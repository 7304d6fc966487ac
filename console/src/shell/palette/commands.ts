import {
  Activity,
  Bell,
  Bookmark,
  BookOpen,
  Calendar,
  FolderTree,
  History,
  Keyboard,
  Library,
  type LucideIcon,
  Map as MapIcon,
  Moon,
  Plus,
  RefreshCw,
  Route,
  Search,
  Settings,
  UserRound,
} from 'lucide-react';
import { startScan } from '../../api/catalog.ts';
import type { Library as LibraryShape, SavedSearch } from '../../api/types.ts';
import { toast } from '../../components/toast.tsx';
import { timeAgo } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import { navigate } from '../hash-location.ts';
import { openExplain, openKeyHelp } from '../overlays.ts';

export interface Command {
  id: string;
  label: string;
  icon: LucideIcon;
  /** Additional information shown on the right. */
  effect?: string;
  keys?: string;
  href?: string;
  run: () => void;
}

const go = (label: string, to: string, icon: LucideIcon, keys?: string): Command => ({
  id: to,
  label,
  icon,
  href: `#${to}`,
  run: () => navigate(to),
  ...(keys ? { keys } : {}),
});

/** All commands of the palette, apart from the files it finds. */
export function allCommands(context: {
  libraries: LibraryShape[];
  saved: SavedSearch[];
  admin: boolean;
  write: boolean;
  switchTheme: () => void;
}): { commands: Command[]; saved: Command[] } {
  const commands: Command[] = [];
  if (context.write)
    for (const library of context.libraries)
      commands.push({
        id: `scan-${library.id}`,
        label: t('Scan library “{name}”', { name: library.name }),
        icon: RefreshCw,
        effect: library.last_scan
          ? t('last scan {time}', { time: timeAgo(library.last_scan.finished_at ?? library.last_scan.started_at) })
          : t('never scanned'),
        run: () => {
          void startScan(library.id).then(
            () => toast(t('Scan of {name} started', { name: library.name })),
            (error: Error) => toast(error.message),
          );
          navigate('/libraries');
        },
      });
  commands.push(
    { id: 'explain', label: t('Explain a path…'), icon: Route, keys: 'E', run: openExplain },
    go(t('Compare two scans…'), '/libraries/history', History),
    go(t('Go to Search'), '/', Search, 'G S'),
    go(t('Go to Browse'), '/browse', FolderTree, 'G B'),
    go(t('Go to Map'), '/map', MapIcon),
    go(t('Go to Timeline'), '/timeline', Calendar),
    go(t('Go to Libraries'), '/libraries', Library, 'G L'),
    go(t('Go to Alerts'), '/alerts', Bell, 'G A'),
    go(t('Go to Jobs'), '/jobs', Activity, 'G J'),
    go(t('Account and API keys'), '/account', UserRound),
  );
  if (context.admin)
    commands.push(
      go(t('New library…'), '/libraries/new', Plus),
      go(t('People and permissions'), '/admin', Settings),
      go(t('File types'), '/taxonomy', Settings),
      go(t('Presets'), '/presets', Settings),
      go(t('Fields'), '/fields', Settings),
      go(t('Audit log'), '/admin/audit', Settings),
    );
  commands.push({
    id: 'manual',
    label: t('Manual'),
    icon: BookOpen,
    href: '/docs/',
    run: () => void window.open('/docs/', '_blank', 'noopener'),
  });
  commands.push(
    { id: 'theme', label: t('Toggle light and dark theme'), icon: Moon, run: context.switchTheme },
    { id: 'keys', label: t('Keyboard shortcuts'), icon: Keyboard, keys: '?', run: openKeyHelp },
  );
  const saved = context.saved.map((one): Command => ({ ...go(one.name, `/?saved=${one.id}`, Bookmark), id: `saved-${one.id}` }));
  return { commands, saved };
}

/** Keeps commands that contain every word; earlier matches come first. */
export function filterCommands(commands: Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return commands
    .map((command) => {
      const label = command.label.toLowerCase();
      const positions = words.map((w) => label.indexOf(w));
      return { command, score: positions.some((p) => p < 0) ? -1 : positions.reduce((a, b) => a + b, 0) };
    })
    .filter((scored) => scored.score >= 0)
    .sort((a, b) => a.score - b.score)
    .map((scored) => scored.command);
}
