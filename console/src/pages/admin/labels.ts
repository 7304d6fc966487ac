import { serverText, t } from '../../language/text.ts';
import { methodName } from '../account/device-name.ts';
import { DETAIL_LABELS, DETAIL_VALUES } from './audit-details.ts';
import { EVENT_LABELS } from './audit-events.ts';

/** Labels for the actions a rule can allow or deny. */
export const ACTION_LABELS: Record<string, string> = {
  search_metadata: t('Search file details'),
  search_content: t('Search contents'),
  download: t('Open and download'),
  upload: t('Add files'),
  modify: t('Edit files'),
  delete: t('Delete files'),
  edit_metadata: t('Edit tags and notes'),
  manage_alerts: t('Manage alerts'),
  view_permissions: t('See file permissions'),
};

export const actionLabel = (action: string): string => ACTION_LABELS[action] ?? words(action);

const REASONS: Record<string, string> = {
  admin_bypass: t('Administrators have full access.'),
  explicit_deny: t('A rule denies it for this folder.'),
  explicit_allow: t('A rule allows it for this folder.'),
  no_grant_default_deny: t('No rule covers this folder, so access is denied.'),
  ceiling_clamped: t('A rule allows it, but the role does not include this permission.'),
};

export const reasonText = (reason: string): string => REASONS[reason] ?? reason.replaceAll('_', ' ');

/** The label of an audit event; a type of a later version is written as its name. */
export const eventLabel = (type: string): string => EVENT_LABELS[type.toLowerCase()] ?? words(type);

const words = (type: string): string => {
  const text = type.toLowerCase().replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

/** Details whose values are words of the service. All others are names, paths and numbers, which stay as they are. */
const CODED = /^(action|effect|reason|outcome|subject_kind|ceiling_actions)$/;

type Names = ReadonlyMap<string, string>;

function valueText(key: string, value: unknown, names: Names): string {
  if (Array.isArray(value)) return value.map((each) => valueText(key, each, names)).join(', ');
  if (value !== null && typeof value === 'object') return detailText(value as Record<string, unknown>, names);
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value !== 'string') return String(value);
  if (names.has(value)) return names.get(value) ?? value;
  if (key === 'method') return methodName(value);
  return CODED.test(key) ? (ACTION_LABELS[value] ?? DETAIL_VALUES[value] ?? serverText(value)) : value;
}

/** The details of an audit event. UUIDs are written as the names of what they stand for, or left out. */
export function detailText(details: Record<string, unknown> | null, names: Names = new Map()): string {
  return Object.entries(details ?? {})
    .filter(([, value]) => value !== null && value !== '' && !(typeof value === 'string' && UUID.test(value) && !names.has(value)))
    .map(([key, value]) => `${DETAIL_LABELS[key] ?? words(key)}: ${valueText(key, value, names)}`)
    .join(' · ');
}
