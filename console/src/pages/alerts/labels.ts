import {
  Bell,
  CircleAlert,
  FilePlus2,
  FileSearch,
  FileX2,
  Folder,
  HardDrive,
  Info,
  type LucideIcon,
  Plug,
  ShieldAlert,
  TriangleAlert,
} from 'lucide-react';
import type { Alert, AlertRule } from '../../api/types.ts';
import type { Tone } from '../../components/status.tsx';
import { andList } from '../../format/lists.ts';
import { serverText, t } from '../../language/text.ts';

/** The name of a rule. The built-in rules keep their English names until somebody renames them. */
export const ruleName = (name: string): string => (name.startsWith('System: ') ? serverText(name) : name);

/** Events as the end of "When …". */
export const EVENT_LABELS: Record<string, string> = {
  created: t('a file is added'),
  modified: t('a file changes'),
  deleted: t('a file is deleted'),
  moved: t('a file is moved'),
  search_match: t('a saved search finds a new file'),
  scan_failed: t('a scan fails'),
  extract_error_spike: t('many files cannot be read'),
  disk_low_space: t('disk space is low'),
  report_delivery_failed: t('a report cannot be delivered'),
  agent_offline: t('an agent is offline'),
  agent_cloned: t('two machines use the identity of an agent'),
  agent_replication_stalled: t('an agent falls behind'),
  agent_verify_mismatch: t('an agent’s file differs'),
  permission_changed: t('permissions change'),
  integrity_mismatch: t('a file’s content has decayed'),
};
export const FILE_EVENTS = ['created', 'modified', 'deleted', 'moved'];

export function eventIcon(type: string): LucideIcon {
  if (type === 'disk_low_space') return HardDrive;
  if (type.startsWith('agent')) return Plug;
  if (type === 'deleted') return FileX2;
  if (type === 'created') return FilePlus2;
  if (type === 'search_match') return FileSearch;
  if (type === 'permission_changed' || type === 'integrity_mismatch') return ShieldAlert;
  return FILE_EVENTS.includes(type) ? Folder : type === 'scan_failed' ? TriangleAlert : Bell;
}

export const SEVERITIES: Record<AlertRule['severity'], { label: string; tone: Tone; icon: LucideIcon }> = {
  critical: { label: t('Critical'), tone: 'danger', icon: CircleAlert },
  warning: { label: t('Warning'), tone: 'warn', icon: TriangleAlert },
  info: { label: t('Info'), tone: 'active', icon: Info },
};

export function outcomeText({ outcome, acknowledged_by }: Pick<Alert, 'outcome' | 'acknowledged_by'>): string {
  if (outcome === 'acknowledged' || acknowledged_by)
    return acknowledged_by ? t('Acknowledged by {name}', { name: acknowledged_by }) : t('Acknowledged');
  const texts: Record<string, string> = {
    recovered: t('Resolved'),
    expired: t('Ended'),
    silenced: t('Silenced'),
    inhibited: t('Suppressed by another rule'),
    disabled: t('Rule switched off'),
    below_threshold: t('Below the threshold'),
  };
  return texts[outcome ?? ''] ?? t('Resolved');
}

/** "Would have fired 3 times in the last 7 days." */
export function previewSentence({ fired, note }: { fired: number | null; note: string | null }): string {
  if (fired === null) return note ? serverText(note) : t('Not enough data to test this rule; it needs one day.');
  return fired === 0
    ? t('Would not have fired in the last 7 days')
    : t('Would have fired {n|once|# times} in the last 7 days', { n: fired });
}

export function alternativesSentence(alternatives: readonly { threshold_count: number; fired: number }[]): string {
  const parts = alternatives.map(({ threshold_count: events, fired: n }, at) => {
    if (at > 0) return n === 0 ? t('at {events}, never', { events }) : t('at {events}, {n|once|# times}', { events, n });
    return n === 0
      ? t('At {events} events it would never have fired', { events })
      : t('At {events} events it would have fired {n|once|# times}', { events, n });
  });
  return parts.length === 0 ? '' : `${parts.join('; ')}.`;
}

/** Who was told: "sent to Operations and Chat". */
export function sentTo(deliveries: Alert['deliveries']): string {
  const names = [...new Set(deliveries.filter(({ state }) => state === 'delivered').map(({ channel }) => channel))];
  const failed = [...new Set(deliveries.filter(({ state }) => state === 'failed').map(({ channel }) => channel))];
  const parts = names.length > 0 ? [t('sent to {channels}', { channels: andList(names) })] : [];
  if (failed.length > 0) parts.push(t('{channels} could not be reached', { channels: andList(failed) }));
  return parts.join(' · ');
}
