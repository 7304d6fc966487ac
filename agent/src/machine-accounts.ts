/** The accounts and groups of this machine itself, without those of a directory and without root, which every machine has. */
import { execFileSync } from 'node:child_process';
import { maxReplicatedAccounts, type ReplicatedAccounts } from '@catalog/protocol';
import { readAccounts } from '@catalog/scanner';

export function machineAccounts(): ReplicatedAccounts {
  const { users, groups } = process.platform === 'darwin' ? readMacAccounts() : readAccountFiles();
  return {
    users: users.filter(([uid]) => uid !== 0).slice(0, maxReplicatedAccounts),
    groups: groups.filter(([gid]) => gid !== 0).slice(0, maxReplicatedAccounts),
  };
}

function readAccountFiles(): ReplicatedAccounts {
  const { users, groups } = readAccounts();
  return {
    users: [...users].map(([uid, { name, gid, fullName }]) => [uid, name, gid, fullName]),
    groups: [...groups].map(([gid, { name, members }]) => [gid, name, [...members]]),
  };
}

/** macOS keeps accounts in a directory of its own. Who is in a group there is not read. */
function readMacAccounts(): ReplicatedAccounts {
  return parseMacAccounts({
    userIds: listMac('/Users', 'UniqueID'),
    mainGroups: listMac('/Users', 'PrimaryGroupID'),
    fullNames: listMac('/Users', 'RealName'),
    groupIds: listMac('/Groups', 'PrimaryGroupID'),
  });
}

function listMac(kind: string, attribute: string): string {
  try {
    return execFileSync('dscl', ['.', '-list', kind, attribute], {
      encoding: 'utf8',
      timeout: 10_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    // dscl is missing or did not answer: owners and groups are reported by number only.
    return '';
  }
}

/** Each line is a name and a value. */
export function parseMacAccounts(lists: { userIds: string; mainGroups: string; fullNames: string; groupIds: string }): ReplicatedAccounts {
  const [mainGroups, fullNames] = [new Map(pairs(lists.mainGroups)), new Map(pairs(lists.fullNames))];
  const numbered = (text: string): [string, number][] =>
    pairs(text).flatMap(([name, value]) => (/^\d+$/.test(value) ? [[name, Number(value)]] : []));
  return {
    users: numbered(lists.userIds).map(([name, uid]) => [
      uid,
      name,
      Math.max(0, Number(mainGroups.get(name) ?? 0)),
      fullNames.get(name) ?? '',
    ]),
    groups: numbered(lists.groupIds).map(([name, gid]) => [gid, name, []]),
  };
}

const pairs = (text: string): [string, string][] =>
  text.split('\n').flatMap((line) => {
    const [, name, value] = /^(\S+)\s+(\S.*?)\s*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
