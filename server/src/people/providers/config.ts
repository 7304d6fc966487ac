import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem } from '../../platform/problem.ts';
import { createSecrets, type Secrets } from '../../platform/secrets/index.ts';
import { isSet } from '../../settings/index.ts';
import { recordEvent } from '../audit/index.ts';
import { type Field, fields, type Provider } from './fields.ts';
import { deleteValue, listSavedValues, saveValue } from './store.ts';

/** A client that sends this as a secret keeps the stored one. */
const unchanged = '__unchanged__';

export type Source = 'gui' | 'env' | 'unset';
export type Values = Record<string, unknown>;

export interface EffectiveConfig {
  values: Values;
  sources: Record<string, Source>;
}

type Reading = Pick<Dependencies, 'db' | 'settings'>;
type Entry = Record<string, string>;

const secretName = (provider: Provider, field: string, entry?: string): string =>
  `auth-config/${provider}/${field}${entry === undefined ? '' : `/${entry}`}`;

/**
 * The values in effect: those saved in the console, then the environment. They are read for every use, so a change applies to all processes
 * at once. A value that cannot be read is an error and never replaced by the environment. `unsaved` are values of a form that is tested.
 */
export async function readConfig({ db, settings }: Reading, provider: Provider, unsaved: Values = {}): Promise<EffectiveConfig> {
  const secrets = createSecrets(settings);
  const [rows, names] = await Promise.all([listSavedValues(db, provider), secrets.names(db, `auth-config/${provider}/`)]);
  const saved = new Map(rows.map(({ field, value }) => [field, value]));
  const storedSecrets = new Set(names);
  const values: Values = {};
  const sources: Record<string, Source> = {};
  for (const [name, field] of Object.entries(fields[provider])) {
    const hasSecret = field.kind === 'secret' && storedSecrets.has(secretName(provider, name));
    const fromConsole = saved.has(name) || hasSecret;
    sources[name] = fromConsole ? 'gui' : isSet(settings, field.setting) ? 'env' : 'unset';
    if (hasSecret) values[name] = await secrets.read(db, secretName(provider, name));
    else if (saved.has(name)) values[name] = saved.get(name);
    else values[name] = field.fromSettings(settings) ?? null;
    if (field.kind === 'entries' && saved.has(name))
      values[name] = await withSecrets(db, secrets, storedSecrets, provider, name, field, values[name] as Entry[]);
    if (name in unsaved) values[name] = unsavedValue(field, unsaved[name], values[name], field.fromSettings(settings) ?? null);
  }
  // The way back in when a provider is misconfigured: the environment switches it off whatever the console says.
  if (values['enabled'] === true && isForcedOff(settings, provider)) {
    values['enabled'] = false;
    sources['enabled'] = 'env';
  }
  return { values, sources };
}

/** The values in effect that are no secrets, and which of them are saved in the console. Works also when secrets cannot be read. */
export async function readPlainConfig(
  { db, settings }: Reading,
  provider: Provider,
): Promise<{ values: Values; fromConsole: ReadonlySet<string> }> {
  const saved = new Map((await listSavedValues(db, provider)).map(({ field, value }) => [field, value]));
  const plain = Object.entries(fields[provider]).filter(([, { kind }]) => kind !== 'secret');
  const values = plain.map(([name, field]) => [name, saved.has(name) ? saved.get(name) : (field.fromSettings(settings) ?? null)]);
  return { values: Object.fromEntries(values), fromConsole: new Set(saved.keys()) };
}

export function isForcedOff(settings: Dependencies['settings'], provider: Provider): boolean {
  const enabled = fields[provider]['enabled'];
  return enabled !== undefined && isSet(settings, enabled.setting) && enabled.fromSettings(settings) === false;
}

async function withSecrets(
  db: Db,
  secrets: Secrets,
  stored: ReadonlySet<string>,
  provider: Provider,
  name: string,
  { key = '', secretKey = '' }: Field,
  entries: readonly Entry[],
): Promise<Entry[]> {
  const complete: Entry[] = [];
  for (const entry of entries) {
    const place = secretName(provider, name, entry[key] ?? '');
    const secret = stored.has(place) ? await secrets.read(db, place) : null;
    complete.push(secret === null ? entry : { ...entry, [secretKey]: secret });
  }
  return complete;
}

