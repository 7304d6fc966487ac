import { randomUUID } from 'node:crypto';
import { recordEvent } from '../../../people/audit/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import type { Dependencies } from '../../../platform/dependencies.ts';
import { createOutbound, type Outbound } from '../../../platform/outbound/index.ts';
import type { Actor } from '../../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../../platform/problem.ts';
import { createSecrets, keepsSecret, redacted, type Secrets } from '../../../platform/secrets/index.ts';
import type { AlertMessage } from '../message.ts';
import type { ChannelRow } from '../tables.ts';
import {
  type ChannelType,
  type ConfigInput,
  checkConfig,
  checkGatewayUrl,
  type SmtpConfig,
  secretFields,
  type WebhookConfig,
} from './config.ts';
import { type OpenChannel, type SendResult, sendThrough } from './send.ts';
import { countChannels, deleteChannel, detachChannel, findChannel, insertChannel, updateChannel } from './store.ts';
import { formatFor } from './webhook.ts';

const maxChannels = 200;
const secretName = (id: string, field: string): string => `alert-channel/${id}/${field}`;

export interface ChannelInput {
  name?: string | undefined;
  config?: ConfigInput | undefined;
  enabled?: boolean | undefined;
}

export async function createChannel(
  { db, settings }: Dependencies,
  actor: Actor,
  input: { name: string; type: ChannelType; config?: ConfigInput | undefined; enabled?: boolean | undefined },
): Promise<ChannelRow> {
  const secrets = createSecrets(settings);
  secrets.requireKey();
  if ((await countChannels(db)) >= maxChannels)
    throw problem('too_many', `There can be at most ${maxChannels} channels. Delete some first.`);
  const { config, values } = readInput(input.type, input.config ?? {}, []);
  return db.transaction().execute(async (trx) => {
    const row = await insertChannel(trx as Db, { name: input.name.trim(), type: input.type, config, enabled: input.enabled ?? true });
    if (!row) throw nameTaken(input.name);
    await storeSecrets(trx as Db, secrets, row.id, values);
    await audit(trx as Db, 'alert_channel_created', actor, row);
    return row;
  });
}

export async function changeChannel({ db, settings }: Dependencies, actor: Actor, id: string, input: ChannelInput): Promise<ChannelRow> {
  const before = await requireChannel(db, id);
  const secrets = createSecrets(settings);
  const merged = input.config ? mergeConfig(before, input.config) : null;
  const read = merged && readInput(before.type, merged, await storedFields(db, secrets, before));
  if (read && Object.keys(read.values).length > 0) secrets.requireKey();
  return db.transaction().execute(async (trx) => {
    const row = await updateChannel(trx as Db, {
      id,
      name: input.name?.trim() ?? before.name,
      config: read?.config ?? before.config,
      enabled: input.enabled ?? before.enabled,
    });
    if (!row) throw nameTaken(input.name ?? before.name);
    if (read) await storeSecrets(trx as Db, secrets, id, read.values);
    await audit(trx as Db, 'alert_channel_updated', actor, row);
    return row;
  });
}

export async function removeChannel({ db, settings }: Dependencies, actor: Actor, id: string): Promise<void> {
  const row = await requireChannel(db, id);
  await db.transaction().execute(async (trx) => {
    await detachChannel(trx as Db, id);
    await createSecrets(settings).removeBelow(trx as Db, `alert-channel/${id}/`);
    await deleteChannel(trx as Db, id);
    await audit(trx as Db, 'alert_channel_deleted', actor, row);
  });
}

export async function requireChannel(db: Db, id: string): Promise<ChannelRow> {
  const row = await findChannel(db, id);
  if (!row) throw notFound('alert channel');
  return row;
}

/** Which secret fields of a channel are set. */
async function storedFields(db: Db, secrets: Secrets, { id }: { id: string }): Promise<string[]> {
  const prefix = secretName(id, '');
  return (await secrets.names(db, prefix)).map((name) => name.slice(prefix.length));
}

/** The configuration as the API shows it: a secret that is set reads as the redacted literal. */
export async function shownConfig(
  { db, settings }: Pick<Dependencies, 'db' | 'settings'>,
  row: ChannelRow,
): Promise<Record<string, unknown>> {
  const stored = await storedFields(db, createSecrets(settings), row);
  return { ...row.config, ...Object.fromEntries(secretFields[row.type].map((field) => [field, stored.includes(field) ? redacted : null])) };
}

/**
 * Unset fields keep their stored values. A stored password is not sent to another server: whoever changes the server enters it again.
 */
