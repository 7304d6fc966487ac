import { randomUUID } from 'node:crypto';
import { recordEvent } from '../../../people/audit/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import type { Dependencies } from '../../../platform/dependencies.ts';
import { createOutbound, type Outbound } from '../../../platform/outbound/index.ts';
import type { Actor } from '../../../platform/principal.ts';
import { fieldProblem, nameList, notFound, problem } from '../../../platform/problem.ts';
import { createSecrets, type KeySettings, keepsSecret, readKeyRing, redacted, type Secrets } from '../../../platform/secrets/index.ts';
import type { AlertMessage } from '../message.ts';
import { wakeWithoutChannel } from '../rules-store.ts';
import type { ChannelRow } from '../tables.ts';
import {
  type ChannelType,
  type ConfigInput,
  checkConfig,
  checkGatewayUrl,
  checkWebhookUrl,
  hostOf,
  type SmtpConfig,
  secretFields,
  type WebhookConfig,
} from './config.ts';
import { type OpenChannel, type SendResult, sendThrough } from './send.ts';
import {
  countChannels,
  deleteChannel,
  findChannel,
  insertChannel,
  lockChannel,
  lockPlainWebhook,
  rulesOfChannel,
  setConfig,
  updateChannel,
} from './store.ts';
import { formatFor, type WebhookTarget } from './webhook.ts';

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
  const { config, values } = await readInput(input.type, input.config ?? {}, nothingStored);
  return db.transaction().execute(async (trx) => {
    const row = await insertChannel(trx as Db, { name: input.name.trim(), type: input.type, config, enabled: input.enabled ?? true });
    if (!row) throw nameTaken(input.name);
    await storeSecrets(trx as Db, secrets, row.id, values);
    await audit(trx as Db, 'alert_channel_created', actor, row);
    return row;
  });
}

export async function changeChannel(
  { db, settings, clock }: Dependencies,
  actor: Actor,
  id: string,
  input: ChannelInput,
): Promise<ChannelRow> {
  const secrets = createSecrets(settings);
  return db.transaction().execute(async (trx) => {
    // Locked, so that concurrent changes of different fields are all kept.
    await lockChannel(trx as Db, id);
    const before = await requireChannel(trx as Db, id);
    const merged = input.config ? mergeConfig(before, input.config) : null;
    const { config, plain } = sealed(before);
    const read =
      merged &&
      (await readInput(before.type, merged, {
        config,
        fields: await storedFields(trx as Db, secrets, before),
        open: async () => (await openChannel({ db: trx as Db, settings }, before)).secrets,
      }));
    const values = read ? { ...plain, ...read.values } : {};
    if (Object.keys(values).length > 0) secrets.requireKey();
    const row = await updateChannel(trx as Db, {
      id,
      name: input.name?.trim() ?? before.name,
      config: read?.config ?? before.config,
      enabled: input.enabled ?? before.enabled,
    });
    if (!row) throw nameTaken(input.name ?? before.name);
    await storeSecrets(trx as Db, secrets, id, values);
    if (row.enabled && !before.enabled) await wakeWithoutChannel(trx as Db, id, clock.now());
    await audit(trx as Db, 'alert_channel_updated', actor, row);
    return row;
  });
}

/** The names of the report schedules that use a channel. Schedules import this module, not the other way round. */
export type SchedulesOfChannel = (db: Db, id: string) => Promise<string[]>;

export async function removeChannel(
  { db, settings }: Dependencies,
  actor: Actor,
  id: string,
  schedulesOf: SchedulesOfChannel,
): Promise<void> {
  const row = await requireChannel(db, id);
  await db.transaction().execute(async (trx) => {
    if (!(await lockChannel(trx as Db, id))) throw notFound('alert channel');
    checkUnused(await schedulesOf(trx as Db, id), await rulesOfChannel(trx as Db, id));
    await createSecrets(settings).removeBelow(trx as Db, `alert-channel/${id}/`);
    await deleteChannel(trx as Db, id);
    await audit(trx as Db, 'alert_channel_deleted', actor, row);
  });
}

function checkUnused(schedules: string[], rules: string[]): void {
  if (schedules.length > 0 && rules.length > 0)
    throw problem(
      'channel_in_use',
      `This channel is still in use by schedules: ${nameList(schedules)}, and by alert rules: ${nameList(rules)}. Choose another channel there first.`,
    );
  if (schedules.length > 0)
    throw problem(
      'channel_in_use',
      `This channel is still in use by schedules: ${nameList(schedules)}. Choose another channel there first.`,
    );
  if (rules.length > 0)
    throw problem('channel_in_use', `This channel is still in use by alert rules: ${nameList(rules)}. Choose another channel there first.`);
}

export async function requireChannel(db: Db, id: string): Promise<ChannelRow> {
  const row = await findChannel(db, id);
  if (!row) throw notFound('alert channel');
  return row;
}

/**
 * The configuration of a channel without secrets. Earlier versions stored the address of a webhook in it, which is encrypted when the app
 * starts or the configuration is changed; `plain` has it until then.
 */