function unsavedValue(field: Field, given: unknown, current: unknown, fallback: unknown): unknown {
  if (given === null) return fallback;
  if (field.kind === 'secret') return given === unchanged ? current : given === '' ? null : given;
  if (field.kind !== 'entries') return given;
  const { key = '', secretKey = '' } = field;
  return (given as Entry[]).map((entry) => {
    const before = (current as Entry[] | null)?.find((each) => each[key] === entry[key]);
    return entry[secretKey] === unchanged && before?.[secretKey] ? { ...entry, [secretKey]: before[secretKey] } : entry;
  });
}

/** Saves values of the console. Null removes a value, so that the environment applies again. */
export async function saveConfig({ db, settings }: Reading, provider: Provider, change: Values, actor: Actor): Promise<void> {
  const secrets = createSecrets(settings);
  await db.transaction().execute(async (trx) => {
    const saved = new Set((await listSavedValues(trx, provider)).map(({ field }) => field));
    for (const [name, value] of Object.entries(change)) {
      const field = fields[provider][name];
      if (!field) throw fieldProblem(['body', name], `"${name}" is not a field of this provider.`, 'unknown_field');
      if (field.kind === 'secret') await saveSecret(trx, secrets, secretName(provider, name), value as string | null);
      else if (value === null) {
        await deleteValue(trx, provider, name);
        if (field.kind === 'entries') await secrets.removeBelow(trx, secretName(provider, name, ''));
      } else if (field.kind === 'entries') {
        const inherited = saved.has(name) ? [] : (field.fromSettings(settings) as Entry[]);
        await saveEntries(trx, secrets, provider, name, field, value as Entry[], inherited);
      } else await saveValue(trx, provider, name, value);
    }
    await recordEvent(trx, {
      event_type: 'auth_config_changed',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { provider, fields: Object.keys(change) },
    });
  });
}

async function saveSecret(trx: Db, secrets: Secrets, name: string, value: string | null): Promise<void> {
  if (value === unchanged) return;
  if (value === null || value === '') await secrets.remove(trx, name);
  else await secrets.write(trx, name, value);
}

/** `inherited` are the entries of the environment that these replace: their secrets move into the console with them. */
async function saveEntries(
  trx: Db,
  secrets: Secrets,
  provider: Provider,
  name: string,
  field: Field,
  entries: Entry[],
  inherited: readonly Entry[],
): Promise<void> {
  const { key = '', secretKey = '' } = field;
  const names = entries.map((entry) => entry[key] ?? '');
  if (new Set(names).size < names.length || names.includes(''))
    throw fieldProblem(['body', name], `Each entry needs a ${key} of its own.`, 'duplicate');
  const stored = await secrets.names(trx, secretName(provider, name, ''));
  for (const each of stored) if (!names.some((kept) => each === secretName(provider, name, kept))) await secrets.remove(trx, each);
  for (const entry of entries) {
    const place = secretName(provider, name, entry[key]);
    const known = inherited.find((each) => each[key] === entry[key])?.[secretKey];
    const secret = entry[secretKey] === unchanged ? (known ?? unchanged) : entry[secretKey];
    // The secret of an entry is stored under its key. One that gets another key, such as another server, must not take it along.
    if (secret === unchanged && !stored.includes(place))
      throw fieldProblem(['body', name], `Enter the secret of "${entry[key]}" again, because its ${key} has changed.`, 'secret_missing');
    if (secret !== undefined) await saveSecret(trx, secrets, place, secret);
  }
  await saveValue(
    trx,
    provider,
    name,
    entries.map(({ [secretKey]: _, ...entry }) => entry),
  );
}

/** The values for the API: secrets are replaced by `has_<name>`, and inside entries by a placeholder. */
export function presentConfig(provider: Provider, { values, sources }: EffectiveConfig) {
  const shown: Values = {};
  for (const [name, field] of Object.entries(fields[provider])) {
    if (field.kind === 'secret') shown[`has_${name}`] = typeof values[name] === 'string' && values[name] !== '';
    else if (field.kind === 'entries')
      shown[name] = ((values[name] ?? []) as Entry[]).map((entry) =>
        entry[field.secretKey ?? ''] ? { ...entry, [field.secretKey ?? '']: unchanged } : entry,
      );
    else shown[name] = values[name];
  }
  return { ...shown, _source: sources };
}
