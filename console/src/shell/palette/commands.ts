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
        label: `Scan library “${library.name}”`,
        icon: RefreshCw,
        effect: library.last_scan ? `last scan ${timeAgo(library.last_scan.finished_at ?? library.last_scan.started_at)}` : 'never scanned',
        run: () => {
          void startScan(library.id).then(
            () => toast(`Scan of ${library.name} started`),
            (error: Error) => toast(error.message),
          );
          navigate('/libraries');
        },
      });
  commands.push(
    { id: 'explain', label: 'Explain a path…', icon: Route, keys: 'E', run: openExplain },
    go('Compare two scans…', '/libraries/history', History),
    go('Go to Search', '/', Search, 'G S'),
    go('Go to Browse', '/browse', FolderTree, 'G B'),
    go('Go to Map', '/map', MapIcon),
    go('Go to Timeline', '/timeline', Calendar),
    go('Go to Libraries', '/libraries', Library, 'G L'),
    go('Go to Alerts', '/alerts', Bell, 'G A'),
    go('Go to Jobs', '/jobs', Activity, 'G J'),
    go('Account and API keys', '/account', UserRound),
  );
  if (context.admin)
    commands.push(
      go('New library…', '/libraries/new', Plus),
      go('People and permissions', '/admin', Settings),
      go('File types', '/taxonomy', Settings),
      go('Presets', '/presets', Settings),
      go('Fields', '/fields', Settings),
      go('Audit log', '/admin/audit', Settings),
    );
  commands.push({
    id: 'manual',
    label: 'Manual',
    icon: BookOpen,
    href: '/docs/',
    run: () => void window.open('/docs/', '_blank', 'noopener'),
  });
  commands.push(
    { id: 'theme', label: 'Toggle light and dark theme', icon: Moon, run: context.switchTheme },
    { id: 'keys', label: 'Keyboard shortcuts', icon: Keyboard, keys: '?', run: openKeyHelp },
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
