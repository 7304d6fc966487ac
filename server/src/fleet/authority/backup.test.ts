import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import { createBackup } from '../../operations/backup/create.ts';
import { restoreBackup } from '../../operations/backup/restore.ts';
import { type Settings, settingsForTests } from '../../settings/index.ts';
import { requireRoot } from './index.ts';

const options = { now: new Date('2026-03-04T05:06:07.000Z'), signal: new AbortController().signal, progress: () => {} };

function settingsWith(env: Record<string, string>): Settings {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-authority-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return settingsForTests({ SVC_CONFIG_DIR: folder, ...env });
}

test('the key of the authority is in a protected backup, cannot be read there, and comes back on restore', async () => {
  const env = { SVC_BACKUP_PASSPHRASE: 'correct horse battery' };
  const database = await databaseForTest();
  const source = settingsWith(env);
  const root = await requireRoot(database.db, source, options.now);
  const bundle = await createBackup({ database, settings: source }, { ...options, createdBy: 'test', keep: null, environment: {} });
  const secret = root.keyPem.split('\n')[1] ?? '';
  expect(secret).toHaveLength(64);
  for (const name of readdirSync(bundle.folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(bundle.folder, name);
    if (statSync(file).isFile()) expect(readFileSync(file, 'latin1').includes(secret), name).toBe(false);
  }
  const target = await databaseForTest();
  const settings = settingsWith(env);
  await restoreBackup({ database: target, settings }, bundle, { ...options, backupFirst: false });
  const file = path.join(settings.configDir, 'agent-ca.pem');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await requireRoot(target.db, settings, options.now)).toEqual(root);

  // Without the passphrase the root is not restored, and no new one is made in its place.
  const other = await databaseForTest();
  const without = settingsWith({});
  await restoreBackup({ database: other, settings: without }, bundle, { ...options, backupFirst: false });
  expect(existsSync(path.join(without.configDir, 'agent-ca.pem'))).toBe(false);
  await expect(requireRoot(other.db, without, options.now)).rejects.toMatchObject({ code: 'agent_authority_unusable' });
});
