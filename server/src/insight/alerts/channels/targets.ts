import type { AlertMessage } from '../message.ts';
import { headline, plainText } from '../message.ts';

/** One request to a notification service. */
export interface TargetRequest {
  url: string;
  method?: 'POST' | 'PUT';
  headers: Record<string, string>;
  body: string;
}

export interface GatewayTarget {
  service: string;
  /** A target may need several requests, for example one per chat. */
  requests(message: AlertMessage): TargetRequest[];
}

/** Public services with a fixed address; tests put their own server here. */
export const publicServices = { ntfy: 'https://ntfy.sh', pushover: 'https://api.pushover.net', telegram: 'https://api.telegram.org' };

interface ParsedTarget {
  scheme: string;
  user: string;
  password: string;
  /** With the port. */
  host: string;
  parts: string[];
  base: 'http://' | 'https://';
  credentials: Record<string, string>;
}

const priority = { info: 3, warning: 4, critical: 5 } as const;
const json = { 'content-type': 'application/json' };
const titled = (message: AlertMessage): string => `${headline(message)}\n\n${plainText(message)}`;
const postJson = (url: string, value: unknown, headers: Record<string, string> = {}): TargetRequest => ({
  url,
  headers: { ...json, ...headers },
  body: JSON.stringify(value),
});

type Build = (target: ParsedTarget) => ((message: AlertMessage) => TargetRequest[]) | string;

/**
 * The services by scheme; a scheme that ends with s uses https. Each entry returns what to send, or what is wrong with the address.
 *   ntfy(s)://[token@ or user:password@]host/topic, or ntfy://topic for ntfy.sh     gotify(s)://host/token
 *   pover://user@token[/device]                                                      tgram://bot-token/chat[/chat]
 *   matrix(s)://token@host/!room:server                                              mmost(s)://host/token
 *   workflows://host/workflow/signature (Microsoft Teams), or msteams+https://the-whole-address
 *   apprise(s)://host/token                                                          json(s)://[user:password@]host/path
 */
const services: Record<string, Build> = {
  ntfy: ({ host, parts, base, credentials }) => {
    const topic = parts[0] ?? host;
    if (topic === '') return 'ntfy needs a topic, such as ntfys://ntfy.example.org/alerts.';
    const url = parts[0] === undefined ? publicServices.ntfy : `${base}${host}`;
    return (message) => [
      postJson(
        url,
        {
          topic,
          title: headline(message),
          message: plainText(message),
          priority: priority[message.severity],
          click: message.link ?? undefined,
        },
        credentials,
      ),
    ];
  },
  gotify: ({ host, parts, base }) => {
    const token = parts.at(-1);
    if (!host || !token) return 'Gotify needs a host and an application token, such as gotifys://push.example.org/token.';
    const path = parts
      .slice(0, -1)
      .map((part) => `/${encodeURIComponent(part)}`)
      .join('');
    return (message) => [
      postJson(
        `${base}${host}${path}/message`,
        { title: headline(message), message: plainText(message), priority: priority[message.severity] },
        { 'x-gotify-key': token },
      ),
    ];
  },
  pover: ({ user, host, parts }) => {
    if (!user || !host) return 'Pushover needs a user key and a token, such as pover://user@token.';
    return (message) => [
      {
        url: `${publicServices.pushover}/1/messages.json`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          token: host,
          user,
          title: headline(message).slice(0, 250),
          message: plainText(message).slice(0, 1024) || headline(message),
          ...(parts[0] ? { device: parts[0] } : {}),
        }).toString(),
      },
    ];
  },
  tgram: ({ user, password, host, parts }) => {
    // The token contains a colon, which a URL reads as user and password, or as host and port.
    const token = user ? `${user}:${password}` : host;
    const chats = user ? [host, ...parts] : parts;
    if (!/^(bot)?\d+:[\w-]+$/.test(token) || chats.length === 0)
      return 'Telegram needs a bot token and a chat, such as tgram://123456:ABC-DEF/987654.';
    return (message) =>
      chats.map((chat) =>
        postJson(`${publicServices.telegram}/bot${token.replace(/^bot/, '')}/sendMessage`, {
          chat_id: chat,
          text: titled(message).slice(0, 4096),
        }),
      );
  },
  matrix: ({ user, password, host, parts, base }) => {
    const token = password || user;
    const room = parts[0];
    if (!token || !host || !room?.startsWith('!'))
      return 'Matrix needs an access token and a room id, such as matrixs://token@matrix.example.org/!room:example.org.';
    return (message) => [
      {
        // The transaction id lets the server drop a repeated message.
        url: `${base}${host}/_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/${encodeURIComponent(message.id)}`,
        method: 'PUT',
        headers: { ...json, authorization: `Bearer ${token}` },
        body: JSON.stringify({ msgtype: 'm.text', body: titled(message) }),
      },
    ];
  },
  mmost: ({ host, parts, base }) => {
    const token = parts.at(-1);
    if (!host || !token) return 'Mattermost needs a host and the token of an incoming webhook, such as mmosts://chat.example.org/token.';
    const path = parts
      .slice(0, -1)
      .map((part) => `/${encodeURIComponent(part)}`)
      .join('');
    return (message) => [
      postJson(`${base}${host}${path}/hooks/${encodeURIComponent(token)}`, { text: `**${headline(message)}**\n\n${plainText(message)}` }),
    ];
  },
  workflows: ({ host, parts }) => {
    const [workflow, signature] = parts;
    if (!host || !workflow || !signature)
      return 'Microsoft Teams needs workflows://host/workflow/signature, or msteams+https:// with the whole address.';
    const url = `https://${host}/workflows/${encodeURIComponent(workflow)}/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=${encodeURIComponent(signature)}`;
    return (message) => [postJson(url, adaptiveCard(message))];
  },
  apprise: ({ host, parts, base, credentials }) => {
    if (!host || parts.length === 0) return 'Apprise needs a host and a token, such as apprises://notify.example.org/token.';
    const path = parts.map((part) => encodeURIComponent(part)).join('/');
    const type = (message: AlertMessage) =>
      message.kind === 'resolved' ? 'success' : { info: 'info', warning: 'warning', critical: 'failure' }[message.severity];
    return (message) => [
      postJson(`${base}${host}/notify/${path}`, { title: headline(message), body: plainText(message), type: type(message) }, credentials),
    ];
  },
  json: ({ host, parts, base, credentials }) => {
    if (!host) return 'Enter a host, such as jsons://hooks.example.org/path.';
    return (message) => [
      postJson(
        `${base}${host}/${parts.map((part) => encodeURIComponent(part)).join('/')}`,
        {
          version: '1.0',
          id: message.id,
          title: headline(message),
          message: plainText(message),
          type: message.severity,
          kind: message.kind,
        },
        credentials,
      ),
    ];
  },
};

