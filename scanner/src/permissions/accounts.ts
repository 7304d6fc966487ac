import { readFileSync, statSync } from 'node:fs';

/** The accounts and groups of this machine, so that numbers on disk have names. */
export interface LocalAccounts {
  users: ReadonlyMap<number, { name: string; gid: number; fullName: string }>;
  groups: ReadonlyMap<number, { name: string; members: readonly string[] }>;
  uidByName: ReadonlyMap<string, number>;
  gidByName: ReadonlyMap<string, number>;
  /** Groups of a user, the primary one included. */
  groupsOf(uid: number): ReadonlySet<number>;
  /** User ids of the members of a group, including users whose primary group it is. */
  membersOf(gid: number): number[];
}

interface AccountFiles {
  passwd: string;
  group: string;
}

const systemAccountFiles: AccountFiles = { passwd: '/etc/passwd', group: '/etc/group' };

const cache = new Map<string, { stamp: string; accounts: LocalAccounts }>();

/** Reads the files again only when they have changed. A missing file means that numbers have no names. */
export function readAccounts(files: AccountFiles = systemAccountFiles): LocalAccounts {
  const key = `${files.passwd}\0${files.group}`;
  const stamp = `${stampOf(files.passwd)} ${stampOf(files.group)}`;
  const known = cache.get(key);
  if (known?.stamp === stamp) return known.accounts;
  const accounts = parseAccounts(textOf(files.passwd), textOf(files.group));
  cache.set(key, { stamp, accounts });
  return accounts;
}

function parseAccounts(passwd: string, group: string): LocalAccounts {
  const users = new Map<number, { name: string; gid: number; fullName: string }>();
  const groups = new Map<number, { name: string; members: readonly string[] }>();
  const uidByName = new Map<string, number>();
  const gidByName = new Map<string, number>();
  for (const line of passwd.split('\n')) {
    const [name, , uid, gid, about = ''] = line.split(':');
    if (!name || !isNumber(uid) || !isNumber(gid)) continue;
    if (!users.has(Number(uid))) users.set(Number(uid), { name, gid: Number(gid), fullName: about.split(',')[0] ?? '' });
    uidByName.set(name, Number(uid));
  }
  const supplementary = new Map<string, number[]>();
  for (const line of group.split('\n')) {
    const [name, , gid, members = ''] = line.split(':');
    if (!name || !isNumber(gid)) continue;
    const names = members.split(',').filter(Boolean);
    if (!groups.has(Number(gid))) groups.set(Number(gid), { name, members: names });
    gidByName.set(name, Number(gid));
    for (const member of names) supplementary.set(member, [...(supplementary.get(member) ?? []), Number(gid)]);
  }
  return {
    users,
    groups,
    uidByName,
    gidByName,
    groupsOf(uid) {
      const user = users.get(uid);
      return new Set(user ? [user.gid, ...(supplementary.get(user.name) ?? [])] : []);
    },
    membersOf(gid) {
      const named = (groups.get(gid)?.members ?? []).map((name) => uidByName.get(name)).filter((uid) => uid !== undefined);
      const primary = [...users].filter(([, user]) => user.gid === gid).map(([uid]) => uid);
      return [...new Set([...named, ...primary])];
    },
  };
}

const isNumber = (text: string | undefined): text is string => text !== undefined && /^\d+$/.test(text);

function stampOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs}:${size}:${ino}`;
  } catch {
    return 'missing';
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The file does not exist on this system, or the service may not read it: ids are shown without names.
    return '';
  }
}
