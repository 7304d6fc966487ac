import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The password of the embedded server. The socket alone protects nothing from other programs of the same user, so every connection must
 * know the password, which only the service's user can read.
 */
const accessRules = `# Written by Catalog. The password is in the file "password" beside the data folder.
local all catalog scram-sha-256
`;

const passwordFile = (folder: string): string => path.join(folder, 'password');
const rulesFile = (data: string): string => path.join(data, 'pg_hba.conf');

/** The password of the server in this folder, or undefined before its first start. */
export function readPassword(folder: string): string | undefined {
  try {
    return readFileSync(passwordFile(folder), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Makes the stopped server ask for the password: a new one, or one that an older version set up without. `setPassword` stores it in the
 * server. The access rules are written last, so that a crash in between only repeats the steps.
 */
export function requirePassword(folder: string, data: string, setPassword: (password: string) => void): string {
  const known = readPassword(folder);
  if (known !== undefined && existsSync(rulesFile(data)) && readFileSync(rulesFile(data), 'utf8') === accessRules) return known;
  const password = known ?? randomBytes(32).toString('base64url');
  writeFileSync(passwordFile(folder), `${password}\n`, { mode: 0o600, flush: true });
  setPassword(password);
  const { uid, gid } = statSync(data);
  const next = `${rulesFile(data)}.new`;
  writeFileSync(next, accessRules, { mode: 0o600, flush: true });
  if (process.getuid?.() === 0) chownSync(next, uid, gid);
  renameSync(next, rulesFile(data));
  return password;
}