const secureByDefault = new Set(['pover', 'tgram', 'workflows']);

function adaptiveCard(message: AlertMessage): unknown {
  const block = (value: string, more: object = {}) => ({ type: 'TextBlock', text: value, wrap: true, ...more });
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [block(headline(message), { weight: 'Bolder', size: 'Medium' }), block(plainText(message).slice(0, 10_000))],
        },
      },
    ],
  };
}

/** Reads one line of a gateway channel. A string says what is wrong, without repeating the line. */
export function readTarget(line: string): GatewayTarget | string {
  if (/^msteams\+https?:\/\//i.test(line)) {
    const url = line.replace(/^msteams\+/i, '');
    return URL.canParse(url)
      ? { service: 'msteams', requests: (message) => [postJson(url, adaptiveCard(message))] }
      : 'The address is not valid.';
  }
  const scheme = /^([a-z]+):\/\//i.exec(line)?.[1]?.toLowerCase();
  const name =
    scheme === undefined
      ? undefined
      : services[scheme]
        ? scheme
        : scheme.endsWith('s') && services[scheme.slice(0, -1)]
          ? scheme.slice(0, -1)
          : undefined;
  if (scheme === undefined || name === undefined)
    return `This service is not known. Use one of ${[...Object.keys(services), 'msteams+https'].map((each) => `${each}://`).join(', ')}.`;
  const target = parseTarget(line, scheme, name);
  const built = target && services[name]?.(target);
  if (!built) return 'The address is not valid.';
  return typeof built === 'string' ? built : { service: name, requests: built };
}

function parseTarget(line: string, scheme: string, name: string): ParsedTarget | null {
  const rest = line.slice(scheme.length + 3).replace(/[?#].*$/, '');
  const [authority = '', ...path] = rest.split('/');
  const at = authority.lastIndexOf('@');
  const [user = '', ...password] = at >= 0 ? authority.slice(0, at).split(':') : [];
  const decode = (value: string): string => {
    try {
      return decodeURIComponent(value);
    } catch {
      return value;
    }
  };
  const credentials: Record<string, string> = {};
  if (user && password.length > 0)
    credentials['authorization'] = `Basic ${Buffer.from(`${decode(user)}:${decode(password.join(':'))}`).toString('base64')}`;
  else if (user) credentials['authorization'] = `Bearer ${decode(user)}`;
  const host = authority.slice(at + 1);
  if (!['tgram', 'ntfy', 'pover'].includes(name) && !URL.canParse(`http://${host}/`)) return null;
  return {
    scheme,
    user: decode(user),
    password: decode(password.join(':')),
    host,
    parts: path.filter((part) => part !== '').map(decode),
    base: scheme !== name || secureByDefault.has(name) ? 'https://' : 'http://',
    credentials,
  };
}
