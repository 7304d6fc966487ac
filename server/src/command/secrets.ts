import { openExisting } from '../platform/database/index.ts';
import { clearKeyFingerprint, keyFile, rotateSecrets } from '../platform/secrets/index.ts';
import { openLog, readSettings } from './context.ts';

/** Encrypts all stored secrets with the current key, or forgets the fingerprint of a lost one. The exit code is 1 if some stay unreadable. */
export async function runSecrets(action: 'rotate' | 'clear-fingerprint'): Promise<void> {
  const settings = readSettings();
  const database = await openExisting(settings, openLog(settings, 'secrets'));
  try {
    if (action === 'clear-fingerprint') {
      await clearKeyFingerprint(database.db);
      process.stdout.write('Cleared the fingerprint. Restart the service; it records the key it finds.\n');
      return;
    }
    const { rotated, unreadable, newKeyFile } = await rotateSecrets(database.db, settings);
    process.stdout.write(`Encrypted ${rotated} secrets with the current key.\n`);
    if (newKeyFile) process.stdout.write(`The new key is in ${keyFile(settings)}. Keep a copy of it.\n`);
    if (unreadable.length === 0) return;
    process.stderr.write(
      `${unreadable.length} secrets cannot be read with any known key. Enter them again, or set SVC_SECRET_KEY_PREVIOUS to their key:\n${unreadable.map((name) => `  ${name}\n`).join('')}`,
    );
    process.exitCode = 1;
  } finally {
    await database.close();
  }
}
