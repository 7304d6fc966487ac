/** Names of users and groups: from the files of the machine, then from the directory that it asks itself. */
import { execFile } from 'node:child_process';
import { readAccounts } from '@catalog/scanner';

export interface AccountNames {
  user(uid: number): Promise<string | null>;
  group(gid: number): Promise<string | null>;
}

/** A machine that answers slowly must not hold up a listing for long. */
const maxLookups = 500;

export function createAccountNames(): AccountNames {
  const accounts = readAccounts();
  const known = new Map<string, Promise<string | null>>();
  const remember = (key: string, find: () => Promise<string | null>): Promise<string | null> => {
    const name = known.get(key) ?? (known.size < maxLookups ? find() : Promise.resolve(null));
    if (known.size < maxLookups) known.set(key, name);
    return name;
  };
  return {
    user: (uid) => remember(`u${uid}`, async () => accounts.users.get(uid)?.name ?? (await firstWord('id', ['-un', String(uid)]))),
    group: (gid) => remember(`g${gid}`, async () => accounts.groups.get(gid)?.name ?? (await groupName(gid))),
  };
}

const groupName = (gid: number): Promise<string | null> =>
  process.platform === 'darwin'
    ? firstWord('dscacheutil', ['-q', 'group', '-a', 'gid', String(gid)], /^name: (.+)$/m)
    : firstWord('getent', ['group', String(gid)]);

/** Null when there is no such name, or no such program. */
function firstWord(program: string, words: string[], pattern = /^([^:\n]+)/): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, words, { timeout: 3000 }, (error, stdout) => resolve(error ? null : (pattern.exec(stdout)?.[1]?.trim() ?? null)));
  });
}
