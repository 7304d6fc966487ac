import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import { settingsForTests } from '../../settings/index.ts';
import type { Db } from '../database/index.ts';
import { createLog } from '../log/index.ts';
import {
  checkSecretKey,
  clearKeyFingerprint,
  createSecrets,
  ensureKeyFile,
  fingerprint,
  keepsSecret,
  redacted,
  reportSecretKey,
  rotateSecrets,
} from './index.ts';

let db: Db;
let configDir: string;
beforeEach(async () => {
  ({ db } = await databaseForTest());
  configDir = mkdtempSync(path.join(os.tmpdir(), 'catalog-secrets-'));
  onTestFinished(() => rmSync(configDir, { recursive: true, force: true }));
});
const settingsWith = (env: Record<string, string> = {}) => settingsForTests({ SVC_CONFIG_DIR: configDir, ...env });
const withKey = (key: string, more: Record<string, string> = {}) => settingsWith({ SVC_SECRET_KEY: key, ...more });
const stored = async () => (await sql<{ name: string; ciphertext: string }>`select * from secrets order by name`.execute(db)).rows;

test('secrets are encrypted at rest under SVC_SECRET_KEY and can be read back', async () => {
  const secrets = createSecrets(withKey('a long enough key'));
  await secrets.write(db, 'channel/1/password', 'hunter2 äöü');
  expect(await secrets.read(db, 'channel/1/password')).toBe('hunter2 äöü');
  expect(JSON.stringify(await stored())).not.toContain('hunter2');
  expect(await secrets.read(db, 'channel/2/password')).toBeNull();
});

test('the same value is stored differently each time, and a value moved to another name cannot be read', async () => {
  const secrets = createSecrets(withKey('a long enough key'));
  await secrets.write(db, 'a', 'same');
  await secrets.write(db, 'b', 'same');
  const [a, b] = await stored();
  expect(a?.ciphertext).not.toBe(b?.ciphertext);
  await sql`update secrets set ciphertext = ${a?.ciphertext} where name = 'b'`.execute(db);
  await expect(secrets.read(db, 'b')).rejects.toMatchObject({ code: 'secret_unreadable' });
});

test('a changed byte is noticed', async () => {
  const secrets = createSecrets(withKey('a long enough key'));
  await secrets.write(db, 'a', 'value');
  const bytes = Buffer.from((await stored())[0]!.ciphertext, 'base64');
  for (const at of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = changed[at]! ^ 1;
    await sql`update secrets set ciphertext = ${changed.toString('base64')}`.execute(db);
    await expect(secrets.read(db, 'a')).rejects.toMatchObject({ code: 'secret_unreadable' });
  }
});

test('without a key a secret is refused with a sentence that says how to make one', async () => {
  const secrets = createSecrets(settingsWith());
  expect(() => secrets.requireKey()).toThrow('openssl rand -base64 32');
  await expect(secrets.write(db, 'a', 'value')).rejects.toMatchObject({ code: 'secret_key_missing' });
});

test('another key cannot read the value and says so', async () => {
  await createSecrets(withKey('the first long key')).write(db, 'a', 'value');
  await expect(createSecrets(withKey('the second long key')).read(db, 'a')).rejects.toMatchObject({ code: 'secret_unreadable' });
});

test('leaving the field blank on edit keeps the stored value, and so does the redacted literal', () => {
  expect([undefined, null, '', redacted, 'new'].map(keepsSecret)).toEqual([true, true, true, true, false]);
  expect(redacted).toBe('__redacted__');
});

test('the embedded default makes secret.key for its owner alone at the first start, and only then', () => {
  const settings = settingsWith();
  const file = ensureKeyFile(settings);
  expect(file).toBe(path.join(configDir, 'secret.key'));
  expect(statSync(file!).mode & 0o777).toBe(0o600);
  const text = readFileSync(file!, 'utf8');
  expect(ensureKeyFile(settings)).toBeNull();
  expect(readFileSync(file!, 'utf8')).toBe(text);
  expect(Buffer.from(text.trim(), 'base64url')).toHaveLength(32);
});

test('no key file is made when a key is set or the database is external', () => {
  expect(ensureKeyFile(withKey('a long enough key'))).toBeNull();
  expect(ensureKeyFile(settingsWith({ SVC_DATABASE_URL: 'postgresql://db/catalog' }))).toBeNull();
});

