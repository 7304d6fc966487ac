import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import { readKeyRing } from '../../platform/secrets/index.ts';
import { type Settings, settingsForTests } from '../../settings/index.ts';
import { createBackup } from './create.ts';
import { seal, unseal, WrongPassphrase } from './protected.ts';
import { planRestore, restoreBackup } from './restore.ts';

const options = { now: new Date('2026-03-04T05:06:07.000Z'), signal: new AbortController().signal, progress: () => {} };
const passphrase = 'correct horse battery';

function settingsWith(env: Record<string, string>): Settings {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-protected-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return settingsForTests({ SVC_CONFIG_DIR: folder, ...env });
}

test('with a passphrase a backup is complete: it holds the secret key and the settings, and neither can be read without it', async () => {
  const database = await databaseForTest();
  const source = settingsWith({ SVC_BACKUP_PASSPHRASE: passphrase });
  writeFileSync(path.join(source.configDir, 'secret.key'), 'the-secret-key-of-this-test\nan-older-key\n', { mode: 0o600 });
  const environment = { SVC_PORT: '9000', SVC_LDAP_BIND_PASSWORD: 'hush-hush', SVC_BACKUP_PASSPHRASE: passphrase };
  const bundle = await createBackup({ database, settings: source }, { ...options, createdBy: 'test', keep: null, environment });
  expect(bundle.manifest).toMatchObject({ complete: true, missing: [] });
  for (const name of readdirSync(bundle.folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(bundle.folder, name);
    if (!statSync(file).isFile()) continue;
    const text = readFileSync(file, 'latin1');
    for (const secret of ['the-secret-key', 'hush-hush', passphrase]) expect(text.includes(secret), `${secret} in ${name}`).toBe(false);
  }

  const target = await databaseForTest();
  const wrong = settingsWith({ SVC_BACKUP_PASSPHRASE: 'another passphrase' });
  await expect(planRestore({ database: target, settings: wrong }, bundle, true)).rejects.toThrow(WrongPassphrase);
  const without = settingsWith({});
  expect((await planRestore({ database: target, settings: without }, bundle, true)).warnings.join()).toContain('SVC_BACKUP_PASSPHRASE');

  const settings = settingsWith({ SVC_BACKUP_PASSPHRASE: passphrase });
  writeFileSync(path.join(settings.configDir, 'secret.key'), 'the-key-of-the-new-machine\n', { mode: 0o600 });
  const plan = await planRestore({ database: target, settings }, bundle, true);
  expect([plan.steps.join(), plan.warnings]).toEqual([expect.stringContaining('secret key'), []]);
  await restoreBackup({ database: target, settings }, bundle, { ...options, backupFirst: true });
  expect(readKeyRing(settings)).toEqual({
    current: 'the-secret-key-of-this-test',
    previous: ['an-older-key', 'the-key-of-the-new-machine'],
  });
  const restored = path.join(settings.configDir, 'environment.restored');
  expect(readFileSync(restored, 'utf8')).toBe('SVC_PORT="9000"\nSVC_LDAP_BIND_PASSWORD="hush-hush"\n');
  expect(statSync(restored).mode & 0o777).toBe(0o600);
});

test('a changed protected part and an absurd cost are refused', async () => {
  const content = { secret_keys: ['k'], environment: {} };
  const text = await seal(passphrase, content);
  expect(await unseal(passphrase, text)).toEqual(content);
  const envelope = JSON.parse(text) as Record<string, unknown>;
  for (const change of [{ n: 2 ** 30 }, { salt: 'AAAA' }, { ciphertext: 'AAAA' }, { tag: 'AAAAAAAAAAAAAAAAAAAAAA==' }])
    await expect(unseal(passphrase, JSON.stringify({ ...envelope, ...change }))).rejects.toThrow(WrongPassphrase);
  await expect(unseal(passphrase, 'not json')).rejects.toThrow(WrongPassphrase);
});

test('a backup from the shell may hold key, environment file and authority in plain text; a restore puts them back, and the releases of agents', async () => {
  const source = settingsWith({});
  writeFileSync(path.join(source.configDir, 'secret.key'), 'the-secret-key-of-this-test\n', { mode: 0o600 });
  writeFileSync(path.join(source.configDir, 'agent-ca.pem'), 'root and key\n', { mode: 0o600 });
  mkdirSync(path.join(source.agentReleasesDir, '2.0.0'), { recursive: true });
  writeFileSync(path.join(source.agentReleasesDir, '2.0.0', 'agent-linux-x64'), 'the program');
  const into = path.join(source.configDir, 'elsewhere');
  const bundle = await createBackup(
    { database: await databaseForTest(), settings: source },
    {
      ...options,
      createdBy: 'test',
      folder: into,
      keep: 1,
      environment: {},
      secretFiles: { environmentFile: '# ours\nSVC_PORT=9000\n', authority: true },
    },
  );
  expect(path.dirname(bundle.folder)).toBe(into);
  expect(bundle.manifest).toMatchObject({ complete: true, missing: [] });
  for (const name of ['env.backup', 'secret.key', 'agent-ca.pem'])
    expect(statSync(path.join(bundle.folder, 'files', name)).mode & 0o777).toBe(0o600);
  const settings = settingsWith({});
  await restoreBackup({ database: await databaseForTest(), settings }, bundle, { ...options, backupFirst: false });
  expect(readKeyRing(settings)).toEqual({ current: 'the-secret-key-of-this-test', previous: [] });
  expect(readFileSync(path.join(settings.configDir, 'environment.restored'), 'utf8')).toBe('# ours\nSVC_PORT=9000\n');
  expect(readFileSync(path.join(settings.configDir, 'agent-ca.pem'), 'utf8')).toBe('root and key\n');
  expect(readFileSync(path.join(settings.agentReleasesDir, '2.0.0', 'agent-linux-x64'), 'utf8')).toBe('the program');
});
