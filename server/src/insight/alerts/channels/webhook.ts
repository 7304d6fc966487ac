import { createHmac } from 'node:crypto';
import { type AlertMessage, bodyLines, headline } from '../message.ts';
import type { WebhookConfig } from './config.ts';

export interface WebhookRequest {
  headers: Record<string, string>;
  body: string;
}

export interface WebhookTarget {
  url: string;
  webhook_format: WebhookConfig['webhook_format'];
}

/** The format of a URL: chat services are recognised by their host. */
export function formatFor({ url, webhook_format }: WebhookTarget): 'generic' | 'discord' | 'slack' {
  if (webhook_format !== 'auto') return webhook_format;
  const host = URL.parse(url)?.hostname.toLowerCase() ?? '';
  const path = URL.parse(url)?.pathname ?? '';
  if (/(^|\.)(discord|discordapp)\.com$/.test(host) && path.includes('/webhooks/')) return 'discord';
  return /(^|\.)slack\.com$/.test(host) ? 'slack' : 'generic';
}

/** The request for a message. `secret` signs the generic format; the chat formats carry no signature. */
export function webhookRequest(
  target: WebhookTarget,
  secret: string | null,
  message: AlertMessage,
  { now, maxAgeS }: { now: Date; maxAgeS: number },
): WebhookRequest {
  const format = formatFor(target);
  const body = sortedJson(format === 'discord' ? discordBody(message) : format === 'slack' ? slackBody(message) : genericBody(message));
  const headers: Record<string, string> = { 'content-type': 'application/json', 'idempotency-key': message.id };
  if (format === 'generic' && secret) {
    headers['x-svc-signature'] = signature(secret, body, now);
    headers['x-svc-signature-max-age'] = String(maxAgeS);
  }
  return { headers, body };
}

/** Receivers compute the same HMAC over "<t>." and the body, and reject a time older than SVC_ALERT_SIGNATURE_MAX_AGE_S. */
export function signature(secret: string, body: string, now: Date): string {
  const t = Math.floor(now.getTime() / 1000);
  return `t=${t},sha256=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}

function genericBody(message: AlertMessage): Record<string, unknown> {
  if (message.kind === 'test') return { id: message.id, test: true, channel: message.rule };
  if (message.kind === 'report') return { id: message.id, event_type: message.event_type, ...message.facts };
  const { id, kind, severity, title, text, rule, event_type, count, paths, occurred_at, facts, group } = message;
  return {
    id,
    kind,
    severity,
    title,
    message: text,
    rule,
    event_type,
    count,
    paths,
    occurred_at,
    group,
    ...(message.truncated > 0 ? { truncated: message.truncated } : {}),
    ...(message.library_id ? { library_id: message.library_id } : {}),
    ...(message.digest_window ? { digest_window: message.digest_window } : {}),
    ...(message.link ? { link: message.link } : {}),
    ...(Object.keys(facts).length > 0 ? { facts } : {}),
  };
}

const colours = { info: 0x3549c4, warning: 0xc27a0c, critical: 0xcf3a32 } as const;
const resolvedColour = 0x1a7f47;
const escapeMarkdown = (text: string): string => text.replace(/[\\*_~`|>[\]()#-]/g, '\\$&').replace(/@(everyone|here)/g, '@\u200b$1');

/** One embed. The limits are those of the service. */
function discordBody(message: AlertMessage): Record<string, unknown> {
  const fields = [
    ['Rule', message.rule],
    ['Count', message.count > 0 ? String(message.count) : ''],
    ['Library', message.library ?? ''],
  ].filter(([, value]) => value !== '');
  return {
    content: escapeMarkdown(headline(message)).slice(0, 2000),
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: headline(message).slice(0, 256),
        description: bodyLines(message).map(escapeMarkdown).join('\n').slice(0, 4096),
        color: message.kind === 'resolved' ? resolvedColour : colours[message.severity],
        timestamp: message.occurred_at,
        fields: fields
          .slice(0, 25)
          .map(([name = '', value = '']) => ({ name: name.slice(0, 256), value: escapeMarkdown(value).slice(0, 1024), inline: true })),
      },
    ],
  };
}

function slackBody(message: AlertMessage): Record<string, unknown> {
  const escapeText = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const text = [`*${escapeText(headline(message))}*`, ...bodyLines(message).map(escapeText)].join('\n').slice(0, 3000);
  return { text: escapeText(headline(message)).slice(0, 3000), blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] };
}

/** JSON with sorted keys and no spaces, so that equal messages are equal bytes. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