function sealed({ type, config }: ChannelRow): { config: ChannelRow['config']; plain: Record<string, string> } {
  if (type !== 'webhook' || !('url' in config)) return { config, plain: {} };
  const { url, webhook_format } = config as unknown as WebhookTarget;
  return { config: { host: hostOf(url), webhook_format }, plain: { url } };
}

/** Encrypts addresses that earlier versions stored in plain text, and returns how many. Does nothing without a secret key. */
export async function encryptWebhookAddresses({ db, settings }: { db: Db; settings: KeySettings }): Promise<number> {
  if (readKeyRing(settings) === null) return 0;
  const secrets = createSecrets(settings);
  const encryptNext = async (trx: Db): Promise<boolean> => {
    const row = await lockPlainWebhook(trx);
    if (!row) return false;
    const { config, plain } = sealed(row);
    await storeSecrets(trx, secrets, row.id, plain);
    await setConfig(trx, row.id, config);
    return true;
  };
  for (let encrypted = 0; ; encrypted += 1) if (!(await db.transaction().execute((trx) => encryptNext(trx as Db)))) return encrypted;
}

/** Which secret fields of a channel are set. */
async function storedFields(db: Db, secrets: Secrets, row: ChannelRow): Promise<string[]> {
  const prefix = secretName(row.id, '');
  return [...(await secrets.names(db, prefix)).map((name) => name.slice(prefix.length)), ...Object.keys(sealed(row).plain)];
}

/** The configuration as the API shows it: a secret that is set reads as the redacted literal. */
export async function shownConfig(
  { db, settings }: Pick<Dependencies, 'db' | 'settings'>,
  row: ChannelRow,
): Promise<Record<string, unknown>> {
  const stored = await storedFields(db, createSecrets(settings), row);
  return {
    ...sealed(row).config,
    ...Object.fromEntries(secretFields[row.type].map((field) => [field, stored.includes(field) ? redacted : null])),
  };
}

/**
 * Unset fields keep their stored values. A stored password is not sent to another server: whoever changes the server enters it again.
 */
function mergeConfig(row: ChannelRow, input: ConfigInput): ConfigInput {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const { config } = sealed(row);
  const merged: ConfigInput = { ...(config as ConfigInput), ...given };
  // The host of a webhook is part of its address. It may be sent back as it was read.
  if (row.type === 'webhook' && merged.host === (config as WebhookConfig).host) delete merged.host;
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

/** What a blank field keeps. */
interface StoredConfig {
  config: ChannelRow['config'];
  /** The secrets that are set. */
  fields: readonly string[];
  /** Decrypts them. */
  open(): Promise<Record<string, string>>;
}

const nothingStored: StoredConfig = { config: {}, fields: [], open: async () => ({}) };

async function readInput(type: ChannelType, input: ConfigInput, stored: StoredConfig): Promise<ReadConfig> {
  const config = checkConfig(type, input);
  const values: Record<string, string> = {};
  for (const field of secretFields[type]) {
    const value = input[field as keyof ConfigInput] as string | undefined;
    if (!keepsSecret(value) && value !== undefined) values[field] = value;
  }
  if (type === 'webhook') return { config: await checkWebhook(config as WebhookConfig, values, stored), values };
  if (type === 'gateway' && (values['url'] !== undefined || !stored.fields.includes('url'))) checkGatewayUrl(values['url'] ?? '');
  if (type === 'smtp' && values['password'] !== undefined && (config as SmtpConfig).username === '')
    throw fieldProblem(['body', 'config', 'username'], 'Enter the user name that belongs to the password.', 'config');
  return { config, values };
}

async function checkWebhook(
  { webhook_format }: WebhookConfig,
  { url, secret }: { url?: string; secret?: string },
  stored: StoredConfig,
): Promise<WebhookConfig> {
  const keepsUrl = url === undefined && stored.fields.includes('url');
  if (!keepsUrl) checkWebhookUrl(url ?? '');
  if (secret !== undefined && formatFor({ url: url ?? (await stored.open())['url'] ?? '', webhook_format }) !== 'generic')
    throw fieldProblem(['body', 'config', 'secret'], 'Chat services do not check a signature. Leave the secret empty.', 'config');
  return { host: keepsUrl ? (stored.config as WebhookConfig).host : hostOf(url ?? ''), webhook_format };
}

async function storeSecrets(db: Db, secrets: Secrets, id: string, values: Record<string, string>): Promise<void> {
  for (const [field, value] of Object.entries(values)) await secrets.write(db, secretName(id, field), value);
}

/** Decrypts the secrets of a channel. Throws `secret_key_missing` or `secret_unreadable`. */
export async function openChannel({ db, settings }: Pick<Dependencies, 'db' | 'settings'>, row: ChannelRow): Promise<OpenChannel> {
  const secrets = createSecrets(settings);
  const { config, plain } = sealed(row);
  const values: Record<string, string> = { ...plain };
  for (const field of secretFields[row.type]) {
    const value = await secrets.read(db, secretName(row.id, field));
    if (value !== null) values[field] = value;
  }
  return { type: row.type, config, secrets: values };
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
    const read = await readInput(
      type,
      merged,
      stored ? { config: stored.config, fields: Object.keys(stored.secrets), open: async () => stored.secrets } : nothingStored,
    );
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
