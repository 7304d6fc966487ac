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
import { pluralize } from '../../format/numbers.ts';

/** Events as the end of "When …". */
export const EVENT_LABELS: Record<string, string> = {
  created: 'a file is added',
  modified: 'a file changes',
  deleted: 'a file is deleted',
  moved: 'a file is moved',
  search_match: 'a saved search finds a new file',
  scan_failed: 'a scan fails',
  extract_error_spike: 'many files cannot be read',
  disk_low_space: 'disk space is low',
  report_delivery_failed: 'a report cannot be delivered',
  agent_offline: 'an agent is offline',
  agent_replication_stalled: 'an agent falls behind',
  agent_verify_mismatch: 'an agent’s file differs',
  permission_changed: 'permissions change',
  integrity_mismatch: 'a file’s content has decayed',
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
  critical: { label: 'Critical', tone: 'danger', icon: CircleAlert },
  warning: { label: 'Warning', tone: 'warn', icon: TriangleAlert },
  info: { label: 'Info', tone: 'active', icon: Info },
};

export function outcomeText({ outcome, acknowledged_by }: Pick<Alert, 'outcome' | 'acknowledged_by'>): string {
  if (outcome === 'acknowledged' || acknowledged_by) return `Acknowledged by ${acknowledged_by ?? 'somebody'}`;
  const texts: Record<string, string> = {
    recovered: 'Resolved',
    expired: 'Ended',
    silenced: 'Silenced',
    inhibited: 'Suppressed by another rule',
    disabled: 'Rule switched off',
    below_threshold: 'Below the threshold',
  };
  return texts[outcome ?? ''] ?? 'Resolved';
}

/** "Would have fired 3 times in the last 7 days." */
export function previewSentence({ fired, note }: { fired: number | null; note: string | null }): string {
  if (fired === null) return note ?? 'Not enough data to test this rule; it needs one day.';
  return fired === 0 ? 'Would not have fired in the last 7 days' : `Would have fired ${times(fired)} in the last 7 days`;
}

export function alternativesSentence(alternatives: readonly { threshold_count: number; fired: number }[]): string {
  const parts = alternatives.map(({ threshold_count, fired }, at) =>
    at === 0 ? `At ${threshold_count} events it would have fired ${times(fired)}` : `at ${threshold_count}, ${times(fired)}`,
  );
  return parts.length === 0 ? '' : `${parts.join('; ')}.`;
}

const times = (count: number): string => (count === 1 ? 'once' : count === 0 ? 'never' : pluralize(count, 'time'));

/** Who was told: "sent to Operations and Chat". */
export function sentTo(deliveries: Alert['deliveries']): string {
  const names = [...new Set(deliveries.filter(({ state }) => state === 'delivered').map(({ channel }) => channel))];
  const failed = [...new Set(deliveries.filter(({ state }) => state === 'failed').map(({ channel }) => channel))];
  const parts = names.length > 0 ? [`sent to ${names.join(' and ')}`] : [];
  if (failed.length > 0) parts.push(`${failed.join(' and ')} could not be reached`);
  return parts.join(' · ');
}
