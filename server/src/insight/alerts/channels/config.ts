import { Type } from 'typebox';
import { fieldProblem } from '../../../platform/problem.ts';
import { noExtraFields } from '../../../platform/schemas.ts';
import { readTarget } from './targets.ts';

export type ChannelType = 'webhook' | 'smtp' | 'gateway';

export interface WebhookConfig {
  /** Host and port of the address, which is a secret, so that people can tell channels apart. */
  host: string;
  /** `auto` recognises chat services by the host of the URL, every time a message is sent. */
  webhook_format: 'auto' | 'generic' | 'discord' | 'slack';
}
export interface SmtpConfig {
  host: string;
  port: number;
  security: 'starttls' | 'ssl' | 'plain';
  allow_insecure: boolean;
  username: string;
  from_addr: string;
  to: string[];
}
export type ChannelConfig = WebhookConfig | SmtpConfig | Record<string, never>;

/** The fields of each type that are encrypted and never returned. */
export const secretFields: Record<ChannelType, readonly string[]> = { webhook: ['url', 'secret'], smtp: ['password'], gateway: ['url'] };

const text = (maxLength: number) => Type.String({ maxLength });

/** The union of all fields; `checkConfig` holds them against the type. */
export const ConfigIn = Type.Object(
  {
    url: Type.Optional(text(8000)),
    secret: Type.Optional(text(1000)),
    webhook_format: Type.Optional(Type.Enum(['auto', 'generic', 'discord', 'slack'])),
    host: Type.Optional(text(255)),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 })),
    security: Type.Optional(Type.Enum(['starttls', 'ssl', 'plain'])),
    allow_insecure: Type.Optional(Type.Boolean()),
    username: Type.Optional(text(320)),
    password: Type.Optional(text(1000)),
    from_addr: Type.Optional(text(320)),
    to: Type.Optional(Type.Union([text(4000), Type.Array(text(320), { maxItems: 100 })])),
  },
  noExtraFields,
);

export interface ConfigInput {
  url?: string | undefined;
  secret?: string | undefined;
  webhook_format?: WebhookConfig['webhook_format'] | undefined;
  host?: string | undefined;
  port?: number | undefined;
  security?: SmtpConfig['security'] | undefined;
  allow_insecure?: boolean | undefined;
  username?: string | undefined;
  password?: string | undefined;
  from_addr?: string | undefined;
  to?: string | string[] | undefined;
}

const allowed: Record<ChannelType, readonly string[]> = {
  webhook: ['url', 'secret', 'webhook_format'],
  smtp: ['host', 'port', 'security', 'allow_insecure', 'username', 'password', 'from_addr', 'to'],
  gateway: ['url'],
};

const wrong = (field: string, message: string) => fieldProblem(['body', 'config', field], message, 'config');

/** The stored part of a configuration, without its secrets and what is derived from them. Throws a problem that names the field. */
export function checkConfig(type: ChannelType, input: ConfigInput): ChannelConfig {
  const foreign = Object.keys(input).find((name) => !allowed[type].includes(name));
  if (foreign) throw wrong(foreign, `A ${type} channel has no ${foreign}. Leave it out.`);
  if (type === 'webhook') return { host: '', webhook_format: input.webhook_format ?? 'auto' };
  return type === 'smtp' ? checkSmtp(input) : {};
}

export function checkWebhookUrl(url: string): void {
  const parsed = URL.parse(url);
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol) || parsed.hostname === '' || parsed.port === '0')
    throw wrong('url', 'Enter the address of the webhook, starting with https:// or http://.');
}

/** All that is shown of the address of a webhook. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? '';

function checkSmtp(input: ConfigInput): SmtpConfig {
  const { host = '', port = 587, security = 'starttls', allow_insecure = false, username = '', from_addr = '' } = input;
  const to = (typeof input.to === 'string' ? input.to.split(/[,;\n]/) : (input.to ?? [])).map((each) => each.trim()).filter(Boolean);
  if (!/^[A-Za-z0-9._:-]+$/.test(host)) throw wrong('host', 'Enter the name of the mail server, such as mail.example.org.');
  if (security === 'plain' && !allow_insecure)
    throw wrong('security', 'Without encryption, mail and password can be read on the way. Choose STARTTLS or TLS, or set allow_insecure.');
  if (!isAddress(from_addr)) throw wrong('from_addr', 'Enter the sender as an address, such as catalog@example.org.');
  if (to.length === 0) throw wrong('to', 'Enter at least one recipient.');
  const bad = to.find((each) => !isAddress(each));
  if (bad !== undefined) throw wrong('to', `"${bad}" is not a mail address.`);
  return { host, port, security, allow_insecure, username, from_addr, to };
}

const isAddress = (text_: string): boolean =>
  /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(text_) || /^[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>$/.test(text_);

/** Every line of a gateway must be a known service. The message names the line, never its content, which holds credentials. */
export function checkGatewayUrl(url: string): void {
  const lines = gatewayLines(url);
  if (lines.length === 0) throw wrong('url', 'Enter at least one address, one per line.');
  if (lines.length > 20) throw wrong('url', 'A gateway channel takes at most 20 addresses. Use several channels.');
  for (const [at, line] of lines.entries()) {
    const target = readTarget(line);
    if (typeof target === 'string') throw wrong('url', `Line ${at + 1}: ${target}`);
  }
}

/** A newline is the only separator. */
export function gatewayLines(url: string): string[] {
  return url
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
