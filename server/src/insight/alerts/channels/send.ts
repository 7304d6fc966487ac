import { createHash } from 'node:crypto';
import { type MailError, sendMail } from '../../../platform/mail/index.ts';
import { type Outbound, OutboundError, type OutboundResponse } from '../../../platform/outbound/index.ts';
import type { Settings } from '../../../settings/index.ts';
import { type AlertMessage, headline, htmlText, plainText, safeError } from '../message.ts';
import { type ChannelConfig, type ChannelType, gatewayLines, type SmtpConfig, type WebhookConfig } from './config.ts';
import { readTarget } from './targets.ts';
import { webhookRequest } from './webhook.ts';

/** A channel with its secrets decrypted. Never log it. */
export interface OpenChannel {
  type: ChannelType;
  config: ChannelConfig;
  secrets: Record<string, string>;
}

export interface SendResult {
  ok: boolean;
  detail: string;
  status_code: number | null;
  retryable: boolean;
  /** Gateway targets that have the message now. */
  done: string[];
}

export interface Attachment {
  filename: string;
  path: string;
}

export interface SendOptions {
  outbound: Outbound;
  settings: Pick<Settings, 'alertWebhookTimeoutS' | 'alertGatewayTimeoutS' | 'alertWebhookMaxResponseBytes' | 'alertSignatureMaxAgeS'>;
  now: Date;
  /** Targets of a gateway that a previous attempt reached. */
  done?: readonly string[];
  /** Sent with mail only. */
  attachments?: readonly Attachment[];
}

/**
 * Sends a message through a channel and tells how it went; it never throws for a failed delivery. Timeouts, dropped connections, 5xx and
 * SMTP 4xx can be retried; a refused address, 3xx, 4xx and SMTP 5xx cannot. 408 and 429 mean "later" and can be retried.
 */
export async function sendThrough(channel: OpenChannel, message: AlertMessage, options: SendOptions): Promise<SendResult> {
  const secrets = Object.values(channel.secrets).flatMap((value) => [value, ...gatewayLines(value)]);
  if (channel.type === 'webhook') secrets.push(...addressParts(channel.secrets['url'] ?? ''));
  const result = await sendByType(channel, message, options);
  return { ...result, detail: safeError(result.detail, secrets) };
}

/** What a receiver may repeat of an address, the longest first. */
function addressParts(url: string): string[] {
  const parsed = URL.parse(url);
  if (!parsed) return [];
  const { pathname, search, username, password } = parsed;
  return [`${pathname}${search}`, pathname, search, password, username].filter((part) => part !== '/');
}

function sendByType(channel: OpenChannel, message: AlertMessage, options: SendOptions): Promise<SendResult> {
  if (channel.type === 'webhook') return sendWebhook(channel, message, options);
  return channel.type === 'smtp' ? sendSmtp(channel, message, options) : sendGateway(channel, message, options);
}

const outcome = (ok: boolean, detail: string, more: Partial<SendResult> = {}): SendResult => ({
  ok,
  detail,
  status_code: null,
  retryable: false,
  done: [],
  ...more,
});

function judge({ status, body }: OutboundResponse, who: string): SendResult {
  if (status >= 200 && status < 300) return outcome(true, `${who} accepted the message (${status}).`, { status_code: status });
  const reason =
    status >= 300 && status < 400
      ? 'tried to redirect, which is not followed'
      : `answered ${status}: ${body.toString('utf8').slice(0, 200)}`;
  return outcome(false, `${who} ${reason}`, { status_code: status, retryable: status >= 500 || status === 408 || status === 429 });
}

function failed(error: unknown): SendResult {
  if (error instanceof OutboundError) return outcome(false, error.message, { retryable: error.retryable });
  return outcome(false, error instanceof Error ? error.message : String(error), { retryable: true });
}

async function sendWebhook(channel: OpenChannel, message: AlertMessage, { outbound, settings, now }: SendOptions): Promise<SendResult> {
  const url = channel.secrets['url'] ?? '';
  const { webhook_format } = channel.config as WebhookConfig;
  try {
    const response = await outbound.send('webhook', {
      ...webhookRequest({ url, webhook_format }, channel.secrets['secret'] ?? null, message, {
        now,
        maxAgeS: settings.alertSignatureMaxAgeS,
      }),
      url,
      method: 'POST',
      timeoutMs: settings.alertWebhookTimeoutS * 1000,
      maxResponseBytes: settings.alertWebhookMaxResponseBytes,
    });
    return judge(response, URL.parse(url)?.hostname ?? 'The server');
  } catch (error) {
    return failed(error);
  }
}

const smtpTimeoutMs = 30_000;

async function sendSmtp(channel: OpenChannel, message: AlertMessage, { outbound, attachments }: SendOptions): Promise<SendResult> {
  const { host, port, security, allow_insecure, username, from_addr, to } = channel.config as SmtpConfig;
  if (security === 'plain' && !allow_insecure) return outcome(false, 'Sending without encryption is not allowed for this channel.');
  try {
    const mail = {
      from: from_addr,
      to,
      subject: headline(message).slice(0, 200),
      text: plainText(message),
      html: htmlText(message),
      messageId: `<${message.id}@catalog>`,
      ...(attachments ? { attachments } : {}),
    };
    await sendMail(outbound, { host, port, security, username, password: channel.secrets['password'] }, mail, smtpTimeoutMs);
    return outcome(true, `${host} accepted the message for ${to.length} recipients.`);
  } catch (error) {
    const { permanent, code, message: detail } = error as MailError;
    return error instanceof OutboundError
      ? failed(error)
      : outcome(false, detail, { status_code: code ?? null, retryable: permanent !== true });
  }
}

/** Names a target without revealing it. */
const targetKey = (line: string): string => createHash('sha256').update(line).digest('hex').slice(0, 16);

/** Targets are called one after another within one time limit. A retry leaves out those that have the message. */
async function sendGateway(
  channel: OpenChannel,
  message: AlertMessage,
  { outbound, settings, done = [] }: SendOptions,
): Promise<SendResult> {
  const lines = gatewayLines(channel.secrets['url'] ?? '');
  const deadline = Date.now() + settings.alertGatewayTimeoutS * 1000;
  const reached = [...done];
  const problems: SendResult[] = [];
  for (const [at, line] of lines.entries()) {
    if (reached.includes(targetKey(line))) continue;
    const target = readTarget(line);
    const result =
      typeof target === 'string'
        ? outcome(false, target)
        : await sendToTarget(outbound, target.requests(message), deadline, target.service);
    if (result.ok) reached.push(targetKey(line));
    else problems.push({ ...result, detail: `Line ${at + 1}: ${result.detail}` });
  }
  const worst = problems.find(({ retryable }) => retryable) ?? problems[0];
  if (!worst) return outcome(true, `${lines.length} services accepted the message.`, { done: reached });
  return { ...worst, detail: problems.map(({ detail }) => detail).join(' '), done: reached };
}

async function sendToTarget(
  outbound: Outbound,
  requests: readonly { url: string; method?: 'POST' | 'PUT'; headers: Record<string, string>; body: string }[],
  deadline: number,
  service: string,
): Promise<SendResult> {
  for (const request of requests) {
    const timeoutMs = deadline - Date.now();
    if (timeoutMs <= 0) return outcome(false, 'The time limit of the channel is used up.', { retryable: true });
    try {
      const result = judge(await outbound.send('gateway', { method: 'POST', ...request, timeoutMs, maxResponseBytes: 65_536 }), service);
      if (!result.ok) return result;
    } catch (error) {
      return failed(error);
    }
  }
  return outcome(true, `${service} accepted the message.`);
}