function mergeConfig(row: ChannelRow, input: ConfigInput): ConfigInput {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const merged: ConfigInput = { ...(row.config as ConfigInput), ...given };
  const { host, port } = row.config as SmtpConfig;
  if (row.type === 'smtp' && merged.username && (merged.host !== host || merged.port !== port) && keepsSecret(input.password))
    throw fieldProblem(['body', 'config', 'password'], 'Enter the password again, because the mail server has changed.', 'config');
  return merged;
}

interface ReadConfig {
  config: ChannelRow['config'];
  /** New secrets. */
  values: Record<string, string>;
}

/** Checks a configuration. `stored` names the secrets that exist already and that a blank field keeps. */
function readInput(type: ChannelType, input: ConfigInput, stored: readonly string[]): ReadConfig {
  const fields = secretFields[type];
  const config = checkConfig(type, input);
  const values: Record<string, string> = {};
  for (const field of fields) {
    const value = input[field as keyof ConfigInput] as string | undefined;
    if (!keepsSecret(value) && value !== undefined) values[field] = value;
  }
  if (type === 'gateway') {
    if (values['url'] !== undefined) checkGatewayUrl(values['url']);
    else if (!stored.includes('url')) checkGatewayUrl('');
  }
  if (type === 'webhook' && values['secret'] !== undefined && formatFor(config as WebhookConfig) !== 'generic')
    throw fieldProblem(['body', 'config', 'secret'], 'Chat services do not check a signature. Leave the secret empty.', 'config');
  if (type === 'smtp' && values['password'] !== undefined && (config as SmtpConfig).username === '')
    throw fieldProblem(['body', 'config', 'username'], 'Enter the user name that belongs to the password.', 'config');
  return { config, values };
}

async function storeSecrets(db: Db, secrets: Secrets, id: string, values: Record<string, string>): Promise<void> {
  for (const [field, value] of Object.entries(values)) await secrets.write(db, secretName(id, field), value);
}

/** Decrypts the secrets of a channel. Throws `secret_key_missing` or `secret_unreadable`. */
export async function openChannel({ db, settings }: Pick<Dependencies, 'db' | 'settings'>, row: ChannelRow): Promise<OpenChannel> {
  const secrets = createSecrets(settings);
  const values: Record<string, string> = {};
  for (const field of secretFields[row.type]) {
    const value = await secrets.read(db, secretName(row.id, field));
    if (value !== null) values[field] = value;
  }
  return { type: row.type, config: row.config, secrets: values };
}

/**
 * Sends a test message with the stored configuration, or with values of a form that is not saved. Blank secrets of the form are taken from
 * the stored channel, if one is named. A failed delivery is a result, not an error.
 */
export async function testChannel(
  deps: Dependencies,
  { row, type, config, outbound }: { row: ChannelRow | null; type: ChannelType; config: ConfigInput | null; outbound?: Outbound },
): Promise<SendResult> {
  createSecrets(deps.settings).requireKey();
  const stored = row ? await openChannel(deps, row) : null;
  let channel = stored;
  if (config) {
    const merged = row ? mergeConfig(row, config) : config;
    const read = readInput(type, merged, Object.keys(stored?.secrets ?? {}));
    channel = { type, config: read.config, secrets: { ...stored?.secrets, ...read.values } };
  }
  if (!channel) throw fieldProblem(['body', 'config'], 'Enter the configuration to test.', 'missing');
  const now = deps.clock.now();
  const message = testMessage(row?.name ?? 'New channel', now);
  return sendThrough(channel, message, { outbound: outbound ?? createOutbound(deps), settings: deps.settings, now });
}

function testMessage(channel: string, now: Date): AlertMessage {
  return {
    id: randomUUID(),
    kind: 'test',
    severity: 'info',
    title: 'Test message from Catalog',
    text: `Alerts reach this channel (${channel}).`,
    rule: channel,
    event_type: 'test',
    count: 0,
    paths: [],
    truncated: 0,
    library_id: null,
    library: null,
    digest_window: null,
    group: 'test',
    occurred_at: now.toISOString(),
    link: null,
    facts: {},
  };
}

const nameTaken = (name: string) => problem('name_taken', `There is already a channel named "${name.trim()}". Choose another name.`);

async function audit(db: Db, event_type: string, { principalId, ip, userAgent }: Actor, { id, name, type }: ChannelRow): Promise<void> {
  await recordEvent(db, {
    event_type,
    principal_id: principalId,
    ip,
    user_agent: userAgent ?? null,
    details: { channel_id: id, name, type },
  });
}
