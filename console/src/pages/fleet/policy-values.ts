import type { GroupPolicy } from '../../api/fleet.ts';
import { formatBytes, formatDuration } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';

export type PolicyKey = keyof GroupPolicy;

export const policyLabels: Record<PolicyKey, string> = {
  presets: t('Exclusion presets'),
  exclude_globs: t('Additional exclusions'),
  include_globs: t('Always include'),
  content_hash_max_bytes: t('Hash files in full up to'),
  scan_interval_seconds: t('Scan every'),
  upload_bytes_per_second: t('Upload limit'),
  read_bytes_per_second: t('Reading limit'),
  cpu_max_percent: t('Processor limit'),
  extract_max_bytes: t('Read contents of files up to'),
  offline_grace_seconds: t('Local search without the service for'),
  extract_enabled: t('Read facts from files'),
  extract_body_text: t('Send the text of documents'),
  extract_ocr: t('Recognize text in pictures and scans'),
  record_permissions: t('Record file permissions'),
  watch_mode: t('Report changes at once'),
  pause_on_battery: t('Pause on battery'),
  pause_on_metered: t('Send nothing over metered connections'),
  local_access_enabled: t('Search on the machine itself'),
  web_ui_enabled: t('Search page on the machine itself'),
  thumbs_enabled: t('Draw thumbnails on the machine'),
  auto_update: t('Install updates without being asked'),
  update_not_before: t('No updates before'),
  update_window: t('Updates only at'),
};

const perSecond = (bytes: number): string => t('{size} a second', { size: formatBytes(bytes) });
const numbers: Partial<Record<string, (value: number) => string>> = {
  content_hash_max_bytes: formatBytes,
  scan_interval_seconds: formatDuration,
  upload_bytes_per_second: perSecond,
  read_bytes_per_second: perSecond,
  extract_max_bytes: formatBytes,
  offline_grace_seconds: formatDuration,
  cpu_max_percent: (value) => t('{n} % of a core', { n: value }),
};

export const labelOf = (key: string): string => policyLabels[key as PolicyKey] ?? key;

/** A value of the settings in words; null when it is not set. */
export function policyText(key: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value))
    return value.length === 0
      ? t('none')
      : value.map((each) => (typeof each === 'object' && each !== null && 'name' in each ? String(each.name) : String(each))).join(', ');
  if (typeof value === 'boolean') return value ? t('on') : t('off');
  return typeof value === 'number' ? (numbers[key]?.(value) ?? String(value)) : String(value);
}

/** Without keys whose value is undefined: they are left to the other groups. */
export const givenKeys = (policy: Record<string, unknown>): GroupPolicy =>
  Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== undefined)) as GroupPolicy;

export interface PolicyChange {
  key: string;
  before?: unknown;
  after?: unknown;
}

/** Keys that differ between two versions. */
export function changesBetween(before: GroupPolicy, after: GroupPolicy): PolicyChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .map((key) => ({ key, before: before[key as PolicyKey], after: after[key as PolicyKey] }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}