test('rotation encrypts every value with the new key, after which the old one is not needed', async () => {
  const old = createSecrets(withKey('the first long key'));
  for (let n = 0; n < 450; n++) await old.write(db, `name/${n}`, `value ${n}`);
  const both = withKey('the second long key', { SVC_SECRET_KEY_PREVIOUS: 'the first long key' });
  expect(await createSecrets(both).read(db, 'name/7')).toBe('value 7');
  expect(await rotateSecrets(db, both)).toEqual({ rotated: 450, unreadable: [], newKeyFile: false });
  const now = createSecrets(withKey('the second long key'));
  for (const n of [0, 199, 200, 449]) expect(await now.read(db, `name/${n}`)).toBe(`value ${n}`);
  await expect(old.read(db, 'name/0')).rejects.toMatchObject({ code: 'secret_unreadable' });
  expect(await rotateSecrets(db, both)).toEqual({ rotated: 0, unreadable: [], newKeyFile: false });
});

test('without SVC_SECRET_KEY rotation makes a new key, and a running process keeps reading and writing', async () => {
  const settings = settingsWith();
  ensureKeyFile(settings);
  const running = createSecrets(settings);
  await running.write(db, 'a', 'one');
  const before = readFileSync(path.join(configDir, 'secret.key'), 'utf8').trim();
  expect(await rotateSecrets(db, settings)).toEqual({ rotated: 1, unreadable: [], newKeyFile: true });
  const [current, previous] = readFileSync(path.join(configDir, 'secret.key'), 'utf8').trim().split('\n');
  expect(previous).toBe(before);
  expect(current).not.toBe(before);
  expect(statSync(path.join(configDir, 'secret.key')).mode & 0o777).toBe(0o600);
  await running.write(db, 'b', 'two');
  expect([await running.read(db, 'a'), await running.read(db, 'b')]).toEqual(['one', 'two']);
  await rotateSecrets(db, settings);
  expect([await running.read(db, 'a'), await running.read(db, 'b')]).toEqual(['one', 'two']);
});

test('rotation names the values that no key can read and keeps them', async () => {
  await createSecrets(withKey('a key that was lost')).write(db, 'lost', 'value');
  await createSecrets(withKey('the first long key')).write(db, 'kept', 'value');
  const both = withKey('the second long key', { SVC_SECRET_KEY_PREVIOUS: 'the first long key' });
  expect(await rotateSecrets(db, both)).toEqual({ rotated: 1, unreadable: ['lost'], newKeyFile: false });
  expect((await stored()).map(({ name }) => name)).toEqual(['kept', 'lost']);
});

async function start(env: ReturnType<typeof settingsWith>): Promise<{ state: string; errors: string[] }> {
  const errors: string[] = [];
  const log = createLog({
    name: 'test',
    level: 'debug',
    sinks: [{ write: ({ level, message }) => void (level === 'error' && errors.push(message)) }],
  });
  return { state: (await reportSecretKey(db, env, log)).state, errors };
}

test('the database stores a fingerprint of the key in use; at boot a mismatch is logged as an error', async () => {
  expect(await start(settingsWith())).toEqual({ state: 'unset', errors: [] });
  expect(await start(withKey('the first long key'))).toEqual({ state: 'stamped', errors: [] });
  expect(await start(withKey('the first long key'))).toEqual({ state: 'match', errors: [] });
  const other = await start(withKey('the second long key'));
  expect(other).toEqual({ state: 'mismatch', errors: [expect.stringContaining(fingerprint('the first long key'))] });
  expect(fingerprint('the first long key')).toMatch(/^[0-9a-f]{16}$/);
  expect((await start(settingsWith())).state).toBe('missing');
  expect((await start(withKey('the first long key'))).state).toBe('match');
});

test('a mismatch ends when the stored fingerprint is cleared, or when the secrets are rotated', async () => {
  await start(withKey('the first long key'));
  await clearKeyFingerprint(db);
  expect((await start(withKey('the second long key'))).state).toBe('stamped');
  const rotating = withKey('the third long key', { SVC_SECRET_KEY_PREVIOUS: 'the second long key' });
  expect((await checkSecretKey(db, rotating)).message).toContain('catalog secrets rotate');
  await rotateSecrets(db, rotating);
  expect((await checkSecretKey(db, withKey('the third long key'))).state).toBe('match');
});

test('secrets below a prefix are listed and removed together', async () => {
  const secrets = createSecrets(withKey('a long enough key'));
  for (const name of ['channel/1/a', 'channel/1/b', 'channel/10/a']) await secrets.write(db, name, 'x');
  expect(await secrets.names(db, 'channel/1/')).toEqual(['channel/1/a', 'channel/1/b']);
  await secrets.removeBelow(db, 'channel/1/');
  await secrets.remove(db, 'channel/10/a');
  expect(await stored()).toEqual([]);
});
