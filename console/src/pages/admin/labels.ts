/** The rights and events of the service in words. */
export const ACTION_LABELS: Record<string, string> = {
  search_metadata: 'find by name and facts',
  search_content: 'find by content',
  download: 'open and download',
  upload: 'add files',
  modify: 'change files',
  delete: 'delete',
  edit_metadata: 'tag and note',
  manage_alerts: 'manage alerts',
};

export const actionLabel = (action: string): string => ACTION_LABELS[action] ?? action.replaceAll('_', ' ');

const REASONS: Record<string, string> = {
  admin_bypass: 'Administrators may do everything.',
  explicit_deny: 'A rule forbids it here.',
  explicit_allow: 'A rule allows it here.',
  no_grant_default_deny: 'No rule covers this folder, so it is closed.',
  ceiling_clamped: 'A rule allows it, but the role does not reach that far.',
};

export const reasonText = (reason: string): string => REASONS[reason] ?? reason.replaceAll('_', ' ');

export const eventLabel = (type: string): string => {
  const text = type.toLowerCase().replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (value !== null && typeof value === 'object') return detailText(value as Record<string, unknown>);
  return typeof value === 'string' ? (ACTION_LABELS[value] ?? value) : String(value);
}

/** What an event is about, without the numbers only machines read. */
export function detailText(details: Record<string, unknown> | null): string {
  return Object.entries(details ?? {})
    .filter(([, value]) => value !== null && value !== '' && !(typeof value === 'string' && UUID.test(value)))
    .map(([key, value]) => `${key.replaceAll('_', ' ')}: ${valueText(value)}`)
    .join(' · ');
}
