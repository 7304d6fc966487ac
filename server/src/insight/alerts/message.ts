/** What a person is told. Every channel shapes it in its own way. */
export interface AlertMessage {
  /** Identifies the message at the receiver: a repeated delivery has the same id. */
  id: string;
  kind: 'firing' | 'update' | 'reminder' | 'escalation' | 'resolved' | 'test' | 'report';
  severity: 'info' | 'warning' | 'critical';
  title: string;
  /** One or more sentences. */
  text: string;
  rule: string;
  event_type: string;
  count: number;
  paths: string[];
  /** How many paths are left out. */
  truncated: number;
  library_id: string | null;
  library: string | null;
  digest_window: string | null;
  /** Identifies the alert across its messages. */
  group: string;
  occurred_at: string;
  /** Where to look in the console; null when SVC_PUBLIC_BASE_URL is unset. */
  link: string | null;
  /** Facts of a system event, and the members of a report delivery. */
  facts: Record<string, unknown>;
}

const kindPrefix: Record<AlertMessage['kind'], string> = {
  firing: '',
  update: 'Again: ',
  reminder: 'Still: ',
  escalation: 'Not acknowledged: ',
  resolved: 'Resolved: ',
  test: '',
  report: '',
};

export function headline({ kind, title }: Pick<AlertMessage, 'kind' | 'title'>): string {
  return `${kindPrefix[kind]}${title}`;
}

/** The lines below the headline: the text, the paths, how many more there are, and the link. */
export function bodyLines(message: AlertMessage): string[] {
  const lines = message.text === '' ? [] : [message.text];
  if (message.paths.length > 0) lines.push('', ...message.paths);
  if (message.truncated > 0) lines.push(`and ${message.truncated} more`);
  if (message.link) lines.push('', message.link);
  return lines;
}

export function plainText(message: AlertMessage): string {
  return [...bodyLines(message), '', `Rule: ${message.rule}`].join('\n').trim();
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Mail in HTML: inline styles only and nothing loaded from elsewhere. */
export function htmlText(message: AlertMessage): string {
  const colour = message.kind === 'resolved' ? '#1a7f47' : { critical: '#ab261f', warning: '#834d00', info: '#3549c4' }[message.severity];
  const paths = message.paths.map((path) => `<li style="font-family:monospace">${escapeHtml(path)}</li>`).join('');
  const more = message.truncated > 0 ? `<p style="color:#555">and ${message.truncated} more</p>` : '';
  const link = message.link ? `<p><a href="${escapeHtml(message.link)}">Open in Catalog</a></p>` : '';
  return `<!doctype html><html><body style="font-family:system-ui,sans-serif;color:#1b1b18">
<h2 style="border-left:4px solid ${colour};padding-left:10px;font-size:18px">${escapeHtml(headline(message))}</h2>
<p>${escapeHtml(message.text)}</p>${paths ? `<ul>${paths}</ul>` : ''}${more}${link}
<p style="color:#777;font-size:12px">Rule: ${escapeHtml(message.rule)} · ${escapeHtml(message.occurred_at)}</p></body></html>`;
}

/** Text from a file or another machine, made safe to store as an error: one line, no control characters, at most 500 characters. */
export function safeError(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) if (secret.length > 3) clean = clean.replaceAll(secret, '***');
  return clean
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim()
    .slice(0, 500);
}
