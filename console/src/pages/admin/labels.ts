/** Labels for the actions a rule can allow or deny. */
export const ACTION_LABELS: Record<string, string> = {
  search_metadata: 'Search file details',
  search_content: 'Search contents',
  download: 'Open and download',
  upload: 'Add files',
  modify: 'Edit files',
  delete: 'Delete files',
  edit_metadata: 'Edit tags and notes',
  manage_alerts: 'Manage alerts',
  view_permissions: 'See file permissions',
};

export const actionLabel = (action: string): string => ACTION_LABELS[action] ?? eventLabel(action);

const REASONS: Record<string, string> = {
  admin_bypass: 'Administrators have full access.',
  explicit_deny: 'A rule denies it for this folder.',
  explicit_allow: 'A rule allows it for this folder.',
  no_grant_default_deny: 'No rule covers this folder, so access is denied.',
  ceiling_clamped: 'A rule allows it, but the role does not include this permission.',
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

/** The details of an audit event without UUIDs. */
export function detailText(details: Record<string, unknown> | null): string {
  return Object.entries(details ?? {})
    .filter(([, value]) => value !== null && value !== '' && !(typeof value === 'string' && UUID.test(value)))
    .map(([key, value]) => `${key.replaceAll('_', ' ')}: ${valueText(value)}`)
    .join(' · ');
}
